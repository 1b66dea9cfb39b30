import { FORM, moved, type Operation, shown } from "../http/operation.ts"

/** The common properties of pages. A route adds its access, path and schemas. */
export const PAGE = { tag: null, method: "GET", successes: shown } satisfies Partial<Operation>

/** The page to which a form of the settings leads when it has saved something. */
export const SETTINGS_SAVED = "/settings/?saved=1"

/** The common properties of forms that redirect to a page. */
export const PAGE_FORM = {
  tag: null,
  method: "POST",
  contentType: FORM,
  successes: moved("The page that shows what the form has done"),
} satisfies Partial<Operation>

/** The common properties of forms that answer with a page, such as one that shows a new secret. */
export const SHOWING_FORM = {
  ...PAGE_FORM,
  successes: { ...shown, ...PAGE_FORM.successes },
} satisfies Partial<Operation>
