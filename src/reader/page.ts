import { html, raw } from "hono/html"

import { byLanguage, directionOf } from "../language.ts"
import { type Readable, readableLanguages } from "../posts/post.ts"
import { pageUrl } from "../posts/view.ts"

interface Props {
  post: Readable
  text: Readable["texts"][number]
  origin: string
}

const address = (post: Readable, origin: string, lang: string): string =>
  pageUrl(origin, post, lang === post.primary_language ? undefined : lang)

/** Returns the name of a language in that language: `Deutsch` for `de`. */
const nameOf = byLanguage((lang) => new Intl.DisplayNames([lang], { type: "language" }).of(lang) ?? lang)

const dayFormatOf = byLanguage((lang) => new Intl.DateTimeFormat(lang, { dateStyle: "long", timeZone: "UTC" }))

const languagesOf = ({ post, text, origin }: Props) => {
  const others = readableLanguages(post).filter((lang) => lang !== text.lang_code)
  if (others.length === 0) return null
  const links = others.map(
    (lang) =>
      html`<li><a href="${address(post, origin, lang)}" hreflang="${lang}" lang="${lang}">${nameOf(lang)}</a></li>`,
  )
  return html`<nav aria-label="Languages">
    <ul class="languages">
      ${links}
    </ul>
  </nav>`
}

const bylineOf = ({ author, published_at, categories }: Readable, lang_code: string) => {
  const day = published_at && dayFormatOf(lang_code).format(published_at)
  const published = html`<bdi><time datetime="${published_at?.toISOString()}">${day}</time></bdi>`
  return html`<p class="byline"><bdi>${author}</bdi> · ${published} · <bdi>${categories.join(", ")}</bdi></p>`
}

const tagsOf = ({ tags }: Readable) =>
  tags.length > 0 &&
  html`<footer>
    <ul class="tags">
      ${tags.map((tag) => html`<li><bdi>#${tag}</bdi></li>`)}
    </ul>
  </footer>`

const headOf = ({ post, text, origin }: Props) => {
  const alternates = readableLanguages(post).map(
    (lang) => html`<link rel="alternate" hreflang="${lang}" href="${address(post, origin, lang)}" />`,
  )
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${text.title}</title>
    <meta name="description" content="${text.meta_description}" />
    <meta name="author" content="${post.author}" />
    <link rel="canonical" href="${address(post, origin, text.lang_code)}" />
    ${alternates}
    <link rel="stylesheet" href="/assets/site.css" />
    <link rel="icon" href="/assets/icon.svg" />
  </head>`
}

/** Renders the public page of a post in the language of `text`, which has its HTML. Strings are four times as fast as JSX. */
export const renderPage = (props: Props) => {
  const { post, text } = props
  return html`<!doctype html>
    <html lang="${text.lang_code}" dir="${directionOf(text.lang_code)}">
      ${headOf(props)}
      <body>
        <main>
          <article>
            <header>
              <h1>${text.title}</h1>
              ${bylineOf(post, text.lang_code)} ${languagesOf(props)}
            </header>
            ${raw(text.html ?? "")} ${tagsOf(post)}
          </article>
        </main>
      </body>
    </html>`
}
