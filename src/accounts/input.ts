import * as z from "zod"

import { slugify } from "../../packages/edgepost/src/folder/slugify.ts"
import { SCOPES, type Scope, TRANSLATION_REVIEWS } from "../db/schema.ts"
import { CleanText, codePoints, Day, Instant, PlainLine } from "../http/fields.ts"
import { ByLanguage, LanguageCode, LanguageCodes } from "../language.ts"
import {
  MAX_AUTHOR_NAME_CHARS,
  MAX_BLOG_DESCRIPTION_CHARS,
  MAX_BLOG_TITLE_CHARS,
  MAX_KEY_NAME_CHARS,
  MAX_TONE_CHARS,
} from "../limits.ts"

const Username = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,37}[a-z0-9])?$/, "1 to 39 of a-z, 0-9 and -, not at either end.")
  .meta({ example: "demo" })

export const UsernameParam = z.object({ username: Username })

/** The texts of an account that readers see; null for none. */
export const blogTexts = {
  blog_title: PlainLine(MAX_BLOG_TITLE_CHARS).nullable(),
  blog_description: PlainLine(MAX_BLOG_DESCRIPTION_CHARS).nullable(),
  author_name: PlainLine(MAX_AUTHOR_NAME_CHARS)
    .nullable()
    .meta({ description: "Who writes the posts that name no author themselves" }),
}

const TranslationTones = ByLanguage(
  PlainLine(MAX_TONE_CHARS),
  "Must be an object of one line for each language code.",
).meta({
  description:
    'How translations into each language should sound, such as `{"de": "Sie, formal"}`. Engines that are chat models get it',
})

/** The name of what happens to the machine translations of an account or post. */
export const TranslationReviewName = z.enum(TRANSLATION_REVIEWS, "Must be none or hold.")

const SCOPE_TEXTS: Record<Scope, string> = {
  publish: "everything",
  draft: "reads, uploads images, and writes drafts that stay drafts",
  read: "reads posts that readers can see",
}

const ScopeName = z.enum(SCOPES, `Must be one of ${SCOPES.join(", ")}.`).meta({
  description: Object.entries(SCOPE_TEXTS)
    .map(([scope, text]) => `\`${scope}\` ${text}`)
    .join("; "),
})

/** The name of an API key: `ci`, `my-extension`, not `-ci` or `CI`. */
const KeyName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, `1 to ${MAX_KEY_NAME_CHARS} of a-z, 0-9 and -, not at either end.`)
  .meta({ example: "github-actions" })

export const KeyInput = z
  .object({
    name: KeyName.default("default").meta({ description: "A live key with this name is revoked" }),
    scope: ScopeName.default("publish"),
    expires_at: Instant.nullish().meta({
      description:
        "When the key expires, in RFC 3339 with an offset; null for never. Without it, as the key that it replaces",
    }),
  })
  .meta({ id: "KeyInput" })
export type KeyInput = z.output<typeof KeyInput>

/** Returns a name as a key has it, `my-phone` of `My phone`, cut to the longest one. */
const toKeyName = (text: unknown): unknown =>
  typeof text === "string" && codePoints(text.trim()) <= MAX_KEY_NAME_CHARS
    ? slugify(text).slice(0, MAX_KEY_NAME_CHARS).replace(/-$/, "")
    : text

/** The form of a key: its name is made of any text, its expiry is a day, or empty for none, and the browser says which key it replaces. */
export const KeyForm = KeyInput.extend({
  name: z.preprocess(toKeyName, KeyName),
  expires_at: z.union([z.literal("").transform(() => null), Day]).optional(),
  /** The creation time of the key to replace, in milliseconds: `1795635206581`, not `-1`; empty without one. */
  replaced: z
    .string()
    .regex(/^\d{0,15}$/, "Open the page again.")
    .transform((text) => (text === "" ? null : new Date(Number(text)))),
})

/** The form that revokes a key; the browser says which one it has shown. */
export const RevokedKey = KeyForm.pick({ name: true, replaced: true }).partial({ replaced: true })

export const KeyNameParam = z.object({ name: KeyName })

const HOST_MESSAGE = "A host such as blog.ann.example: no scheme, port or path, and no number."

/** Tells whether a text is the name of a host with a domain, as URLs have it. Not `localhost`, `a.example:1`, `1.2.3.4`. */
const isHost = (text: string): boolean =>
  // Matches the last part of `a.example` and of `a.xn--p1ai`. Does not match that of `1.2.3.4`.
  /\.[a-z][a-z0-9-]*$/.test(text) && URL.canParse(`https://${text}`) && new URL(`https://${text}`).host === text

/** The host whose root is a blog: `blog.ann.example`; of `Bücher.example` its ASCII form. */
export const BlogHost = CleanText.transform((text) => text.trim().replace(/\.$/, ""))
  .transform((text) => (URL.canParse(`https://${text}`) ? new URL(`https://${text}`).href.slice(8, -1) : text))
  .refine(isHost, HOST_MESSAGE)
  .meta({ example: "blog.ann.example" })

const YesOrNo = z.boolean("Must be true or false.")

export const AccountChanges = z
  .object({
    paid_until: Instant.nullable().meta({
      description: "Until when the operator gives paid time, in RFC 3339 with an offset; null for none",
    }),
    restricted: YesOrNo,
    hidden: YesOrNo,
    primary_language: LanguageCode,
    translation_languages: LanguageCodes,
    translation_tones: TranslationTones,
    shows_translation_note: YesOrNo.meta({
      description: "Readers are told that a machine has translated the page, with a link to the original",
    }),
    translation_review: TranslationReviewName.meta({
      description: "`hold`: readers see machine translations once they are approved; `none`: at once",
    }),
    blog_host: BlogHost.nullable().meta({
      description:
        "The host at whose root the blog is; null for `/@<username>/`. It must be a custom domain of the Worker. `/@<username>/` then leads there",
    }),
    ...blogTexts,
  })
  .partial()
  .meta({ id: "AccountChanges", description: "Only what is sent changes." })
export type AccountChanges = z.output<typeof AccountChanges>
