import * as z from "zod"

import type { Operation } from "../http/operation.ts"
import { canonicalLanguage } from "../language.ts"

const AuthorParam = z.object({ author: z.string().meta({ description: "`@<username>`" }) })
const page = { method: "GET", access: "public", tag: "Pages", problems: ["not_found"] } satisfies Partial<Operation>

/** `/@{username}/` in Hono's syntax. Clients generated from the OpenAPI document escape the `@`. */
const blogPath = "/:author{(?:@|%40)[^/]+}/"
const postPath = `${blogPath}:slug/`

const LangQuery = z.object({
  lang: z
    .string()
    .optional()
    .transform((code) => (code === undefined ? null : canonicalLanguage(code)))
    .meta({ description: "The language of each post that has a text in it; other posts are in their source language" }),
})

const ListQuery = LangQuery.extend({
  page: z
    // Matches `2`. Does not match `0`, which no list has.
    .preprocess((text) => (/^[1-9]\d{0,5}$/.test(String(text)) ? Number(text) : 0), z.int())
    .default(1)
    .meta({ description: "The page of the list; the first if omitted", minimum: 1, maximum: 999_999 }),
  after: z
    .string()
    .optional()
    .meta({ description: "The slug of the last post of the page before, as its link to older posts has it" }),
  before: z
    .string()
    .optional()
    .meta({ description: "The slug of the first post of the page after, as its link to newer posts has it" }),
})

const CACHED = { ETag: "A hash of the answer" }
const NOT_MODIFIED = { 304: { description: "Not modified" } }
const shownAs = (contentType: string, description = "The page") => ({
  200: { description, contentType, headers: CACHED },
  ...NOT_MODIFIED,
})
const ELSEWHERE = {
  301: { description: "The blog has a host of its own", headers: { Location: "The page there" } },
}
/** The answers of a blog's page, which may be at another address. */
const ofBlog = (contentType: string, description?: string) => ({ ...shownAs(contentType, description), ...ELSEWHERE })
const html = ofBlog("text/html")
const list = {
  ...html,
  302: { description: "The post of `after` or `before` is gone", headers: { Location: "The page without it" } },
}
const moved = (description: string) => ({ 308: { description, headers: { Location: "The right address" } } })

export const getHomeOperation = {
  ...page,
  operationId: "getHome",
  path: "/",
  summary: "The page of this service; not on an origin for readers alone",
  successes: { 200: { description: "The page", contentType: "text/html" } },
} satisfies Operation

export const getRobotsOperation = {
  ...page,
  operationId: "getRobots",
  path: "/robots.txt",
  summary: "The rules for search engines",
  successes: shownAs("text/plain", "The file"),
} satisfies Operation

export const getSitemapIndexOperation = {
  ...page,
  operationId: "getSitemapIndex",
  path: "/sitemap.xml",
  summary: "The sitemaps of all blogs with a post that readers see",
  successes: shownAs("application/xml", "The file"),
} satisfies Operation

export const getBlogOperation = {
  ...page,
  operationId: "getBlog",
  path: blogPath,
  params: AuthorParam,
  query: ListQuery,
  summary: "A blog: its posts, the newest first",
  successes: list,
} satisfies Operation

export const getTopicsOperation = {
  ...page,
  operationId: "getTopics",
  path: `${blogPath}tags/`,
  params: AuthorParam,
  summary: "The categories and tags of a blog, each with the number of its posts",
  successes: html,
} satisfies Operation

export const getTagOperation = {
  ...page,
  operationId: "getTag",
  path: `${blogPath}tags/:tag/`,
  params: AuthorParam.extend({ tag: z.string() }),
  query: ListQuery,
  summary: "The posts of a blog with a tag",
  successes: { ...list, ...moved("Another spelling of the tag") },
} satisfies Operation

