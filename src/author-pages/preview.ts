import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { withoutMade } from "../posts/defaults.ts"
import type { Result } from "../posts/write.ts"
import { renderPage } from "../reader/page.ts"
import { READER_POLICY } from "../ui/reader-headers.ts"
import { textIn } from "./post-form.ts"
import { labelled } from "./text-form.tsx"

interface Preview extends Result {
  /** BCP 47 code of the text to show. */
  lang: string
  /** The page on which the post is edited. */
  path: string
}

/** Answers with the page that readers would see, with whole images, below what the service warns of. Nothing of it is saved. */
export const showPreview = (c: AppContext, { post, warnings, lang, path }: Preview): Response | Promise<Response> => {
  const shown = textIn(post, lang)
  if (!shown) throw new ApiError("not_found", "The post has no text in this language.")
  const { places, account: blog } = c.var
  const page = {
    post,
    images: [],
    blog,
    text: shown,
    places,
    older: null,
    newer: null,
    isPreview: true,
    warnings: labelled(withoutMade(warnings, shown)),
  }
  c.header("Content-Security-Policy", READER_POLICY)
  c.header("Cache-Control", "no-store")
  return c.html(renderPage({ ...page, address: () => path }))
}
