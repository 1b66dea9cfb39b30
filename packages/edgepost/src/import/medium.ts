import type { Element, Root } from "hast"

import { parseHtml } from "../html/parse.ts"
import { attribute, findAll, findClass, findTag, hasClass, isElement, lineOf } from "../html/tree.ts"
import { UsageError } from "../usage-error.ts"
import type { Archive } from "./archive.ts"
import { attempt, type Imported, type ImportedPost, timeIn, timing } from "./post.ts"

// Reads what Medium exports: pages of HTML, marked as the microformat h-entry.

/** Matches `posts/2020-01-02_Name-abc.html`, in a folder too. Does not match `profile/profile.html`. */
const POST = /(?:^|\/)posts\/([^/]+)\.html$/

/** Matches what ends the name of a post's file, and its address: its id, `-0a1b2c3d4e5f` or `/0a1b2c3d4e`. Does not match `-20240102`. */
const ID = /[-/]+([0-9a-f]{9,12})$/

/** Tells whether no text, image or frame stands before an element, but for the title and the subtitle. */
const isFirst = (body: Element, element: Element): boolean => {
  const [first] = findAll(
    body,
    (each) =>
      each === element ||
      (isElement(each, "p", "h3", "h4", "img", "iframe", "pre", "li") &&
        !hasClass(each, "graf--title") &&
        !hasClass(each, "graf--subtitle")),
  )
  return first === element
}

const coverOf = (tree: Root | Element): Element | undefined =>
  findTag(tree, "img").find((image) => attribute(image, "dataIsFeatured") !== "")

/** Removes what the page shows above the text already: the title, the cover, and the line between sections. */
const withoutHead = (body: Element, title: string): Root => {
  const heading = findTag(body, "h1", "h2", "h3", "h4")[0]
  const head = new Set([
    heading && (hasClass(heading, "graf--title") || lineOf(heading) === title) ? heading : undefined,
    ...[findTag(body, "hr")[0], coverOf(body)].filter((each) => each && lineOf(body) !== "" && isFirst(body, each)),
  ])
  const remove = (node: Element): Element => ({
    ...node,
    children: node.children
      .filter((child) => !(isElement(child) && head.has(child)))
      .map((child) => (child.type === "element" ? remove(child) : child)),
  })
  return { type: "root", children: remove(body).children }
}

/** Reads a page. @param pages addresses of the posts by their ids, to which this one is added */
const readPost = (page: string, file: string, now: Date, pages: Map<string, string>): ImportedPost => {
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
  const isDraft = name.startsWith("draft_")
  const isAnswer = findClass(tree, "graf--title") === undefined
  const when = timing(timeIn(published ? attribute(published, "dateTime") : ""), !isDraft && !isAnswer, now)
  const address = link ? attribute(link, "href") : ""
  // A file that its author has renamed has its id in the story's address alone.
  const id = (ID.exec(name) ?? ID.exec(address))?.[1]
  const isOwn = id !== undefined && ID.exec(address)?.[1] === id
  if (id !== undefined) pages.set(id, isOwn ? address : `https://medium.com/p/${id}`)
  // Matches the date at the beginning of a name, `2020-01-02_`. Does not match `2020_`.
  const slug = name.replace(/^(?:\d{4}-\d{2}-\d{2}|draft)_/, "").replace(ID, "")
  const cover = coverOf(tree)
  return {
    ...when,
    name,
    slug,
    title,
    categories: [],
    tags: findAll(tree, (each) => hasClass(each, "p-tag")).map(lineOf),
    meta_description: textOf("p-summary") || null,
    cover: cover ? attribute(cover, "src") : null,
    canonical_url: isOwn ? null : address || null,
    author_name: textOf("p-author") || null,
    lang: null,
    addresses: isDraft || id === undefined ? [] : [pages.get(id) ?? ""],
    // Trees of all posts at once would take much memory.
    content: () => {
      const body = findClass(parseHtml(page, { isPage: true }), "e-content")
      if (!body) return { type: "root", children: [] }
      for (const each of findTag(body, "a")) {
        // Matches what follows the path of `/a?b#c`. Does not match `/a`.
        const path = attribute(each, "href").replace(/[?#].*$/, "")
        // A post has an address on Medium and another on the author's domain.
        const own = pages.get(ID.exec(path)?.[1] ?? "")
        if (own !== undefined) each.properties["href"] = own
      }
      return withoutHead(body, title)
    },
    warnings:
      isAnswer && !isDraft
        ? ["It has no title. It may be a response to another post, so it becomes a draft."]
        : when.warnings,
  }
}

/** Reads an export of Medium. @throws UsageError */
export const readMedium = async ({ names, read }: Archive, now: Date): Promise<Imported> => {
  const files = names.filter((name) => POST.test(name)).toSorted()
  if (files.length === 0)
    throw new UsageError(
      "The zip is not a Medium export: it has no folder `posts` with HTML files.",
      "Export it in Medium at Settings → Security and apps → Download your information.",
    )
  const pages = new Map<string, string>()
  const imported: Imported = { id: files[0] ?? "", posts: [], leftOut: [], siteUrl: null }
  for (const file of files) {
    const page = (await read(file)).toString("utf8")
    attempt(imported, file, () => imported.posts.push(readPost(page, file, now, pages)))
  }
  return imported
}
