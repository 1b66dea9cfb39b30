import { openDb, openReplica } from "../db/client.ts"
import { isVisible } from "../db/visibility.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { route } from "../http/route.ts"
import { canonicalLanguage } from "../language.ts"
import { sourceText, type Readable, readableLanguages } from "../posts/post.ts"
import { findReadable } from "../posts/read-store.ts"
import { pageUrl, previewUrl } from "../posts/view.ts"
import { type Page, renderPage } from "./page.ts"
import { getPage, getPreview, getTranslatedPage, getTranslatedPreview } from "./schema.ts"

const POLICY = [
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation",
].join("; ")

const PREVIEW_HEADERS = [
  ["X-Robots-Tag", "noindex"],
  ["Cache-Control", "no-store"],
  // The address is the secret.
  ["Referrer-Policy", "no-referrer"],
] as const

const missing = () => new ApiError("not_found", "There is no such page.")

/** Reads the published post of the path with its text in `lang`. @throws ApiError 404 */
const findPublished = async (
  c: AppContext,
  { author, slug }: { author: string; slug: string },
  lang: string | null,
): Promise<Readable> => {
  const post = await findReadable(openReplica(c.env.DB), { slug }, lang)
  if (!post || post.hidden || !isVisible(post, c.var.now) || `@${post.author}` !== author) throw missing()
  return post
}

const answer = (c: AppContext, page: Omit<Page, "text">, lang: string): Response | Promise<Response> => {
  const text = page.post.texts.find(({ lang_code }) => lang_code === lang) ?? sourceText(page.post)
  c.header("Content-Security-Policy", POLICY)
  c.header("Content-Language", lang)
  return c.html(renderPage({ ...page, text }))
}

const answerPublished = (c: AppContext, post: Readable, lang: string): Response | Promise<Response> => {
  c.header("Cache-Control", "no-cache")
  return answer(c, { post, address: (other) => pageUrl(c.var.readerOrigin, post, other), isPreview: false }, lang)
}

/** Answers a preview link: the text in `sent`, by default the source text, until readers see the post. @throws ApiError 404 */
const answerPreview = async (c: AppContext, token: string, sent?: string): Promise<Response> => {
  const { now, readerOrigin } = c.var
  const lang = sent === undefined ? null : canonicalLanguage(sent)
  if (sent !== undefined && !lang) throw missing()
  const post = await findReadable(openDb(c.env.DB), { preview_token: token, now }, lang)
  const shown = post && (lang ?? post.primary_language)
  if (!post || !shown || post.hidden || !readableLanguages(post).includes(shown)) throw missing()
  for (const [name, value] of PREVIEW_HEADERS) c.header(name, value)
  if (isVisible(post, now)) return c.redirect(pageUrl(readerOrigin, post, lang ?? undefined), 302)
  return answer(c, { post, address: (other) => previewUrl(readerOrigin, token, other), isPreview: true }, shown)
}

export const readerRoutes = [
  route(getPage, async (c, { params }) => {
    const post = await findPublished(c, params, null)
    return answerPublished(c, post, post.primary_language)
  }),

  route(getTranslatedPage, async (c, { params }) => {
    const lang = canonicalLanguage(params.lang_code)
    if (!lang) throw missing()
    const post = await findPublished(c, params, lang)
    if (!readableLanguages(post).includes(lang)) throw missing()
    const isOwn = lang === post.primary_language
    if (isOwn || lang !== params.lang_code) {
      // The source language may change, and browsers keep a 308 permanently.
      c.header("Cache-Control", "no-cache")
      return c.redirect(pageUrl(c.var.readerOrigin, post, isOwn ? undefined : lang), 308)
    }
    return answerPublished(c, post, lang)
  }),

  route(getPreview, (c, { params }) => answerPreview(c, params.token)),
  route(getTranslatedPreview, (c, { params }) => answerPreview(c, params.token, params.lang_code)),
]
