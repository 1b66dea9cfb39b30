import { type BlogKey, blogOrigin, blogUrl, pageUrl, previewUrl } from "../addresses.ts"
import { openDb, openReplica } from "../db/client.ts"
import { isVisible } from "../db/visibility.ts"
import { listsOf } from "../edge/cache-policy.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { matchesEtag } from "../http/etag.ts"
import { findCounted } from "../http/find-counted.ts"
import { route } from "../http/route.ts"
import { canonicalLanguage } from "../language.ts"
import { MAX_COUNTED_PAGES, MOVED_CACHE_SECONDS, PREVIEW_TOKEN_CHARS } from "../limits.ts"
import { type Readable, readableLanguages, sourceText } from "../posts/post.ts"
import { hashBytes, isSecret } from "../tokens.ts"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { READER_POLICY } from "../ui/reader-headers.ts"
import { lastChange, renderAtom, renderJsonFeed, renderRss } from "./feed.ts"
import { renderHomePage } from "./home-page.tsx"
import { nameOfBlog } from "./layout.ts"
import { addressOf, renderListPage } from "./list-page.ts"
import { answerOldRoot } from "./old-address.ts"
import {
  FEED_NAMES,
  getAtomFeedOperation,
  getBlogOperation,
  getCategoryOperation,
  getHomeOperation,
  getJsonFeedOperation,
  getOldAddressOperation,
  getPageOperation,
  getPreviewOperation,
  getRobotsOperation,
  getRssFeedOperation,
  getSitemapIndexOperation,
  getSitemapOperation,
  getTagOperation,
  getTranslatedPageOperation,
  getTopicsOperation,
  getTranslatedPreviewOperation,
} from "./operations.ts"
import { requireOwnAddress, requireOwnHost } from "./own-address.ts"
import { type Page, renderPage } from "./page.ts"
import { findSitemap, listBlogs, listSitemapParts } from "./sitemap-store.ts"
import { renderRobots, renderSitemap, renderSitemapIndex, renderSitemapParts } from "./sitemap.ts"
import {
  type Blog,
  findBlog,
  findFeed,
  findListed,
  findPage,
  languageOf,
  type ListedPosts,
  type PageOfPost,
} from "./store.ts"
import { renderTopicsPage } from "./topics-page.ts"
import { findTopics } from "./topics-store.ts"

/** Returns the error of a page that does not exist, with a link to the blog where it could be. */
const missing = (c: AppContext, blog: Blog | null = null): ApiError => {
  const home = blog && { href: blogUrl(c.var.places, blog), name: nameOfBlog(blog) }
  return new ApiError("not_found", "There is no such page.", home ? { home } : {})
}

/** Answers a text with its hash as ETag, or 304: so each change of anything that it shows changes the ETag. */
const answerText = async (c: AppContext, text: string, type: string): Promise<Response> => {
  // Encoded once, for the hash and the body.
  const bytes = new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>
  const etag = `"${(await hashBytes(bytes)).slice(0, 32)}"`
  c.header("ETag", etag)
  c.header("Cache-Control", "public, max-age=0, must-revalidate")
  c.header("Content-Security-Policy", READER_POLICY)
  if (matchesEtag(c.req.header("If-None-Match"), etag)) return c.body(null, 304)
  return c.body(bytes, 200, { "Content-Type": `${type}; charset=utf-8` })
}

const answerHtml = async (c: AppContext, page: ReturnType<typeof renderPage>, lang: string): Promise<Response> => {
  c.header("Content-Language", lang)
  return answerText(c, (await page).toString(), "text/html")
}

const keyOf = (c: AppContext, author: string): BlogKey => {
  const { rootBlog, isBelowRoot } = c.var
  return rootBlog && isBelowRoot ? rootBlog : { username: author.replace(/^@/, "") }
}

/** Reads the published post of the path with its text in `lang`. @throws ApiError 404 */
const findPublished = async (
  c: AppContext,
  { author, slug }: { author: string; slug: string },
  lang: string | null,
): Promise<PageOfPost> => {
  const key = { blog: keyOf(c, author), slug }
  const { blog, page } = await findPage(openReplica(c.env.DB), key, lang, c.var.now)
  if (blog) requireOwnHost(c, blog)
  if (!page || !isVisible(page.post, c.var.now)) throw missing(c, blog)
  requireOwnAddress(c, page.blog, slug)
  return page
}

const textIn = (post: Readable, lang: string) =>
  post.texts.find(({ lang_code }) => lang_code === lang) ?? sourceText(post)

