import type * as z from "zod"

import { pageUrl, previewUrl } from "../addresses.ts"
import { isScheduled, isVisible } from "../db/visibility.ts"
import type { AppContext } from "../http/context.ts"
import { viewImage } from "../images/image.ts"
import type { ListedPost, PostSummary, PostView, TranslationView } from "./operations.ts"
import { attachedImages, ownerOf, sourceText, type Post, readableLanguages, translationsOf, mapPlain } from "./post.ts"
import { without } from "./review.ts"
import { hasApproved, hasPending, isComplete, staleFields, type Text } from "./text.ts"

/** Who sees a post, where and when. */
export type Viewer = Pick<AppContext["var"], "places" | "now" | "key">

/** Returns the API path of a post. */
export const apiPath = (slug: string): string => `/api/blogcontroller/posts/${slug}/`

const viewTranslation = (post: Post, text: Text, { places, now }: Viewer): z.input<typeof TranslationView> => {
  const { lang_code } = text
  const isPublic = isVisible(post, now) && readableLanguages(post).includes(lang_code)
  return {
    lang_code,
    status: text.status,
    listed: post.translation_languages.includes(lang_code),
    stale: staleFields(text, sourceText(post)),
    edited: text.edited,
    title: text.title,
    approved: isComplete(text),
    pending: hasPending(text),
    url: isPublic ? pageUrl(places, ownerOf(post), post.slug, lang_code) : null,
    error: text.error,
    warnings: text.warnings,
    segments: { done: text.segments_done, total: text.segments_total },
    engine: text.engine,
    updated_at: text.updated_at.toISOString(),
  }
}

/** Returns a post's translations for the API: first those in the order of its list, then unlisted ones. */
export const viewTranslations = (post: Post, viewer: Viewer) => {
  const rank = ({ lang_code }: Text) => {
    const at = post.translation_languages.indexOf(lang_code)
    return at < 0 ? Infinity : at
  }
  const sorted = translationsOf(post).toSorted(
    (a, b) => rank(a) - rank(b) || a.lang_code.localeCompare(b.lang_code, "en"),
  )
  return sorted.map((text) => viewTranslation(post, text, viewer))
}

/** Returns what the answers and lists of posts have in common, with title and description of `text`. */
export const viewSummary = (
  post: Post,
  viewer: Viewer,
  text: Text = sourceText(post),
): z.input<typeof PostSummary> => ({
  slug: post.slug,
  url: isScheduled(post, viewer.now) ? null : pageUrl(viewer.places, ownerOf(post), post.slug),
  status: post.status,
  scheduled: isScheduled(post, viewer.now),
  author: post.author,
  categories: post.categories,
  tags: post.tags,
  primary_language: post.primary_language,
  translation_languages: post.translation_languages,
  lang_code: text.lang_code,
  title: text.title,
  meta_description: text.meta_description,
  images: attachedImages(post).map((image) => viewImage(image, post.author)),
  translations: viewTranslations(post, viewer),
  version: post.version,
  created_at: post.created_at.toISOString(),
  updated_at: post.updated_at.toISOString(),
  published_at: post.published_at?.toISOString() ?? null,
  changed_at: text.changed_at.toISOString(),
  listed: post.listed,
  cover_image_id: post.cover_image_id,
  ...mapPlain((field) => post[field]),
  translation_review: post.translation_review,
  image_ids: post.images.map(({ id }) => id),
})

/** Returns the JSON of a post in a list: its summary, and what a client compares to find changes in its texts. */
export const viewListed = (post: Post, viewer: Viewer): z.input<typeof ListedPost> => ({
  ...viewSummary(post, viewer),
  texts: Object.fromEntries(
    post.texts
      .filter(hasApproved)
      .map(({ lang_code, title, meta_description, body_sha256, edited, changed_at }) => [
        lang_code,
        { title, meta_description, body_sha256, edited, changed_at: changed_at.toISOString() },
      ]),
  ),
})

/** Returns the URL of the preview link of a post, while it works; null for keys that only read. */
export const previewOf = (post: Post, { places, now, key }: Viewer): string | null => {
  const { preview_token, preview_expires_at } = post
  const works = preview_token !== null && preview_expires_at !== null && preview_expires_at > now
  return works && key?.scope !== "read" ? previewUrl(places, ownerOf(post), preview_token) : null
}

/** Returns what of a text waits for approval; null if nothing does. */
export const viewPending = ({ pending_fields }: Text): z.input<typeof PostView>["pending"] =>
  pending_fields && without(pending_fields, ["body_sha256"])

/** Returns the JSON of a post, with title, body and HTML of `text`, by default the source text. */
export const viewPost = (post: Post, viewer: Viewer, text: Text = sourceText(post)): z.input<typeof PostView> => ({
  ...viewSummary(post, viewer, text),
  body: text.body,
  html: text.html,
  preview_url: previewOf(post, viewer),
})
