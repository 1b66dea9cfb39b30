import * as z from "zod"

import { CleanText, codePoints, ListOf, refuse, SLUG } from "../http/fields.ts"
import type { Operation } from "../http/operation.ts"
import { MAX_OLD_PATH_CHARS, MAX_REDIRECTS, MAX_REDIRECTS_BYTES, MAX_SOURCE_CHARS } from "../limits.ts"

/** A path with or without a query: `/2023/09/apples/`, `/?p=12`. Not `//host/`, `/\host`, `apples`. */
const Path = CleanText.superRefine((text, ctx) => {
  // Matches `/a/`. Does not match `//a`, `/a\b`, and what URLs leave out: `/` with a tab after it.
  if (!/^\/(?!\/)[^\s\\\p{Cc}]*$/u.test(text))
    refuse(
      ctx,
      "invalid",
      "Must be a path that begins with one slash, without spaces, backslashes and control characters.",
    )
  else if (codePoints(text) > MAX_OLD_PATH_CHARS)
    refuse(ctx, "too_long", `At most ${MAX_OLD_PATH_CHARS} characters; this has ${codePoints(text)}.`)
})

const Redirect = z.object({
  from: Path.meta({
    description: "The old address: a path, with a query if it is told apart by that, such as `/?p=12`",
  }),
  to: z
    .union([CleanText.regex(SLUG), Path], "Must be the slug of a post or a path that begins with one slash.")
    .meta({ description: "The slug of a post, or a path of the blog's host" }),
})

const Source = z.string().min(1).max(MAX_SOURCE_CHARS).meta({
  description: "The mark of the client that keeps these redirects, such as `github:ann/blog`",
  example: "a-script",
})

const operation = { access: "key", tag: "Account", path: "/api/blogcontroller/account/redirects/" } as const

export const putRedirectsOperation = {
  ...operation,
  operationId: "putRedirects",
  method: "PUT",
  summary: "Replace the redirects from old addresses that a client keeps",
  description: `A GET of such an address on the blog's own host is answered with 301, if the blog has no page there. An account has at most ${MAX_REDIRECTS} redirects. Those with another \`source\` stay.`,
  query: z.object({ source: Source }),
  body: z.object({
    redirects: ListOf(Redirect, MAX_REDIRECTS, "Must be an array of objects with `from` and `to`."),
  }),
  bodyLimit: MAX_REDIRECTS_BYTES,
  example: { redirects: [{ from: "/2023/09/apples/", to: "apples" }] },
  successes: {
    200: {
      description: "Replaced",
      schema: z.object({
        success: z.literal(true),
        redirects: z.int().meta({ description: "The number of redirects with this source." }),
      }),
    },
  },
  problems: ["validation_error", "invalid_json"],
} satisfies Operation

export const listRedirectsOperation = {
  ...operation,
  operationId: "listRedirects",
  method: "GET",
  isPrivate: true,
  summary: "List the redirects from old addresses",
  query: z.object({ source: Source.optional() }),
  successes: {
    200: {
      description: "The redirects, in the order of their addresses",
      schema: z.object({
        success: z.literal(true),
        redirects: z.array(z.object({ from: z.string(), to: z.string(), source: z.string() })),
      }),
    },
  },
  problems: ["validation_error"],
} satisfies Operation