const answerPublished = (c: AppContext, found: PageOfPost, lang: string): Promise<Response> => {
  const { post, blog } = found
  const { places } = c.var
  const address: Page["address"] = (other) => pageUrl(places, blog, post.slug, other)
  return answerHtml(c, renderPage({ ...found, text: textIn(post, lang), places, address, isPreview: false }), lang)
}

/**
 * Answers a preview link: the text in `sent`, by default the source text. Once readers see the post, redirects to its page,
 * in that language if it has it.
 * @throws ApiError 404, 429
 */
const answerPreview = async (c: AppContext, token: string, sent?: string): Promise<Response> => {
  const { now, places } = c.var
  if (!isSecret(token, PREVIEW_TOKEN_CHARS)) throw missing(c)
  const lang = sent === undefined ? null : canonicalLanguage(sent)
  const found = await findCounted(c, "links", token, async () => {
    const known = await findPage(openDb(c.env.DB), { preview_token: token }, lang, now)
    return known.exists ? known : null
  })
  const page = found?.page
  if (!page) throw missing(c)
  const { blog, post } = page
  requireOwnHost(c, blog)
  const asked = sent === undefined ? post.primary_language : lang
  const shown = readableLanguages(post).find((code) => code === asked)
  if (isVisible(post, now))
    return c.redirect(pageUrl(places, blog, post.slug, shown === post.primary_language ? undefined : shown), 302)
  if (!shown) throw missing(c, blog)
  c.header("Content-Security-Policy", READER_POLICY)
  c.header("Content-Language", shown)
  const address: Page["address"] = (other) => previewUrl(places, blog, token, other)
  return c.html(renderPage({ ...page, text: textIn(post, shown), places, address, isPreview: true }))
}

type ListQuery = Pick<ListedPosts, "page" | "after" | "before"> & { lang: string | null }

/**
 * Answers a page of a blog's posts. An empty list is a 404, except for the first page of the blog itself.
 * @param sent the tag or category as the address has it: another spelling redirects to the list's own address
 */
const answerList = async (
  c: AppContext,
  list: Omit<ListedPosts, "page" | "after" | "before">,
  { lang, ...place }: ListQuery,
  sent?: string,
): Promise<Response> => {
  const listed = { ...list, ...place }
  const { places } = c.var
  const found = await findListed(openReplica(c.env.DB), listed, lang, c.var.now)
  if (!found) throw missing(c)
  const { blog } = found
  requireOwnAddress(c, blog)
  const isFound = listed.after !== undefined || listed.before !== undefined
  if (listed.page === 0 || (!isFound && listed.page > MAX_COUNTED_PAGES)) throw missing(c, found.blog)
  if (sent !== (listed.tag ?? listed.category))
    return c.redirect(addressOf({ listed, blog, places }, listed.page, lang), 308)
  // The post beside which the page is may be gone.
  if (found.entries.length === 0 && isFound)
    return c.redirect(addressOf({ listed, blog, places }, Math.min(listed.page, MAX_COUNTED_PAGES), lang), 302)
  const isFiltered = listed.tag !== undefined || listed.category !== undefined
  if (found.entries.length === 0 && (isFiltered || listed.page > 1)) throw missing(c, found.blog)
  const page = { ...found, listed, lang, places }
  return answerHtml(c, renderListPage(page), languageOf(page))
}

const FEEDS = {
  "feed.atom": { type: "application/atom+xml", render: renderAtom },
  "feed.rss": { type: "application/rss+xml", render: renderRss },
  "feed.json": { type: "application/feed+json", render: renderJsonFeed },
} as const

const answerFeed =
  (file: keyof typeof FEEDS) =>
  async (
    c: AppContext,
    { params, query: { lang } }: { params: { author: string }; query: { lang: string | null } },
  ): Promise<Response> => {
    const found = await findFeed(openReplica(c.env.DB), keyOf(c, params.author), lang, c.var.now)
    if (!found) throw missing(c)
    c.header("Access-Control-Allow-Origin", "*")
    requireOwnAddress(c, found.blog)
    const feed = { ...found, lang, places: c.var.places }
    const { type, render } = FEEDS[file]
    const changed = lastChange(feed)
    if (changed) c.header("Last-Modified", changed.toUTCString())
    return answerText(c, await render(feed), type)
  }

