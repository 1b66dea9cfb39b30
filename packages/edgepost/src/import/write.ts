import GithubSlugger from "github-slugger"
import type { Element, Root } from "hast"
import { stringify } from "yaml"

import { writePlain, writeWords } from "../folder/description.ts"
import { splitFrontMatter } from "../folder/front-matter.ts"
import { writeLabel } from "../folder/labels.ts"
import { clean } from "../folder/values.ts"
import { cleanAddress, simplifyHtml } from "../html/simplify.ts"
import { writeMarkdown } from "../html/to-markdown.ts"
import { attribute, element, findTag } from "../html/tree.ts"
import { fitLabels, readLabels } from "../labels.ts"
import { MAX_COVER_ALT_CHARS, MAX_COVER_CAPTION_CHARS, MAX_META_DESCRIPTION_CHARS } from "../limits.ts"
import { TooComplex } from "../parser/budget.ts"
import { type OldPage, readRedirects, REDIRECTS_FILE, writeRedirects } from "../redirects-csv.ts"
import { pathKey, resolveOnSite, UNKNOWN_SITE, withoutWww } from "../site.ts"
import { replaceCard } from "./cards.ts"
import type { Writer } from "./files.ts"
import { type Images, isSameImage } from "./images.ts"
import { type NamedPost, nameAll } from "./names.ts"
import { attempt, type Imported, type ImportedPost, type Remark } from "./post.ts"

// Writes what was imported as a folder that `publish` takes: posts, images, and where each old page went.

/** A summary of an import for its author. */
export interface ImportReport {
  posts: number
  drafts: number
  /** Images that stay on the web. */
  remote: number
  leftOut: Remark[]
  /** `post` is the path of the file. */
  warnings: Remark[]
  /** Paths of posts that an earlier import wrote and this export does not have. */
  stale: string[]
  /** Images that are missing, with the reason as their message. */
  missing: (Remark & { image: string })[]
}

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address, UNKNOWN_SITE)
  return `${pathname}${search}`
}

/** Bytes of a post's Markdown: `publish` reads no longer file. */
const MAX_MARKDOWN_BYTES = 2 ** 20
/** Bytes of Markdown that a tree makes of each character of its JSON: deep quotes repeat their marks on each line. */
const MAX_GROWTH = 10

const tooLong = () => new TooComplex(`Its Markdown has over ${MAX_MARKDOWN_BYTES} bytes.`)

/** Writes the front matter and the text of a post. */
const fileOf = (
  { post, slug }: NamedPost,
  cover: string | null,
  canonical_url: string | null,
  body: string,
): string => {
  const { author_name, lang, published_at, meta_description, categories, tags } = post
  const data = {
    title: writePlain(clean(post.title) || "Untitled"),
    slug,
    status: post.status,
    published_at,
    categories: categories.length > 0 ? categories.map(writeLabel) : null,
    tags: tags.map(writeLabel),
    meta_description: writeWords(meta_description, MAX_META_DESCRIPTION_CHARS),
    cover,
    cover_alt: writeWords(cover && post.cover_alt, MAX_COVER_ALT_CHARS),
    cover_caption: writeWords(cover && post.cover_caption, MAX_COVER_CAPTION_CHARS),
    canonical_url,
    author_name: author_name && writePlain(clean(author_name)),
    lang,
  }
  const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
  return `---\n${stringify(given, { lineWidth: 0 })}---\n\n${body}`
}

/** Writes posts with their images, one after another. */
class PostWriter {
  readonly report: ImportReport
  readonly #imported: Imported
  readonly #writer: Writer
  readonly #images: Images
  /** Files of posts by the key of their old page. */
  readonly #pages = new Map<string, string>()
  /** Names of image files from earlier imports, by the hash at their end. */
  readonly #earlier: Map<string, string>
  /** The file or address of each imported image, by its old address. */
  readonly #saved = new Map<string, { src: string; problem: string | null }>()
  /** The losses of labels that earlier posts have reported. */
  readonly #lost = new Set<string>()
  /** Files and missing images that the report has. */
  readonly #reported = new Set<string>()

