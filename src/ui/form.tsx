import type { HtmlEscapedString } from "hono/utils/html"

import type { AppContext } from "../http/context.ts"
import { ApiError, type FieldError, PROBLEMS } from "../http/errors.ts"
import { isForPerson } from "../http/on-error.ts"
import { type Checked, type Fields, orThrow } from "../http/validate.ts"
import { PAGE_HEADERS } from "./layout.tsx"

/** A form with wrong fields: what was sent, by field name, and the errors. */
export interface RefusedForm {
  sent: Fields
  errors: FieldError[]
}

interface FormInput<Body, Params> {
  params: Params
  body: Checked<Body>
  sent: Fields
}

type Html = HtmlEscapedString | Promise<HtmlEscapedString>

/**
 * Wraps the handler of a form whose operation has `checksAuthorFirst`.
 * If a field is wrong, a browser gets the page of the form again, with what was typed. Programs get the error.
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
      const refused = { sent, errors: error.extra.errors }
      return c.html(await show(c, refused, params), PROBLEMS[error.code].status, PAGE_HEADERS)
    }
  }

interface FieldProps {
  id: string
  name: string
  label: string
  value?: string
  hint?: string
  type?: "text" | "date"
  required?: boolean
  autocomplete?: "off"
  autocapitalize?: "sentences"
  spellcheck?: true
  refused: RefusedForm | undefined
}

/** Renders an input with its label and hint. If the form was refused, it keeps what was typed and shows the errors. */
export const Field = ({ id, name, label, value = "", hint, refused, type = "text", ...input }: FieldProps) => {
  const errors = refused?.errors.filter(({ field }) => field.split(/[.[]/)[0] === name) ?? []
  const isWrong = errors.length > 0
  const typed = refused?.sent[name]
  const descriptions = [hint && `${id}-hint`, isWrong && `${id}-error`].filter(Boolean)
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        value={typeof typed === "string" ? typed : value}
        autocapitalize="none"
        spellcheck={false}
        autofocus={isWrong || undefined}
        aria-invalid={isWrong ? "true" : undefined}
        aria-describedby={descriptions.join(" ") || undefined}
        {...input}
      />
      {hint && (
        <p id={`${id}-hint`} class="quiet">
          {hint}
        </p>
      )}
      {isWrong && (
        <p id={`${id}-error`} class="error">
          <strong>{label}</strong>: {errors.map(({ message }) => message).join(" ")}
        </p>
      )}
    </>
  )
}

interface OutcomeProps {
  /** True after a form was saved. */
  isSaved?: boolean | undefined
  refused?: RefusedForm | undefined
}

/** Renders a notice that tells whether the form that was sent last was saved or refused; nothing if none was sent. */
export const Outcome = ({ isSaved, refused }: OutcomeProps) =>
  refused ? (
    <p class="notice" role="alert">
      <strong>Not saved.</strong> Correct the marked fields and send the form again.
    </p>
  ) : isSaved ? (
    <output class="notice">
      <strong>Saved.</strong>
    </output>
  ) : (
    <></>
  )
