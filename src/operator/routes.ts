import type * as z from "zod"

import { asOperator, newAccount } from "../accounts/account.ts"
import { type Action, insertAction, listActions } from "../accounts/audit-log-store.ts"
import { KeyForm, RevokedKey } from "../accounts/input.ts"
import { revokeKey } from "../accounts/key-store.ts"
import { makeKey } from "../accounts/key.ts"
import { insertAccount, updateAccount } from "../accounts/store.ts"
import { queryOf, readBoard } from "../author-pages/board.ts"
import { openDb } from "../db/client.ts"
import type { Account } from "../db/schema.ts"
import { purgeAccount } from "../edge/purge.ts"
import type { AppContext } from "../http/context.ts"
import { cutPage, writeCursor } from "../http/cursor.ts"
import { fieldError } from "../http/errors.ts"
import type { Operation } from "../http/operation.ts"
import { countAttempt } from "../http/rate-limit.ts"
import { type Route, route } from "../http/route.ts"
import { OPERATOR_PAGE_SIZE } from "../limits.ts"
import { writeOf } from "../posts/write.ts"
import { closeSession, openSession, sessionChecks } from "../sessions/authenticate.ts"
import { makeSignInLink } from "../sessions/invite.ts"
import { insertSession } from "../sessions/store.ts"
import { hashSecret } from "../tokens.ts"
import { resumeTranslations } from "../translations/queue.ts"
import type { RefusedForm } from "../ui/form.tsx"
import { keepTyped } from "../ui/keep-typed.ts"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { PAGE, PAGE_FORM, SHOWING_FORM } from "../ui/page.ts"
import { unsavedOf } from "../ui/seen.ts"
import { renderAccount } from "./account-page.tsx"
import { renderAccounts, renderOperatorSignIn, renderAuditLog } from "./accounts-page.tsx"
import { isOperatorToken, NOT_THE_TOKEN, notTheOperator } from "./guard.ts"
import {
  AccountParam,
  AccountQuery,
  PostsQuery,
  AccountsQuery,
  Flag,
  HostForm,
  NewAccount,
  PaidUntil,
  SeenLink,
  Slug,
  Token,
  AuditLogQuery,
} from "./input.ts"
import { accountPath } from "./layout.tsx"
import { renderPosts } from "./posts-page.tsx"
import {
  extended,
  hostTaken,
  keyAction,
  pathAccount,
  readAccountFacts,
  requireForeignHost,
  unpublish,
} from "./request.ts"
import { listAccounts } from "./store.ts"

const ACCOUNT = "/operator/accounts/:username/"

type ShownAccounts = z.output<typeof AccountsQuery> & { refused?: RefusedForm }

const byPage = (action: string, username: string | null, detail = ""): Action => {
  return { action, username, detail, via: "page" }
}

/** Redirects to the account's page, which tells whether the form has changed something. */
const afterChange = (c: AppContext, username: string, isChanged: boolean) =>
  c.redirect(`${accountPath(username)}?${isChanged ? "saved" : "unchanged"}=1`, 303)

const showAccounts = async (c: AppContext, { prefix, cursor, refused }: ShownAccounts) => {
  const found = await listAccounts(openDb(c.env.DB), { prefix, cursor, limit: OPERATOR_PAGE_SIZE })
  const { page, last } = cutPage(found, OPERATOR_PAGE_SIZE)
  return renderAccounts({ accounts: page, prefix, nextCursor: last?.username ?? null, refused })
}

type Paid = Pick<Account, "paid_until">
type Hosted = Pick<Account, "blog_host">
type Username = z.output<typeof AccountParam>

const showRefused = async (c: AppContext, refused: RefusedForm, params: Username) =>
  renderAccount({ ...(await readAccountFacts(c, await pathAccount(c, params))), refused })

const getPage = { ...PAGE, access: "operator-page" } satisfies Partial<Operation>
const postForm = { ...PAGE_FORM, access: "operator-page" } satisfies Partial<Operation>
const accountForm = { ...postForm, params: AccountParam }

/** Returns the time of a form's write, and the check of its session. */
const writing = (c: AppContext) => ({ now: c.var.now, extraStatements: sessionChecks(c) })