  constructor(imported: Imported, named: NamedPost[], writer: Writer, images: Images) {
    this.#imported = imported
    this.#writer = writer
    this.#images = images
    // Matches the hash in `a-0123456789ab.png`. Does not match `a.png`.
    this.#earlier = new Map(writer.images.map((name) => [/([0-9a-f]{12})\.\w+$/.exec(name)?.[1] ?? "", name]))
    const { leftOut } = imported
    this.report = { posts: 0, drafts: 0, remote: 0, leftOut: [...leftOut], warnings: [], stale: [], missing: [] }
    for (const { post, file } of named)
      for (const address of post.addresses) {
        const key = this.#keyOf(address)
        if (key !== null) this.#pages.set(key, file)
      }
  }

  /** Returns the key of a page: its host, its path, and the id in WordPress' short addresses; null for the start page. */
  #keyOf(address: string): string | null {
    const base = this.#imported.siteUrl ?? UNKNOWN_SITE
    if (!URL.canParse(address, base)) return null
    const { host, pathname, searchParams } = new URL(address, base)
    const [path, id] = [pathKey(pathname), searchParams.get("p") ?? ""]
    return path + id === "" ? null : `${withoutWww(host)}/${path}?${id}`
  }

  async #saveImage(address: string): Promise<{ src: string; problem: string | null }> {
    const { siteUrl } = this.#imported
    const src = siteUrl !== null && URL.canParse(address, siteUrl) ? new URL(address, siteUrl).href : address
    const there = this.#earlier.get(this.#images.hashOf(src))
    if (there !== undefined) return { src: `../images/${there}`, problem: null }
    const found = await this.#images.find(src)
    if (found === null || "problem" in found) {
      if (/^https?:/i.test(src)) this.report.remote += 1
      return { src, problem: found && found.problem }
    }
    await this.#writer.write(`images/${found.name}`, found.bytes)
    return { src: `../images/${found.name}`, problem: null }
  }

  async #saveOnce(address: string): Promise<{ src: string; problem: string | null }> {
    const known = this.#saved.get(address) ?? (await this.#saveImage(address))
    this.#saved.set(address, known)
    return known
  }

  /** Returns the address that an image has in the text of a post. */
  async #imageFor(address: string, file: string): Promise<string> {
    const { src, problem } = await this.#saveOnce(address)
    const entry = `${file} ${src}`
    if (problem !== null && !this.#reported.has(entry))
      this.report.missing.push({ post: file, image: src, message: problem })
    this.#reported.add(entry)
    return src
  }

  /** Shows the large image on the old site that a thumbnail links to, and removes the link. A missing one stays a link. */
  async #enlarge(link: Element): Promise<void> {
    const href = attribute(link, "href")
    const [image, ...others] = findTag(link, "img")
    if (!image || others.length > 0 || resolveOnSite(href, this.#imported.siteUrl) === null) return
    if (!isSameImage(href, attribute(image, "src")) || (await this.#saveOnce(href)).problem !== null) return
    image.properties["src"] = href
    Object.assign(link, element("span", {}, link.children))
  }

  async #convert(tree: Root, file: string): Promise<string> {
    const { siteUrl } = this.#imported
    const { tree: simple, losses } = simplifyHtml(tree, replaceCard)
    for (const loss of losses) this.report.warnings.push({ post: file, ...loss })
    for (const link of findTag(simple, "a")) {
      const href = attribute(link, "href")
      const page = href.startsWith("#") ? undefined : this.#pages.get(this.#keyOf(href) ?? "")
      // Matches the fragment of `/a/#b`. Does not match `/a/`.
      if (page !== undefined) link.properties["href"] = page + (/#.*$/.exec(href)?.[0] ?? "")
      else if (siteUrl !== null && href.startsWith("/")) link.properties["href"] = new URL(href, siteUrl).href
      await this.#enlarge(link)
    }
    for (const image of findTag(simple, "img"))
      image.properties["src"] = await this.#imageFor(attribute(image, "src"), file)
    return writeMarkdown(simple, new GithubSlugger())
  }

  async write(named: NamedPost): Promise<void> {
    const { post } = named
    const file = `posts/${named.file}`
    const body = await this.#convert(post.content(), file)
    if (Buffer.byteLength(body) > MAX_MARKDOWN_BYTES) throw tooLong()
    const cover = post.cover === null ? null : await this.#imageFor(cleanAddress(post.cover), file)
    // A post must not name its own old page as the original.
    const isOwn = resolveOnSite(post.canonical_url ?? "", this.#imported.siteUrl) !== null
    const [categories, tags] = [fitLabels(readLabels(post.categories)), fitLabels(readLabels(post.tags))]
    const fitted = { ...post, categories: categories.labels, tags: tags.labels }
    await this.#writer.write(file, fileOf({ ...named, post: fitted }, cover, isOwn ? null : post.canonical_url, body))
    for (const { code, message } of [...categories.losses, ...tags.losses]) {
      // Many posts have the same labels.
      if (this.#lost.has(code)) continue
      this.#lost.add(code)
      this.report.warnings.push({ post: file, message: `It has ${message}, as in other posts with such names.` })
    }
    const empty = [
      ...(clean(post.title) === "" ? ["It has no title, so it is called “Untitled”."] : []),
      ...(body.trim() === "" ? ["It has no text."] : []),
    ]
    for (const message of [...post.warnings, ...empty]) this.report.warnings.push({ post: file, message })
    this.report.posts += 1
    this.report.drafts += post.status === "DF" ? 1 : 0
  }
}

/** Checks that Markdown of a text is short enough for `publish`. Converts only a text that may be too long. @throws TooComplex */
const checkLength = (tree: Root): void => {
  if (JSON.stringify(tree).length * MAX_GROWTH <= MAX_MARKDOWN_BYTES) return
  if (Buffer.byteLength(writeMarkdown(simplifyHtml(tree, replaceCard).tree, new GithubSlugger())) > MAX_MARKDOWN_BYTES)
    throw tooLong()
}

/** Returns the posts whose texts can be read, and notes the others as left out, before links are made to them. */
const readable = (imported: Imported): ImportedPost[] =>
  imported.posts.filter((post) => post.isShort || attempt(imported, post.name, () => checkLength(post.content())))

/** Returns the slug of a post: its author may have set another one in the file. */
const slugNow = async (slug: string, file: string, writer: Writer): Promise<string> => {
  try {
    const { data } = splitFrontMatter(await writer.read(file))
    return typeof data["slug"] === "string" ? data["slug"] : slug
  } catch {
    // `publish` says what is wrong with it.
    return slug
  }
}

/** Writes where the pages of public posts went, with the lines of posts from earlier imports. */
const noteOldPages = async (named: NamedPost[], stale: string[], writer: Writer): Promise<void> => {
  const pages: Omit<OldPage, "line">[] = []
  for (const { path, slug, file } of readRedirects(await writer.read(REDIRECTS_FILE)))
    if (path !== "" && stale.includes(file)) pages.push({ path, slug: await slugNow(slug, file, writer), file })
  for (const { post, slug, file: name } of named) {
    const file = `posts/${name}`
    const addresses = post.addresses.filter((address) => URL.canParse(address, UNKNOWN_SITE))
    if (post.status !== "PB" || addresses.length === 0 || !writer.results.has(file)) continue
    const now = await slugNow(slug, file, writer)
    pages.push(...addresses.map((address) => ({ path: pathOf(address), slug: now, file })))
  }
  if (pages.length > 0) await writer.write(REDIRECTS_FILE, writeRedirects(pages))
}

/** Writes all posts, their images and `redirects.csv`. @param onPost is told which post comes next */
export const writeImported = async (
  imported: Imported,
  writer: Writer,
  images: Images,
  onPost: (slug: string, i: number) => void,
): Promise<ImportReport> => {
  const named = nameAll(readable(imported))
  const posts = new PostWriter(imported, named, writer, images)
  for (const [i, one] of named.entries()) {
    onPost(one.slug, i)
    try {
      await posts.write(one)
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error
      posts.report.leftOut.push({ post: one.post.name, message: error.message })
    }
  }
  const { report } = posts
  report.stale = writer.earlier.filter((path) => path.startsWith("posts/") && !writer.results.has(path))
  await noteOldPages(named, report.stale, writer)
  return report
}

/** Returns the configuration for a folder of imported posts. */
export const configFor = (source: string, siteUrl: string | null): string => `# Settings of \`edgepost publish\`.

# The mark of this folder's posts, by which \`--prune\` knows them.
${stringify({ source })}
# The category of posts that have none.
category: Blog
${siteUrl !== null && /^https?:/.test(siteUrl) && URL.canParse(siteUrl) ? `\n# The old site, whose links become links to the posts.\n${stringify({ site_url: siteUrl })}` : ""}`
