import type * as z from "zod"

import { isPaid } from "../accounts/account.ts"
import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import type { Write } from "../posts/commit.ts"
import { findPost } from "../posts/read-store.ts"
import { requireOwn, writeOf } from "../posts/write.ts"
import type { PostQuery } from "./input.ts"
import { textIn } from "./post-form.ts"
import { writerChecks } from "./route.ts"

// How the author's pages reach a post: who may write, the post itself, and the address of its page.

export const POSTS = "/settings/posts/"
/** The form that approves all translations into a language. Below `POSTS` it could be the address of a post. */
export const APPROVE_ALL = "/settings/translations/approve/"

/** Returns the write of a form that writes. @throws ApiError 403, as the API does */
export const writer = (c: AppContext): Write => {
  const { account, now } = c.var
  if (!isPaid(account, now)) throw new ApiError("subscription_required")
  if (account.restricted) throw new ApiError("account_restricted")
  return writeOf(c, { checks: writerChecks(c) })
}

/** Reads the author's post with its text in a language. @throws ApiError 404, 403 */
export const readOwn = async (c: AppContext, slug: string, lang?: string) => {
  const { post } = requireOwn(await findPost(openDb(c.env.DB), { slug }, { lang }), c.var)
  const code = lang ?? post.primary_language
  if (![post.primary_language, ...post.translation_languages].includes(code))
    throw new ApiError("not_found", "The post has no such language.")
  return { post, lang: code, text: textIn(post, code) }
}

/** Names what a form of a post's page has done. */
export type DoneCode = z.output<typeof PostQuery>["done"]

/** Returns the address of a post's page, which then tells what a form has done. */
export const doneAt = (slug: string, done: DoneCode & string, lang?: string): string => {
  const query = new URLSearchParams({ done, ...(lang !== undefined && { lang }) })
  return `${POSTS}${slug}/?${query.toString()}`
}

/** Tells whether a form was for a version that is no longer the newest. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === "version_conflict"
