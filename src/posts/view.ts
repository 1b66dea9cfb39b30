import type * as z from "zod"

import { mediaPath } from "../images/image.ts"
import { sourceText, type Post, readableLanguages, translationsOf } from "./post.ts"
import type { PostSummary, PostView, TranslationView } from "./schema.ts"
import { staleFields, type Text } from "./text.ts"

/** Returns the absolute URL of a post's public page, in its source language or in `lang`. @param origin of readers' pages */
export const pageUrl = (origin: string, { author, slug }: Pick<Post, "author" | "slug">, lang?: string): string =>
  `${origin}/@${author}/${slug}/${lang ? `${lang}/` : ""}`

const viewTranslation = (post: Post, text: Text, origin: string): z.input<typeof TranslationView> => {
  const { lang_code } = text
  const isPublic = post.status === "PB" && readableLanguages(post).includes(lang_code)
  return {
    lang_code,
    status: text.status,
    listed: post.translation_languages.includes(lang_code),
    stale: staleFields(text, sourceText(post)),
    edited: text.edited,
    title: text.title,
    url: isPublic ? pageUrl(origin, post, lang_code) : null,
    error: text.error,
    warnings: text.warnings,
    segments: { done: text.segments_done, total: text.segments_total },
    engine: text.engine,
    updated_at: text.updated_at.toISOString(),
  }
}

/** Returns a post's translations for the API: first those in the order of its list, then unlisted ones. @param origin of readers' pages */
export const viewTranslations = (post: Post, origin: string) => {
  const rank = ({ lang_code }: Text) => {
    const at = post.translation_languages.indexOf(lang_code)
    return at < 0 ? Infinity : at
  }
  const sorted = translationsOf(post).toSorted(
    (a, b) => rank(a) - rank(b) || a.lang_code.localeCompare(b.lang_code, "en"),
  )
  return sorted.map((text) => viewTranslation(post, text, origin))
}

/** Returns the JSON of a post in lists, with title and description of `text`, without body and HTML. @param origin of readers' pages */
export const viewSummary = (
  post: Post,
  origin: string,
  text: Text = sourceText(post),
): z.input<typeof PostSummary> => ({
  slug: post.slug,
  url: pageUrl(origin, post),
  status: post.status,
  author: post.author,
  categories: post.categories,
  tags: post.tags,
  primary_language: post.primary_language,
  translation_languages: post.translation_languages,
  lang_code: text.lang_code,
  title: text.title,
  meta_description: text.meta_description,
  images: post.images.map(({ id, width, height }) => ({
    image_id: id,
    image_url: mediaPath(post.author, id),
    width,
    height,
  })),
  translations: viewTranslations(post, origin),
  version: post.version,
  created_at: post.created_at.toISOString(),
  updated_at: post.updated_at.toISOString(),
  published_at: post.published_at?.toISOString() ?? null,
})

/** Returns the JSON of a post, with title, body and HTML of `text`, by default the source text. @param origin of readers' pages */
export const viewPost = (post: Post, origin: string, text: Text = sourceText(post)): z.input<typeof PostView> => ({
  ...viewSummary(post, origin, text),
  body: text.body,
  html: text.html,
})