/** Returns the route of a form that sets a flag of an account. */
const setFlag = (flag: "restricted" | "hidden"): Route =>
  route({ ...accountForm, path: `${ACCOUNT}${flag}/`, body: Flag }, async (c, { params, body: { value } }) => {
    const { id, username } = await pathAccount(c, params)
    const action = byPage(`set_${flag}`, username, String(value))
    const change = { from: { [flag]: !value }, to: { [flag]: value }, action }
    const isChanged = await updateAccount(openDb(c.env.DB), id, { ...change, ...writing(c) })
    if (isChanged) resumeTranslations(c, id)
    if (flag === "hidden" && value) purgeAccount(c, username)
    return afterChange(c, username, isChanged)
  })

/** Returns the route of a form that turns a post into a draft. @param answer leads to a page that tells the result */
const unpublishing = (path: string, answer: typeof afterChange): Route =>
  route({ ...accountForm, path, body: Slug }, async (c, { params, body: { slug } }) => {
    const account = await pathAccount(c, params)
    const checks = [
      ...sessionChecks(c),
      insertAction(openDb(c.env.DB), byPage("unpublish_post", account.username, slug), c.var.now),
    ]
    return answer(c, account.username, await unpublish(writeOf(c, { account, checks }), slug))
  })

export const operatorPageRoutes = [
  route({ ...getPage, access: "page", path: "/operator/sign-in/" }, (c) =>
    c.html(renderOperatorSignIn(), 200, PAGE_HEADERS),
  ),

  route({ ...postForm, access: "page", path: "/operator/sign-in/", body: Token }, async (c, { body: { token } }) => {
    await countAttempt(c, "operator")
    if (!(await isOperatorToken(c, token))) throw notTheOperator(NOT_THE_TOKEN)
    const db = openDb(c.env.DB)
    await openSession(c, "operator", async (session) => {
      const entry = insertAction(db, byPage("sign_in", null, session.user_agent), c.var.now)
      await insertSession(db, { ...session, account_id: null, token_hash: await hashSecret(token) }, [entry])
      return "operator"
    })
    return c.redirect("/operator/", 303)
  }),

  route({ ...postForm, access: "page", path: "/operator/sign-out/" }, async (c) => {
    await closeSession(c, "operator")
    return c.redirect("/operator/sign-in/", 303)
  }),

  route({ ...getPage, path: "/operator/", query: AccountsQuery }, async (c, { query }) =>
    c.html(await showAccounts(c, query), 200, PAGE_HEADERS),
  ),

  route(
    { ...postForm, path: "/operator/accounts/", body: NewAccount, checksAuthorFirst: true },
    keepTyped(
      async (c, { username, paid_until }: z.output<typeof NewAccount>) => {
        const account: Account = { ...newAccount(username, c.var.now), ...(paid_until && asOperator({ paid_until })) }
        const detail = paid_until ? `paid_until: ${paid_until.toISOString()}` : ""
        const action = byPage("make_account", username, detail)
        if (!(await insertAccount(openDb(c.env.DB), account, action, sessionChecks(c))))
          throw fieldError(
            "username",
            "validation_error",
            "There is such an account already, or one that is being erased. Then try again in some minutes.",
          )
        return afterChange(c, username, true)
      },
      (c, refused) => showAccounts(c, { prefix: "", refused }),
    ),
  ),

  route({ ...getPage, path: ACCOUNT, params: AccountParam, query: AccountQuery }, async (c, { params, query }) => {
    const facts = await readAccountFacts(c, await pathAccount(c, params))
    const outcome = { isSaved: query.saved !== undefined, isUnchanged: query.unchanged !== undefined }
    return c.html(renderAccount({ ...facts, ...outcome }), 200, PAGE_HEADERS)
  }),

  route(
    { ...accountForm, successes: SHOWING_FORM.successes, path: `${ACCOUNT}sign-in-links/`, body: SeenLink },
    async (c, { params, body: { seen } }) => {
      const account = await pathAccount(c, params)
      const link = await makeSignInLink(openDb(c.env.DB), account, "page", c.var.now, {
        seen,
        extraStatements: sessionChecks(c),
      })
      // A form that is sent twice or is outdated must not make another link.
      if (!link) return afterChange(c, account.username, false)
      const facts = await readAccountFacts(c, account)
      return c.html(renderAccount({ ...facts, newLink: `${c.var.origin}${link.path}` }), 200, PAGE_HEADERS)
    },
  ),

  route(
    {
      ...accountForm,
      successes: SHOWING_FORM.successes,
      path: `${ACCOUNT}keys/`,
      body: KeyForm,
      checksAuthorFirst: true,
    },
    keepTyped(async (c, { replaced, ...input }: z.output<typeof KeyForm>, params: Username) => {
      const account = await pathAccount(c, params)
      const action = keyAction("make_key", account, input.name, "page")
      const options = { replaced, action, extraStatements: sessionChecks(c) }
      const newKey = await makeKey(openDb(c.env.DB), account, input, c.var.now, options)
      if (!newKey) return afterChange(c, account.username, false)
      return c.html(renderAccount({ ...(await readAccountFacts(c, account)), newKey }), 200, PAGE_HEADERS)
    }, showRefused),
  ),

  route(
    { ...accountForm, path: `${ACCOUNT}keys/revoke/`, body: RevokedKey },
    async (c, { params, body: { name, replaced } }) => {
      const account = await pathAccount(c, params)
      const action = keyAction("revoke_key", account, name, "page")
      const options = { replaced, action, extraStatements: sessionChecks(c) }
      return afterChange(c, account.username, await revokeKey(openDb(c.env.DB), account.id, name, c.var.now, options))
    },
  ),

  route(
    { ...accountForm, path: `${ACCOUNT}paid-until/`, body: PaidUntil, checksAuthorFirst: true },
    keepTyped(async (c, { seen, paid_until, months = 0 }: z.output<typeof PaidUntil>, params: Username) => {
      const { id, username } = await pathAccount(c, params)
      const to = paid_until ?? extended(seen, months, c.var.now)
      const action = byPage("set_paid_until", username, to.toISOString())
      const change = { from: { paid_until: seen }, to: asOperator({ paid_until: to }), action }
      const isChanged = await updateAccount(openDb(c.env.DB), id, { ...change, ...writing(c) })
      if (isChanged) resumeTranslations(c, id)
      if (!isChanged && paid_until)
        unsavedOf<Paid>({ from: { paid_until: seen }, to: { paid_until } }, await pathAccount(c, params))
      return afterChange(c, username, isChanged)
    }, showRefused),
  ),

  route(
    { ...accountForm, path: `${ACCOUNT}blog-host/`, body: HostForm, checksAuthorFirst: true },
    keepTyped(async (c, { seen, blog_host }: z.output<typeof HostForm>, params: Username) => {
      const { id, username } = await pathAccount(c, params)
      requireForeignHost(blog_host, c.var.places)
      const action = byPage("set_blog_host", username, blog_host ?? "")
      const change = { from: { blog_host: seen }, to: { blog_host }, action, ...writing(c) }
      const isChanged = await updateAccount(openDb(c.env.DB), id, change)
      const saved = isChanged ? null : await pathAccount(c, params)
      if (saved) unsavedOf<Hosted>({ from: { blog_host: seen }, to: { blog_host } }, { blog_host: saved.blog_host })
      if (saved && saved.blog_host !== blog_host) throw hostTaken()
      if (isChanged) purgeAccount(c, username)
      return afterChange(c, username, isChanged)
    }, showRefused),
  ),

  setFlag("restricted"),
  setFlag("hidden"),

  unpublishing(`${ACCOUNT}unpublish/`, afterChange),
  unpublishing(`${ACCOUNT}posts/unpublish/`, (c, username, isChanged) => {
    const query = new URLSearchParams(queryOf(c))
    query.set("done", isChanged ? "draft" : "unchanged")
    return c.redirect(`${accountPath(username)}posts/?${query.toString()}`, 303)
  }),

  route(
    { ...getPage, path: `${ACCOUNT}posts/`, params: AccountParam, query: PostsQuery },
    async (c, { params, query: { done, ...query } }) => {
      const account = await pathAccount(c, params)
      const board = await readBoard(c, account, query)
      return c.html(renderPosts({ account, ...board, query: queryOf(c), done }), 200, PAGE_HEADERS)
    },
  ),

  route(
    { ...getPage, path: "/operator/audit-log/", query: AuditLogQuery },
    async (c, { query: { username, cursor } }) => {
      const found = await listActions(openDb(c.env.DB), { username, cursor, limit: OPERATOR_PAGE_SIZE })
      const { page, last } = cutPage(found, OPERATOR_PAGE_SIZE)
      const next = last && new URLSearchParams({ ...(username && { username }), cursor: writeCursor(last.id) })
      return c.html(renderAuditLog({ actions: page, next: next ?? null }), 200, PAGE_HEADERS)
    },
  ),
]
