import type { HtmlEscapedString } from "hono/utils/html"

import type { AppContext } from "../http/context.ts"
import { ApiError, PROBLEMS } from "../http/errors.ts"
import { isForPerson } from "../http/on-error.ts"
import { type Checked, type Fields, orThrow } from "../http/validate.ts"
import type { RefusedForm } from "./form.tsx"
import { PAGE_HEADERS } from "./layout.tsx"
import { typedFields } from "./seen.ts"

interface FormInput<Body, Params> {
  params: Params
  body: Checked<Body>
  sent: Fields
}

type Html = HtmlEscapedString | Promise<HtmlEscapedString>

/**
 * Wraps the handler of a form whose operation has `checksAuthorFirst`.
 * If a field is wrong or outdated, a browser gets the page of the form again, with what was typed. Programs get the error.
 */
export const keepTyped =
  <Body, Params>(
    handle: (c: AppContext, body: Body, params: Params) => Promise<Response>,
    show: (c: AppContext, refused: RefusedForm, params: Params) => Promise<Html>,
  ) =>
  async (c: AppContext, { params, body, sent }: FormInput<Body, Params>): Promise<Response> => {
    try {
      return await handle(c, orThrow(body).value, params)
    } catch (error) {
      if (!(error instanceof ApiError) || error.extra.errors === undefined || !isForPerson(c)) throw error
      // After a conflict the page shows what is saved now, but for what was typed.
      const kept = error.code === "version_conflict" ? typedFields(sent) : sent
      const refused = { action: new URL(c.req.url).pathname, sent: kept, errors: error.extra.errors }
      return c.html(await show(c, refused, params), PROBLEMS[error.code].status, PAGE_HEADERS)
    }
  }
