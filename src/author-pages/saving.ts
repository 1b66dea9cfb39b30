import { type AuthorSettings, withLanguages } from "../accounts/account.ts"
import { findAccount, updateAccount } from "../accounts/store.ts"
import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { keepTyped } from "../ui/keep-typed.ts"
import { changesOf, unsavedOf } from "../ui/seen.ts"
import { settingsChecks } from "./route.ts"

/**
 * Returns the handler of a form of settings. It saves those of the values in `toTyped` that differ from what the form has shown,
 * if none of them was saved with another value meanwhile.
 * @param saved the address to which it then leads
 * @param show renders the page of the form, if it is refused
 */
export const saving = <Form extends { seen?: Partial<AuthorSettings> | undefined }>(
  toTyped: (form: Omit<Form, "seen">) => Partial<AuthorSettings>,
  saved: string,
  show: Parameters<typeof keepTyped>[1],
) =>
  keepTyped(async (c: AppContext, { seen, ...form }: Form) => {
    const { account, now } = c.var
    const db = openDb(c.env.DB)
    let changes = changesOf<Partial<AuthorSettings>>(seen ?? account, withLanguages(toTyped(form), account))
    const isSaved = () => Object.keys(changes.to).length === 0
    const save = () => updateAccount(db, account.id, { ...changes, now, extraStatements: settingsChecks(c) })
    if (!isSaved() && !(await save())) {
      const stored = await findAccount(db, account.username)
      if (!stored) throw new ApiError("sign_in_required")
      c.set("account", stored)
      changes = unsavedOf(changes, stored)
      // The others have saved the same as this form.
      if (!isSaved() && !(await save())) throw new ApiError("version_conflict")
    }
    return c.redirect(saved, 303)
  }, show)
