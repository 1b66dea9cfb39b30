import { openReplica } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { route } from "../http/route.ts"
import { canonicalLanguage } from "../language.ts"
import { sourceText, type Readable, readableLanguages } from "../posts/post.ts"
import { findReadable } from "../posts/store.ts"
import { pageUrl } from "../posts/view.ts"
import { renderPage } from "./page.ts"
import { getPage, getTranslatedPage } from "./schema.ts"

const POLICY = [
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation",
].join("; ")

const missing = () => new ApiError("not_found", "There is no such page.")

/** Reads the published post of the path with its text in `lang`. @throws ApiError 404 */
const findPublished = async (
  c: AppContext,
  { author, slug }: { author: string; slug: string },
  lang: string | null,
): Promise<Readable> => {
  const post = await findReadable(openReplica(c.env.DB), slug, lang)
  if (!post || post.hidden || post.status !== "PB" || `@${post.author}` !== author) throw missing()
  return post
}

const answer = (c: AppContext, post: Readable, lang: string): Response | Promise<Response> => {
  const text = post.texts.find(({ lang_code }) => lang_code === lang) ?? sourceText(post)
  return c.html(renderPage({ post, text, origin: c.var.readerOrigin }), 200, {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-cache",
    "Content-Language": lang,
  })
}

export const readerRoutes = [
  route(getPage, async (c, { params }) => {
    const post = await findPublished(c, params, null)
    return answer(c, post, post.primary_language)
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
    return answer(c, post, lang)
  }),
]
