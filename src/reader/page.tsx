import { html, raw } from "hono/html"

import { byLanguage, directionOf } from "../language.ts"
import { type Post, readableLanguages } from "../posts/post.ts"
import type { Text } from "../posts/text.ts"
import { pageUrl } from "../posts/view.ts"

interface Props {
  post: Post
  text: Text
  origin: string
}

const address = (post: Post, origin: string, lang: string): string =>
  pageUrl(origin, post, lang === post.primary_language ? undefined : lang)

/** The name of a language in itself, as its readers look for it. */
const nameOf = byLanguage((lang) => new Intl.DisplayNames([lang], { type: "language" }).of(lang) ?? lang)

const dayFormatOf = byLanguage((lang) => new Intl.DateTimeFormat(lang, { dateStyle: "long", timeZone: "UTC" }))

const Languages = ({ post, text, origin }: Props) => {
  const others = readableLanguages(post).filter((lang) => lang !== text.lang_code)
  if (others.length === 0) return null
  return (
    <nav aria-label="Languages">
      <ul class="languages">
        {others.map((lang) => (
          <li>
            <a href={address(post, origin, lang)} hreflang={lang} lang={lang}>
              {nameOf(lang)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const Published = ({ post, text }: Props) => {
  const time = post.published_at?.toISOString() ?? ""
  const day = dayFormatOf(text.lang_code)
  return (
    <bdi>
      <time datetime={time}>{post.published_at && day.format(post.published_at)}</time>
    </bdi>
  )
}

const Head = ({ post, text, origin }: Props) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>{text.title}</title>
    <meta name="description" content={text.meta_description ?? ""} />
    <meta name="author" content={post.author} />
    <link rel="canonical" href={address(post, origin, text.lang_code)} />
    {readableLanguages(post).map((lang) => (
      <link rel="alternate" hreflang={lang} href={address(post, origin, lang)} />
    ))}
    <link rel="stylesheet" href="/assets/site.css" />
    <link rel="icon" href="/assets/icon.svg" />
  </head>
)

const Page = (props: Props) => {
  const { post, text } = props
  return (
    <html lang={text.lang_code} dir={directionOf(text.lang_code)}>
      <Head {...props} />
      <body>
        <main>
          <article>
            <header>
              <h1>{text.title}</h1>
              <p class="byline">
                <bdi>{post.author}</bdi> · <Published {...props} /> · <bdi>{post.categories.join(", ")}</bdi>
              </p>
              <Languages {...props} />
            </header>
            {raw(text.html ?? "")}
            {post.tags.length > 0 && (
              <footer>
                <ul class="tags">
                  {post.tags.map((tag) => (
                    <li>
                      <bdi>#{tag}</bdi>
                    </li>
                  ))}
                </ul>
              </footer>
            )}
          </article>
        </main>
      </body>
    </html>
  )
}

/** The public page of a post in one language; `text` holds that language's HTML. */
export const renderPage = (props: Props) => html`<!doctype html>${<Page {...props} />}`
