import * as z from "zod"

import { BlogHost, UsernameParam } from "../accounts/input.ts"
import { BoardQuery } from "../author-pages/input.ts"
import { Cursor } from "../http/cursor.ts"
import { Day, refuse } from "../http/fields.ts"
import { MAX_SLUG_CHARS } from "../limits.ts"

const { username: Username } = UsernameParam.shape

const empty = z.literal("").transform(() => undefined)

export const Token = z.object({ token: z.string() })

export const NewAccount = z.object({ username: Username, paid_until: z.union([empty, Day]).optional() })

/** The paid time that the form showed, in milliseconds: `1795635206581`, not `soon`; empty if there was none. */
const SeenTime = z
  .string()
  .regex(/^(?:-?\d{1,15})?$/, "Open the account again.")
  .transform((text) => (text === "" ? null : new Date(Number(text))))

/** The new paid time: a day, or a number of months to add. */
export const PaidUntil = z
  .object({
    seen: SeenTime,
    paid_until: Day.optional(),
    months: z.enum(["1", "12"]).transform(Number).optional(),
  })
  .superRefine(({ paid_until, months }, ctx) => {
    if ((paid_until === undefined) === (months === undefined))
      refuse(ctx, "invalid", "Send a day or a number of months.", ["paid_until"])
  })

/** The form of a blog's host: the one that it showed, and the new one. Empty for none. */
export const HostForm = z.object({
  seen: z.string().transform((text) => text || null),
  blog_host: z.union([z.literal("").transform(() => null), BlogHost]),
})

/** The new value of a flag. */
export const Flag = z.object({ value: z.enum(["true", "false"]).transform((text) => text === "true") })

export const Slug = z.object({ slug: z.string().trim().min(1, "Name a post.").max(MAX_SLUG_CHARS) })

/** The id of the form's last sign-in link in the audit log: `01M8A3AA5KD57CEZ9SVQ8DMFQ1`, not `01m8`; or empty. */
export const SeenLink = z.object({
  seen: z
    .string()
    .regex(/^(?:[0-9A-Z]{26})?$/, "Open the account again.")
    .transform((text) => (text === "" ? null : text)),
})

export const AccountsQuery = z.object({
  prefix: z
    .string()
    .max(MAX_SLUG_CHARS)
    .transform((text) => text.trim().toLowerCase())
    .default(""),
  /** The last username of the previous page. */
  cursor: z.string().max(MAX_SLUG_CHARS).optional(),
})

/** A username of any form, because the account is looked up. */
export const AccountParam = z.object({ username: z.string() })

/** The outcome of the last form: it has changed something or nothing. */
export const AccountQuery = z.object({ saved: z.string().optional(), unchanged: z.string().optional() })

/** A page of the list of an account's posts. `done`: a form has just turned a post into a draft, or has changed nothing. */
export const PostsQuery = BoardQuery.extend({ done: z.enum(["draft", "unchanged"]).optional() })

export const AuditLogQuery = z.object({
  username: z.string().max(MAX_SLUG_CHARS).optional(),
  cursor: Cursor.optional(),
})