export const readerRoutes = [
  route(getHomeOperation, async (c) => {
    // With readers on an own origin, `/` there is not this page.
    const [blog, ...others] = await listBlogs(openReplica(c.env.DB), c.var.now, 2)
    const only = blog && others.length === 0 ? blogUrl(c.var.places, blog) : null
    return c.html(renderHomePage(only), 200, PAGE_HEADERS)
  }),

  route(getRobotsOperation, async (c) => {
    const { rootBlog, places } = c.var
    const blog = rootBlog && (await findBlog(openReplica(c.env.DB), rootBlog))
    if (rootBlog && !blog) throw missing(c)
    const origin = blog ? blogOrigin(places, blog) : places.readerOrigin
    const isForReaders = blog !== null || new URL(c.req.url).host === new URL(origin).host || places.origin === origin
    return answerText(c, renderRobots(origin, isForReaders), "text/plain")
  }),

  route(getSitemapIndexOperation, async (c) => {
    const blogs = await listBlogs(openReplica(c.env.DB), c.var.now)
    return answerText(c, renderSitemapIndex(c.var.places, blogs), "application/xml")
  }),

  route(
    getBlogOperation,
    async (c, { params, query }: { params: { author: string }; query: ListQuery }) =>
      (await answerOldRoot(c)) ?? answerList(c, { key: keyOf(c, params.author) }, query),
  ),

  route(getTopicsOperation, async (c, { params: { author } }) => {
    const found = await findTopics(openReplica(c.env.DB), keyOf(c, author), c.var.now)
    if (!found) throw missing(c)
    requireOwnAddress(c, found.blog)
    listsOf.set(c.req.raw, found.blog.username)
    return answerHtml(c, renderTopicsPage({ ...found, places: c.var.places }), found.blog.primary_language)
  }),

  route(getTagOperation, (c, { params: { author, tag: sent }, query }) => {
    const tag = sent.normalize("NFC").toLowerCase()
    return answerList(c, { key: keyOf(c, author), tag }, query, sent)
  }),

  route(getCategoryOperation, (c, { params: { author, category: sent }, query }) => {
    const category = sent.normalize("NFC")
    return answerList(c, { key: keyOf(c, author), category }, query, sent)
  }),

  route(getAtomFeedOperation, answerFeed("feed.atom")),
  route(getRssFeedOperation, answerFeed("feed.rss")),
  route(getJsonFeedOperation, answerFeed("feed.json")),

  route(getSitemapOperation, async (c, { params: { author }, query: { part } }) => {
    const [db, key] = [openReplica(c.env.DB), keyOf(c, author)]
    const found = await findSitemap(db, key, part, c.var.now)
    if (!found) throw missing(c)
    const { blog, pages } = found
    requireOwnAddress(c, blog)
    if (!pages && part !== undefined) throw missing(c, blog)
    listsOf.set(c.req.raw, blog.username)
    const { places, now } = c.var
    const text = pages
      ? renderSitemap(places, blog, pages)
      : renderSitemapParts(places, blog, await listSitemapParts(db, key, now))
    return answerText(c, text, "application/xml")
  }),

  route(getPageOperation, async (c, { params }) => {
    try {
      const found = await findPublished(c, params, null)
      return await answerPublished(c, found, found.post.primary_language)
    } catch (error) {
      const [blog, file] = [error instanceof ApiError && error.extra.home?.href, FEED_NAMES.get(params.slug)]
      if (!blog || !file) throw error
      // A post may get this slug.
      c.header("Cache-Control", `public, max-age=${MOVED_CACHE_SECONDS}`)
      return c.redirect(`${blog}${file}`, 301)
    }
  }),

  route(getTranslatedPageOperation, async (c, { params }) => {
    const lang = canonicalLanguage(params.lang_code)
    const found = await findPublished(c, params, lang)
    const { post, blog } = found
    if (!lang || !readableLanguages(post).includes(lang)) throw missing(c, blog)
    const isOwn = lang === post.primary_language
    if (isOwn || lang !== params.lang_code) {
      // The source language may change, and browsers keep a 308 permanently.
      c.header("Cache-Control", "no-cache")
      return c.redirect(pageUrl(c.var.places, blog, post.slug, isOwn ? undefined : lang), 308)
    }
    return answerPublished(c, found, lang)
  }),

  route(getOldAddressOperation, (c) => {
    throw missing(c)
  }),

  route(getPreviewOperation, (c, { params }) => answerPreview(c, params.token)),
  route(getTranslatedPreviewOperation, (c, { params }) => answerPreview(c, params.token, params.lang_code)),
]
