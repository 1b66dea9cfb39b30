import { requireUnrestricted, requireWriter } from "../accounts/store.ts"
import type { AppContext } from "../http/context.ts"
import type { Operation } from "../http/operation.ts"
import { sessionChecks } from "../sessions/authenticate.ts"
import { PAGE, PAGE_FORM, SHOWING_FORM } from "../ui/page.ts"

// Helpers that the routes of the author's pages share.

export const getPage = { ...PAGE, access: "author" } satisfies Partial<Operation>
export const postForm = { ...PAGE_FORM, access: "author" } satisfies Partial<Operation>
export const showingForm = { ...SHOWING_FORM, access: "author" } satisfies Partial<Operation>

/** Returns the statements that fail a batch as `sessionChecks`, and if the account may no longer write posts. */
export const writerChecks = (c: AppContext) => [...sessionChecks(c), requireWriter(c.var.account.id, new Date())]

/** Returns the statements that fail a batch as `sessionChecks`, and if the account is restricted: it still shows pages. */
export const settingsChecks = (c: AppContext) => [...sessionChecks(c), requireUnrestricted(c.var.account.id)]
