import { html, raw } from "hono/html"

import { mediaPath } from "../images/image.ts"
import { byLanguage, directionOf } from "../language.ts"
import { type Readable, readableLanguages } from "../posts/post.ts"

/** A page of a post: the post, its text in one language, and where its other languages are. */
export interface Page {
  post: Readable
  /** The text to show, with its HTML. */
  text: Readable["texts"][number]
  /** Returns the absolute address of the page in a translation, by default in the source language. */
  address: (lang?: string) => string
  /** Only people with a link see the page: no address of it is for search engines. */
  isPreview: boolean
}

const addressIn = ({ post, address }: Page, lang: string): string =>
  address(lang === post.primary_language ? undefined : lang)

/** Returns the name of a language in that language: `Deutsch` for `de`. */
const nameOf = byLanguage((lang) => new Intl.DisplayNames([lang], { type: "language" }).of(lang) ?? lang)

const dayFormatOf = byLanguage((lang) => new Intl.DateTimeFormat(lang, { dateStyle: "long", timeZone: "UTC" }))

const languagesOf = (page: Page) => {
  const { post, text } = page
  const others = readableLanguages(post).filter((lang) => lang !== text.lang_code)
  if (others.length === 0) return null
  const links = others.map(
    (lang) => html`<li><a href="${addressIn(page, lang)}" hreflang="${lang}" lang="${lang}">${nameOf(lang)}</a></li>`,
  )
  return html`<nav aria-label="Languages">
    <ul class="languages">
      ${links}
    </ul>
  </nav>`
}

const publishedOf = (published_at: Date | null, lang_code: string) =>
  published_at &&
  html` ·
    <bdi><time datetime="${published_at.toISOString()}">${dayFormatOf(lang_code).format(published_at)}</time></bdi>`

const bylineOf = ({ author, author_name, published_at, categories }: Readable, lang_code: string) => {
  const name = author_name === null ? null : html`<bdi>${author_name}</bdi> `
  return html`<p class="byline">
    ${name}<bdi>@${author}</bdi>${publishedOf(published_at, lang_code)} · <bdi>${categories.join(", ")}</bdi>
  </p>`
}

const coverOf = ({ author, cover }: Readable) =>
  cover &&
  html`<img
    class="cover"
    src="${mediaPath(author, cover.id)}"
    alt=""
    width="${cover.width}"
    height="${cover.height}"
  />`

const tagsOf = ({ tags }: Readable) =>
  tags.length > 0 &&
  html`<footer>
    <ul class="tags">
      ${tags.map((tag) => html`<li><bdi>#${tag}</bdi></li>`)}
    </ul>
  </footer>`

const addressesOf = (page: Page) => {
  if (page.isPreview) return null
  const { post, text } = page
  const original = text.lang_code === post.primary_language ? post.canonical_url : null
  const alternates = readableLanguages(post).map(
    (lang) => html`<link rel="alternate" hreflang="${lang}" href="${addressIn(page, lang)}" />`,
  )
  return html`<link rel="canonical" href="${original ?? addressIn(page, text.lang_code)}" /> ${alternates}`
}

const headOf = (page: Page) => {
  const { post, text } = page
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${text.title}</title>
    <meta name="description" content="${text.meta_description}" />
    <meta name="author" content="${post.author_name ?? post.author}" />
    ${addressesOf(page)}
    <link rel="stylesheet" href="/assets/site.css" />
    <link rel="icon" href="/assets/icon.svg" />
  </head>`
}

/** Renders the public page of a post in the language of `text`, which has its HTML. Strings are four times as fast as JSX. */
export const renderPage = (page: Page) => {
  const { post, text } = page
  return html`<!doctype html>
    <html lang="${text.lang_code}" dir="${directionOf(text.lang_code)}">
      ${headOf(page)}
      <body>
        <main>
          <article>
            <header>
              <h1>${text.title}</h1>
              ${bylineOf(post, text.lang_code)} ${languagesOf(page)}
            </header>
            ${coverOf(post)} ${raw(text.html ?? "")} ${tagsOf(post)}
          </article>
        </main>
      </body>
    </html>`
}
