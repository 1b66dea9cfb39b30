import { blogOrigin, type BlogOwner, blogUrl, pageUrl, type Places } from "../addresses.ts"
import { type SitemapPage } from "./sitemap-store.ts"
import { updatedAt } from "./store.ts"

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

// Usernames, slugs and language codes have no character that XML or URLs escape.

/** Renders the sitemap of a blog (sitemaps.org): its own page, and those that `findSitemap` in sitemap-store.ts has chosen. */
export const renderSitemap = (places: Places, blog: BlogOwner, pages: SitemapPage[]): string => {
  const urls = pages.map((page) => {
    const { slug, lang_code, primary_language } = page
    const lang = lang_code === primary_language ? undefined : lang_code
    const url = pageUrl(places, blog, slug, lang)
    return `<url><loc>${url}</loc><lastmod>${updatedAt(page).toISOString()}</lastmod></url>`
  })
  const own = `<url><loc>${blogUrl(places, blog)}</loc></url>`
  return [DECLARATION, `<urlset xmlns="${NAMESPACE}">`, own, ...urls, "</urlset>\n"].join("\n")
}

const renderIndex = (addresses: string[]): string => {
  const maps = addresses.map((address) => `<sitemap><loc>${address}</loc></sitemap>`)
  return [DECLARATION, `<sitemapindex xmlns="${NAMESPACE}">`, ...maps, "</sitemapindex>\n"].join("\n")
}

/** Renders the index of the parts of a blog's sitemap. @param parts the slugs of the posts at which they begin */
export const renderSitemapParts = (places: Places, blog: BlogOwner, parts: string[]): string =>
  renderIndex(parts.map((part) => blogUrl(places, blog, `sitemap.xml?part=${part}`)))

/** Renders the index of the sitemaps of the blogs of `readerOrigin`: a blog's own host has its own robots.txt. */
export const renderSitemapIndex = (places: Places, blogs: BlogOwner[]): string =>
  renderIndex(
    blogs
      .filter((blog) => blogOrigin(places, blog) === places.readerOrigin)
      .map((blog) => blogUrl(places, blog, "sitemap.xml")),
  )

/** Returns robots.txt (RFC 9309) of an origin: it excludes the API's and authors' pages, or all pages if `isForReaders` is false. */
export const renderRobots = (origin: string, isForReaders: boolean): string =>
  isForReaders
    ? `User-agent: *\nDisallow: /api/\nDisallow: /settings/\nDisallow: /operator/\n\nSitemap: ${origin}/sitemap.xml\n`
    : "User-agent: *\nDisallow: /\n"
