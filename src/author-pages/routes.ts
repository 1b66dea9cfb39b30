import type * as z from "zod"

import type { AuthorSettings } from "../accounts/account.ts"
import { KeyForm, RevokedKey } from "../accounts/input.ts"
import { listKeys, revokeKey } from "../accounts/key-store.ts"
import { makeKey } from "../accounts/key.ts"
import type { KeysProps } from "../accounts/keys.tsx"
import { listLiveSubscriptionIds } from "../billing/store.ts"
import { openDb } from "../db/client.ts"
import { eraseAccount } from "../erase-account.ts"
import { ExportQuery } from "../export/input.ts"
import { cutParts } from "../export/part.ts"
import { countPosts, listPostSizes } from "../export/store.ts"
import type { AppContext } from "../http/context.ts"
import { fieldError } from "../http/errors.ts"
import { countExpensive } from "../http/rate-limit.ts"
import { route } from "../http/route.ts"
import { isUnknownLanguage, unknownLanguageMessage } from "../language.ts"
import { EXPORT_PARTS_PAGE_SIZE, MAX_EXPORT_POSTS, MAX_TRANSLATION_LANGUAGES } from "../limits.ts"
import { clearSessionCookie, isRecent, sessionChecks } from "../sessions/authenticate.ts"
import { listPasskeys } from "../sessions/passkey-store.ts"
import { deleteSession, deleteSessions } from "../sessions/store.ts"
import type { RefusedForm } from "../ui/form.tsx"
import { keepTyped } from "../ui/keep-typed.ts"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { SETTINGS_SAVED, SHOWING_FORM } from "../ui/page.ts"
import { renderErased, renderErasure, renderParts } from "./export-page.tsx"
import { BlogForm, EndedSession, Erasure, KeysQuery, LanguagesForm, SettingsQuery, SignOutEverywhere } from "./input.ts"
import { renderKeys } from "./keys-page.tsx"
import { getPage, postForm, settingsChecks } from "./route.ts"
import { saving } from "./saving.ts"
import { renderSettings } from "./settings-page.tsx"
import { readSettings } from "./settings.ts"
import { renderSignOutEverywhere } from "./sign-out-page.tsx"

const showErasure = async (c: AppContext, refused?: RefusedForm) => {
  const { account } = c.var
  const db = openDb(c.env.DB)
  const [posts, subscriptions] = await Promise.all([
    countPosts(db, account.id),
    listLiveSubscriptionIds(db, account.id),
  ])
  return renderErasure({ account, posts, isSubscribed: subscriptions.length > 0, refused })
}

const KEYS = "/settings/keys/"
/** The page of keys after a form that has changed nothing. */
const UNCHANGED = `${KEYS}?unchanged=1`
const SIGN_OUT = "/settings/sessions/end-all/"

type KeyOutcome = Pick<KeysProps, "refused" | "newKey" | "isUnchanged">

const showKeys = async (c: AppContext, outcome: KeyOutcome = {}) => {
  const { account, session, now } = c.var
  const keys = await listKeys(openDb(c.env.DB), account.id)
  const signInAgain = isRecent(session, now) ? undefined : `${KEYS}again/`
  return renderKeys({ account, now, keys, path: KEYS, signInAgain, ...outcome })
}

const showSettings = async (c: AppContext, refused: RefusedForm) =>
  renderSettings({ ...(await readSettings(c)), refused })

/** Returns the languages of the form, with the one that is added. @throws ApiError 400 if they are too many */
const withAdded = ({
  added_language,
  ...languages
}: Omit<z.output<typeof LanguagesForm>, "seen">): Partial<AuthorSettings> => {
  const codes = [...languages.translation_languages, ...(added_language ? [added_language] : [])]
  if (added_language && isUnknownLanguage(added_language))
    throw fieldError("added_language", "unknown_language", unknownLanguageMessage(added_language))
  if (codes.length > MAX_TRANSLATION_LANGUAGES)
    throw fieldError(
      "added_language",
      "validation_error",
      `At most ${MAX_TRANSLATION_LANGUAGES} languages. Remove one first.`,
    )
  return { ...languages, translation_languages: codes }
}

