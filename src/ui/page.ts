import { FORM, moved, type Operation, shown } from "../http/operation.ts"

/** Pages and forms are not in the OpenAPI document, so that they need no id, no words and no list of errors. */
const undocumented = { tag: null, operationId: "", summary: "", problems: [] } satisfies Partial<Operation>

/** A page of the service itself. Its route adds access, path and what it reads. */
export const PAGE = { ...undocumented, method: "GET", successes: shown } satisfies Partial<Operation>

/** A form of such a page; its answer leads to another page. */
export const PAGE_FORM = {
  ...undocumented,
  method: "POST",
  contentType: FORM,
  successes: moved("The page that shows what the form has done"),
} satisfies Partial<Operation>

/** A form whose answer is a page: it shows a secret that was just made, or that there is nothing left to show. */
export const SHOWING_FORM = {
  ...PAGE_FORM,
  successes: { ...shown, ...PAGE_FORM.successes },
} satisfies Partial<Operation>
