import { ulid } from "ulid"

import { ApiError, fieldError } from "../http/errors.ts"
import { MAX_SLUG_CHARS } from "../limits.ts"
import { findTakenSlugs } from "./read-store.ts"
import type { WriteContext } from "./write-context.ts"

// The error of a slug that is taken, with a similar one that is free.

/** Returns similar slugs: with `-2`, `-3`, …, and one with a unique id. */
const similarSlugs = (slug: string, now: Date): string[] => {
  // Matches the last hyphen of `my-`. Does not match that of `my-post`.
  const stem = (length: number) => slug.slice(0, length).replace(/-$/, "")
  const numbered = [...Array(20).keys()].map((i) => `${stem(MAX_SLUG_CHARS - 3)}-${i + 2}`)
  return [...numbered, `${stem(100)}-${ulid(now.getTime()).toLowerCase()}`]
}

/** Returns the error of a slug that is taken; `suggested_slug` in it is free. */
export const duplicateSlug = async ({ db, account, now }: WriteContext, slug: string): Promise<ApiError> => {
  const similar = similarSlugs(slug, now)
  const taken = await findTakenSlugs(db, [slug, ...similar])
  const suggested_slug = similar.find((candidate) => !taken.some((post) => post.slug === candidate)) ?? ""
  const isOwn = taken.some((post) => post.slug === slug && post.account_id === account.id)
  const message = isOwn
    ? `You already have a post at ${slug}: change it with PATCH, or create another at ${suggested_slug}.`
    : `The slug ${slug} is taken. ${suggested_slug} is free.`
  return fieldError("slug", "duplicate_slug", message, { suggested_slug })
}

/** Returns the free slug that the error of a taken one names; undefined for other errors. */
export const freeSlugIn = (error: unknown): string | undefined =>
  error instanceof ApiError && error.code === "duplicate_slug" ? error.extra.suggested_slug : undefined