export const blogSettingsRoutes = [
  route({ ...getPage, path: "/settings/", query: SettingsQuery }, async (c, { query: { saved } }) =>
    c.html(renderSettings({ ...(await readSettings(c)), isSaved: saved !== undefined }), 200, PAGE_HEADERS),
  ),

  route({ ...getPage, path: KEYS, query: KeysQuery }, async (c, { query: { unchanged } }) =>
    c.html(await showKeys(c, { isUnchanged: unchanged !== undefined }), 200, PAGE_HEADERS),
  ),

  route(
    { ...SHOWING_FORM, access: "recent-author", path: KEYS, body: KeyForm, checksAuthorFirst: true },
    keepTyped(
      async (c, { replaced, ...input }: z.output<typeof KeyForm>) => {
        const { account, now } = c.var
        const options = { replaced, extraStatements: settingsChecks(c) }
        const newKey = await makeKey(openDb(c.env.DB), account, input, now, options)
        // A form that is sent twice or is outdated must not revoke a key that the author has not seen.
        return newKey ? c.html(await showKeys(c, { newKey }), 200, PAGE_HEADERS) : c.redirect(UNCHANGED, 303)
      },
      (c, refused) => showKeys(c, { refused }),
    ),
  ),

  // Leads back to the forms, if need be by a new sign-in.
  route({ ...getPage, access: "recent-author", path: `${KEYS}again/` }, (c) => c.redirect(KEYS, 303)),

  route({ ...postForm, path: `${KEYS}revoke/`, body: RevokedKey }, async (c, { body: { name, replaced } }) => {
    const { account, now } = c.var
    const options = { replaced, extraStatements: sessionChecks(c) }
    const isRevoked = await revokeKey(openDb(c.env.DB), account.id, name, now, options)
    return c.redirect(isRevoked ? KEYS : UNCHANGED, 303)
  }),

  route(
    { ...postForm, path: "/settings/languages/", body: LanguagesForm, checksAuthorFirst: true },
    saving<z.output<typeof LanguagesForm>>(withAdded, SETTINGS_SAVED, showSettings),
  ),
  route(
    { ...postForm, path: "/settings/blog/", body: BlogForm, checksAuthorFirst: true },
    saving<z.output<typeof BlogForm>>((blog) => blog, SETTINGS_SAVED, showSettings),
  ),

  route({ ...postForm, path: "/settings/sessions/end/", body: EndedSession }, async (c, { body }) => {
    await deleteSession(openDb(c.env.DB), body.session, c.var.account.id, sessionChecks(c))
    return c.redirect(SETTINGS_SAVED, 303)
  }),

  route({ ...getPage, path: SIGN_OUT }, async (c) => {
    const { account } = c.var
    const db = openDb(c.env.DB)
    const [keys, passkeys] = await Promise.all([listKeys(db, account.id), listPasskeys(db, account.id)])
    return c.html(renderSignOutEverywhere({ account, keys, passkeys }), 200, PAGE_HEADERS)
  }),

  route({ ...postForm, path: SIGN_OUT, body: SignOutEverywhere }, async (c, { body }) => {
    await deleteSessions(openDb(c.env.DB), c.var.account.id, body, c.var.now, sessionChecks(c))
    clearSessionCookie(c, "author")
    return c.redirect("/sign-in/", 303)
  }),

  route(
    { ...getPage, path: "/settings/export/parts/", query: ExportQuery },
    async (c, { query: { cursor: after, part: first = 1 } }) => {
      const { account } = c.var
      await countExpensive(c, "exports")
      const limit = EXPORT_PARTS_PAGE_SIZE * MAX_EXPORT_POSTS + 1
      const found = await listPostSizes(openDb(c.env.DB), account.id, { after, limit })
      const parts = cutParts(after, found, EXPORT_PARTS_PAGE_SIZE)
      return c.html(renderParts({ account, parts, first }), 200, PAGE_HEADERS)
    },
  ),

  route({ ...getPage, access: "recent-author", path: "/settings/erase/" }, async (c) =>
    c.html(await showErasure(c), 200, PAGE_HEADERS),
  ),

  route(
    { ...SHOWING_FORM, access: "recent-author", path: "/settings/erase/", body: Erasure, checksAuthorFirst: true },
    keepTyped(async (c, { username }: z.output<typeof Erasure>) => {
      const { account } = c.var
      if (username !== account.username)
        throw fieldError("username", "validation_error", `Type ${account.username}, the name of this account.`)
      const subscriptions = await eraseAccount(c, account, ...sessionChecks(c))
      clearSessionCookie(c, "author")
      return c.html(renderErased(account.username, subscriptions.length > 0), 200, PAGE_HEADERS)
    }, showErasure),
  ),
]
