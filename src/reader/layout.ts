import { html } from "hono/html"

import { blogUrl, type Places } from "../addresses.ts"
import { byLanguage, directionOf } from "../language.ts"
import { ASSETS } from "../ui/assets.ts"
import type { Blog, ListEntry } from "./store.ts"
import { wordsFor } from "./words.ts"

type Html = ReturnType<typeof html>

const dayFormatOf = byLanguage((lang) => new Intl.DateTimeFormat(lang, { dateStyle: "long", timeZone: "UTC" }))

/** Renders the day of a post in UTC in a language, such as `1. Mai 2026`. */
export const renderDay = (time: Date, lang: string): Html =>
  html`<bdi><time class="dt-published" datetime="${time.toISOString()}">${dayFormatOf(lang).format(time)}</time></bdi>`

/** Returns the name of a blog: its title, else its author's name, else `@<username>`. */
export const nameOfBlog = ({ blog_title, author_name, username }: Blog): string =>
  blog_title ?? author_name ?? `@${username}`

/** Returns the name of a post's author: the post's, else the account's, else `@<username>`. Without `post`, that of the account. */
export const nameOfAuthor = ({ author_name, username }: Blog, post?: Pick<ListEntry, "author_name">): string =>
  post?.author_name ?? author_name ?? `@${username}`

/** The parts of a page for readers: `renderDocument` puts them into the layout of all such pages. */
export interface ReaderDocument {
  blog: Blog
  places: Places
  /** BCP 47 code of the page. */
  lang: string
  title: string
  description: string | null
  /** Further elements of the head. */
  head: unknown
  /** The content of `main`. */
  content: unknown
  /** The page is the blog's own: its top does not link to itself. */
  isHome?: boolean
}

/** Renders a page for readers: its head, the link to its blog, its content, and the links to the feeds. */
export const renderDocument = ({
  blog,
  places,
  lang,
  title,
  description,
  head,
  content,
  isHome,
}: ReaderDocument): Html => {
  const name = nameOfBlog(blog)
  const at = (rest?: string) => blogUrl(places, blog, rest)
  // Strings are four times as fast as JSX.
  return html`<!doctype html>
    <html lang="${lang}" dir="${directionOf(lang)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${description && html`<meta name="description" content="${description}" />`} ${head}
        <link rel="alternate" type="application/atom+xml" title="${name}" href="${at("feed.atom")}" />
        <link rel="alternate" type="application/rss+xml" title="${name}" href="${at("feed.rss")}" />
        <link rel="alternate" type="application/feed+json" title="${name}" href="${at("feed.json")}" />
        <link rel="micropub" href="${places.origin}/micropub" />
        <link rel="stylesheet" href="${ASSETS["site.css"]}" />
        <link rel="icon" href="${ASSETS["icon.svg"]}" />
      </head>
      <body class="blog">
        ${
          isHome
            ? null
            : html`<header class="site">
                <a href="${at()}"><bdi>${name}</bdi></a>
              </header>`
        }
        <main>${content}</main>
        <footer class="site">
          <a href="${at()}"><bdi>${name}</bdi></a> <a href="${at("tags/")}">${wordsFor(lang).topics}</a>
          <a href="${at("feed.atom")}">Atom</a> <a href="${at("feed.rss")}">RSS</a>
          <a href="${at("feed.json")}">JSON Feed</a>
        </footer>
      </body>
    </html>`
}
