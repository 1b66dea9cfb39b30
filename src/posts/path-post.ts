import type { Statement } from "../db/plain-sql.ts"
import type { AppContext } from "../http/context.ts"
import { sentText } from "../http/validate.ts"
import { canonicalLanguage } from "../language.ts"
import { type Loaded, selectPost, toPost } from "./read-store.ts"

// The post of a request's path, which is read in one batch with the key: each call of D1 is a trip.

/** Returns the statements that read the post of the path, with its body in the language of the query. */
export const selectPathPost = (c: AppContext): Statement[] =>
  selectPost({ slug: sentText(c, "param", "slug") }, canonicalLanguage(sentText(c, "query", "lang_code")) ?? "")

/** Gives the post of the path as it was read with the key: null if there is none, undefined if it was not read, or was given already. */
export type TakePathPost = () => Loaded["post"] | null | undefined

/** Returns what gives the post of the path once: after a lost race it has to be read again. */
export const pathPostOf = (c: AppContext): TakePathPost => {
  let rows = c.get("besideKey")
  return () => {
    const [post = [], texts = [], images = []] = rows ?? []
    const isRead = rows !== undefined
    rows = undefined
    return isRead ? toPost([post, texts, images]) : undefined
  }
}