export const getCategoryOperation = {
  ...page,
  operationId: "getCategory",
  path: `${blogPath}categories/:category/`,
  params: AuthorParam.extend({ category: z.string() }),
  query: ListQuery,
  summary: "The posts of a blog in a category",
  successes: { ...list, ...moved("Another spelling of the category") },
} satisfies Operation

const feed = { ...page, params: AuthorParam, query: LangQuery }

export const getAtomFeedOperation = {
  ...feed,
  operationId: "getAtomFeed",
  path: `${blogPath}feed.atom`,
  summary: "The newest posts of a blog as Atom 1.0",
  successes: ofBlog("application/atom+xml", "The feed"),
} satisfies Operation

export const getRssFeedOperation = {
  ...feed,
  operationId: "getRssFeed",
  path: `${blogPath}feed.rss`,
  summary: "The newest posts of a blog as RSS 2.0",
  successes: ofBlog("application/rss+xml", "The feed"),
} satisfies Operation

export const getJsonFeedOperation = {
  ...feed,
  operationId: "getJsonFeed",
  path: `${blogPath}feed.json`,
  summary: "The newest posts of a blog as JSON Feed 1.1",
  successes: ofBlog("application/feed+json", "The feed"),
} satisfies Operation

export const getSitemapOperation = {
  ...page,
  operationId: "getSitemap",
  path: `${blogPath}sitemap.xml`,
  params: AuthorParam,
  query: z.object({
    part: z
      .string()
      .optional()
      .meta({ description: "The slug of the post at which a part begins, as the index of a large blog names it" }),
  }),
  summary: "The pages of a blog for search engines; over 50,000, the index of its parts",
  successes: ofBlog("application/xml", "The file"),
} satisfies Operation

/** Names under which people and programs look for a feed, each with the feed. A post with such a slug is found first. */
export const FEED_NAMES = new Map([
  ...["feed", "feed.xml", "atom.xml", "index.xml"].map((name) => [name, "feed.atom"] as const),
  ...["rss", "rss.xml"].map((name) => [name, "feed.rss"] as const),
])

export const getPageOperation = {
  ...page,
  operationId: "getPage",
  path: postPath,
  params: AuthorParam.extend({ slug: z.string() }),
  summary: "The public page of a published post",
  successes: {
    ...html,
    301: {
      description: "The blog has a host of its own, or the slug is a usual name of a feed",
      headers: { Location: "The page there, or the feed" },
    },
  },
} satisfies Operation

export const getTranslatedPageOperation = {
  ...page,
  operationId: "getTranslatedPage",
  path: `${postPath}:lang_code/`,
  params: AuthorParam.extend({ slug: z.string(), lang_code: z.string() }),
  summary: "The page in another language",
  successes: { ...html, ...moved("The source language, or another spelling of the code") },
} satisfies Operation

export const getOldAddressOperation = {
  ...page,
  operationId: "getOldAddress",
  path: `${blogPath}:rest{.+}`,
  params: AuthorParam.extend({ rest: z.string().meta({ description: "A path of any depth" }) }),
  summary: "An address that the blog had before",
  successes: { 301: { description: "The account has a redirect for it", headers: { Location: "The post or page" } } },
} satisfies Operation

const preview = {
  ...page,
  problems: ["not_found", "rate_limited"],
  params: z.object({ token: z.string() }),
  successes: {
    200: { description: "The page", contentType: "text/html" },
    302: { description: "Readers see the post", headers: { Location: "Its page" } },
  },
} satisfies Partial<Operation>

export const getPreviewOperation = {
  ...preview,
  operationId: "getPreview",
  path: "/preview/:token/",
  summary: "A draft or scheduled post, for anyone with the link",
} satisfies Operation

export const getTranslatedPreviewOperation = {
  ...preview,
  operationId: "getTranslatedPreview",
  path: `${getPreviewOperation.path}:lang_code/`,
  params: preview.params.extend({ lang_code: z.string() }),
  summary: "The preview in another language",
} satisfies Operation
