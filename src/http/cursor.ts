import * as z from "zod"

import { refuse } from "./fields.ts"

const encode = (id: string): string => btoa(id).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

const decode = (cursor: string): string | null => {
  try {
    const id = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"))
    return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id) ? id : null
  } catch {
    return null
  }
}

/** The opaque cursor of a page: where it ended. */
export const writeCursor = encode

/** A page of what was found, which is one more than `limit` when there is a next page: then `last` is where this one ends. */
export const cutPage = <T>(found: T[], limit: number): { page: T[]; last: T | undefined } => {
  const page = found.slice(0, limit)
  return { page, last: found.length > limit ? page.at(-1) : undefined }
}

/** Reads a cursor that an earlier page gave. */
export const Cursor = z.string().transform((cursor, ctx) => {
  const id = decode(cursor)
  if (id) return id
  refuse(ctx, "invalid", "Not a cursor of an earlier page.")
  return z.NEVER
})
