import * as z from "zod"

// The rules of JSON Feed 1.1 (jsonfeed.org/version/1.1), for the fields that this service writes. Other fields are errors.

const Text = z.string().min(1)
const Address = z.url({ protocol: /^https?$/ })
const Time = z.iso.datetime({ offset: true })
// Matches `pt-BR`. Does not match `pt_BR`.
const Language = z.string().regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/)

/** "These are all optional — but if you provide an author object, then at least one is required." */
const Author = z
  .strictObject({ name: Text.optional(), url: Address.optional() })
  .refine((author) => Object.keys(author).length > 0, "An author without a name and url.")
const Authors = z.array(Author).min(1)

const Item = z
  .strictObject({
    id: Address,
    url: Address,
    title: Text.optional(),
    content_html: Text.optional(),
    content_text: Text.optional(),
    summary: Text.optional(),
    image: Address.optional(),
    date_published: Time.optional(),
    date_modified: Time.optional(),
    authors: Authors.optional(),
    tags: z.array(Text).optional(),
    language: Language.optional(),
  })
  .refine(({ content_html, content_text }) => content_html ?? content_text, "Neither content_html nor content_text.")

/** A feed of this service: what the format requires, and `home_page_url`, `feed_url` and `url`, which it strongly recommends. */
export const JsonFeed = z.strictObject({
  version: z.literal("https://jsonfeed.org/version/1.1"),
  title: Text,
  home_page_url: Address,
  feed_url: Address,
  description: Text.optional(),
  authors: Authors.optional(),
  language: Language.optional(),
  items: z.array(Item).refine((items) => new Set(items.map(({ id }) => id)).size === items.length, "An id twice."),
})
