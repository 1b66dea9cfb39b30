import { sourceText, type Post, mapPlain } from "../posts/post.ts"
import { staleFields, type Text } from "../posts/text.ts"

// Characters that JSON strings allow but YAML 1.1 or 1.2 does not: matches U+2028, not `é`.
const UNSAFE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g

/** Writes a value as one line of YAML: JSON with these characters escaped. */
const yaml = (value: unknown): string =>
  JSON.stringify(value).replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Returns the front matter: what an import needs, and facts about the text in this instance. */
const fieldsOf = (post: Post, text: Text) => ({
  slug: post.slug,
  status: post.status,
  categories: post.categories,
  tags: post.tags,
  primary_language: post.primary_language,
  translation_languages: post.translation_languages,
  image_ids: post.images.map(({ id }) => id),
  lang_code: text.lang_code,
  own_language: text.lang_code === post.primary_language,
  title: text.title,
  meta_description: text.meta_description,
  edited: text.edited,
  stale: staleFields(text, sourceText(post)),
  engine: text.engine,
  version: post.version,
  created_at: post.created_at,
  updated_at: post.updated_at,
  published_at: post.published_at,
  changed_at: text.changed_at,
  listed: post.listed,
  translation_review: post.translation_review,
  cover_image_id: post.cover_image_id,
  ...mapPlain((field) => post[field]),
  text_updated_at: text.updated_at,
})

/** Returns one language of a post as a Markdown file: YAML front matter, then the unchanged body, if any. */
export const writeMarkdown = (post: Post, text: Text): string => {
  const lines = Object.entries(fieldsOf(post, text)).map(([name, value]) => `${name}: ${yaml(value)}`)
  return `---\n${lines.join("\n")}\n---\n${text.body ?? ""}`
}
