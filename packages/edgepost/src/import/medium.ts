import type { Element, Root } from "hast"

import { readDate } from "../folder/dates.ts"
import { UsageError } from "../usage-error.ts"
import type { Archive } from "./archive.ts"
import { attribute, findAll, findClass, findTag, hasClass, isElement, lineOf, parseHtml } from "./html.ts"
import { type Imported, type ImportedPost, readInto, timing } from "./post.ts"

// Reads what Medium exports: pages of HTML, marked as the microformat h-entry.

/** Matches `posts/2020-01-02_Name-abc.html`, in a folder too. Does not match `profile/profile.html`. */
const POST = /(?:^|\/)posts\/([^/]+)\.html$/

/** Removes what stands before the text: the line between sections, and the heading that repeats the title. */
const withoutTitle = (body: Element, title: string): Root => {
  const heading = findTag(body, "h1", "h2", "h3", "h4")[0]
  const repeated = heading && (hasClass(heading, "graf--title") || lineOf(heading) === title) ? heading : null
  const firstLine = findTag(body, "hr")[0]
  const before = firstLine && lineOf(body) !== "" && isBefore(body, firstLine) ? firstLine : null
  const remove = (node: Element): Element => ({
    ...node,
    children: node.children
      .filter((child) => child !== repeated && child !== before)
      .map((child) => (child.type === "element" ? remove(child) : child)),
  })
  return { type: "root", children: remove(body).children }
}

/** Tells whether no text, image or frame stands before an element. */
const isBefore = (body: Element, element: Element): boolean => {
  const all = findAll(
    body,
    (each) => each === element || isElement(each, "p", "h3", "h4", "img", "iframe", "pre", "li"),
  )
  return all[0] === element
}

const readPost = (page: string, file: string, now: Date): ImportedPost => {
  const name = POST.exec(file)?.[1] ?? file
  const tree = parseHtml(page, { isPage: true })
  const textOf = (className: string): string => {
    const found = findClass(tree, className)
    return found ? lineOf(found) : ""
  }
  const [titleTag] = findTag(tree, "title")
  const title = textOf("p-name") || (titleTag ? lineOf(titleTag) : "")
  const published = findClass(tree, "dt-published")
  const link = findClass(tree, "p-canonical")
  const date = readDate(published ? attribute(published, "dateTime") : "", "UTC")
  const isDraft = name.startsWith("draft_")
  const when = timing("time" in date ? date.time : Number.NaN, !isDraft, now)
  const address = link ? attribute(link, "href") : ""
  const host = URL.canParse(address) ? new URL(address).hostname : ""
  const isMedium = host === "medium.com" || host.endsWith(".medium.com")
  // A name begins with its date, and ends with the post's id. Matches `2020-01-02_` and `-0a1b2c3d4e5f`. Does not match `-2020`.
  const slug = name.replace(/^(?:\d{4}-\d{2}-\d{2}|draft)_/, "").replace(/-+[0-9a-f]{10,12}$/, "")
  return {
    ...when,
    name,
    slug,
    title,
    categories: [],
    tags: findAll(tree, (each) => hasClass(each, "p-tag")).map(lineOf),
    meta_description: textOf("p-summary") || null,
    cover: null,
    canonical_url: isMedium ? null : address || null,
    author_name: textOf("p-author") || null,
    lang: null,
    addresses: isDraft || address === "" ? [] : [address],
    // Trees of all posts at once would take much memory.
    content: () => {
      const body = findClass(parseHtml(page, { isPage: true }), "e-content")
      return body ? withoutTitle(body, title) : { type: "root", children: [] }
    },
  }
}

/** Reads an export of Medium. @throws UsageError */
export const readMedium = async ({ names, read }: Archive, now: Date): Promise<Imported> => {
  const files = names.filter((name) => POST.test(name)).toSorted()
  if (files.length === 0)
    throw new UsageError(
      "The zip is no export of Medium: it has no folder `posts` with HTML files.",
      "Export it in Medium at Settings → Security and apps → Download your information.",
    )
  const imported: Imported = { posts: [], leftOut: [], siteUrl: null }
  for (const file of files) {
    const page = (await read(file)).toString("utf8")
    readInto(imported, file, () => readPost(page, file, now))
  }
  return imported
}
