import * as z from "zod"

import { refuse } from "./fields.ts"

/** Matches a ULID, `01ARZ3NDEKTSV4RRFFQ69G5FAV`. Does not match `a`. */
export const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/

const encode = (id: string): string => btoa(id).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

const decode = (cursor: string): string | null => {
  try {
    const id = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))
    return ULID.test(id) ? id : null
  } catch {
    return null
  }
}

/** Encodes the id of a page's last item as an opaque cursor. */
export const writeCursor = encode

/**
 * Returns the first `limit` items of a list that was read with a limit of `limit + 1`.
 * @returns `last`: the last item of the page if there is a next page, else undefined
 */
export const cutPage = <T>(found: T[], limit: number): { page: T[]; last: T | undefined } => {
  const page = found.slice(0, limit)
  return { page, last: found.length > limit ? page.at(-1) : undefined }
}

/** A cursor of `writeCursor`, decoded to the id. */
export const Cursor = z.string().transform((cursor, ctx) => {
  const id = decode(cursor)
  if (id) return id
  refuse(ctx, "invalid", "Not a cursor of an earlier page.")
  return z.NEVER
})
