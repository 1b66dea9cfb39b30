import { posix } from "node:path"

import type { LocalPost, LocalText, PostText } from "../folder/post.ts"
import { ADDRESS, decode, isOnSite, PAGE, pathKey, trimSlashes } from "../site.ts"
import type { ConvertOnce } from "./convert-once.ts"
import { type Anchor, anchorsOf, headingIds } from "./headings.ts"

// Finds the post that a link leads to: by file, by the addresses of the old site, and by name.

/** A page that a link leads to. */
interface LinkTarget {
  /** `/@ann/slug/`, or `/@ann/slug/fr/`. */
  address: string
  /** "" for the home page. */
  title: string
  /** The places of the page that a fragment may name. */
  anchors: () => Anchor[]
  /** Readers of the link do not see the page: its post is a draft, or appears later than the one with the link. */
  isHidden: boolean
}

/** A link to nothing that the service has. */
interface Lost {
  /** It leads to no post of the folder, to a file that is no post, to a post that is left out, or to one that cannot be read. */
  lost: "missing" | "file" | "left out" | "unreadable"
  /** The address on the old site; null if it is not known. */
  oldAddress: string | null
}

/** Finds the page that a link of a file leads to; its own page for "" and `#a`. @returns null for another site or scheme */
export type FindPost = (href: string, file: string) => LinkTarget | Lost | null

/** A text of a post. `lang` is null for the source text. */
interface Entry {
  post: LocalPost
  text: PostText
  lang: string | null
}

/** Matches paths of the service: `/@ann/a/`, `/media/a`. Does not match `/a`. */
const OWN_PATH = /^\/(?:@|%40|media\/)/i
/** Matches `a.pdf`. Does not match `a`, `v1.2` and `a/`. */
const FILE = /\.[a-z][a-z0-9]{0,5}$/i
/** Matches the date of a file's name: `2020-01-02-`. Does not match `2020-a`. */
const DATE = /^\d{4}-\d{2}-\d{2}-/
/** Matches the id by which notes name another one: `202403111015` of `202403111015 A note`. Does not match `2024 A note`. */
const ID = /^\d{12,14}(?=[ _-])/
/** Matches lists of posts, which name no post: `tags/rust`, `category/go`. Does not match `blog/rust`. */
const LIST = /(?:^|\/)(?:tags?|categor(?:y|ies)|authors?|series|topics?)\/[^/]+$/i

/** Texts of posts by what links may call them. */
class LinkIndex {
  readonly #byFile = new Map<string, Entry>()
  readonly #byAddress = new Map<string, Entry>()
  readonly #byPath = new Map<string, Entry>()
  readonly #bySuffix = new Map<string, Entry[]>()
  readonly #byName = new Map<string, Entry[]>()
  readonly #own = new Map<string, Entry>()

  constructor(posts: LocalPost[]) {
    for (const post of posts) {
      const source = { post, text: post.source, lang: null }
      this.#add(source)
      for (const [lang, text] of Object.entries(post.translations)) this.#add({ post, text, lang })
      for (const key of post.oldPaths.map(pathKey))
        // Of posts with one name, the address without a date belongs to the one that has it as its slug.
        if (this.#byPath.get(key)?.post.slug !== key) this.#byPath.set(key, source)
      this.#name(post.slug, source)
    }
  }

  #name(name: string, entry: Entry): void {
    const entries = this.#byName.get(name) ?? []
    if (!entries.some(({ post }) => post === entry.post)) this.#byName.set(name, [...entries, entry])
  }

  #add(entry: Entry): void {
    const key = pathKey(entry.text.file)
    for (const address of entry.text.addresses.slice(0, 1)) this.#byAddress.set(pathKey(address), entry)
    this.#own.set(entry.text.file, entry)
    this.#byFile.set(key, entry)
    const segments = key.split("/")
    for (const i of segments.keys()) {
      const suffix = segments.slice(i).join("/")
      this.#bySuffix.set(suffix, [...(this.#bySuffix.get(suffix) ?? []), entry])
    }
    const last = segments.at(-1) ?? ""
    this.#name(last, entry)
    this.#name(last.replace(DATE, ""), entry)
    const [id] = ID.exec(last) ?? []
    if (id !== undefined) this.#name(id, entry)
  }

  /** Returns the text of a file. */
  own(file: string): Entry | undefined {
    return this.#own.get(file)
  }

  /** @param isExact a page alone whose whole path is known */
  find(path: string, file: string, isExact: boolean): Entry | undefined {
    const isRoot = path.startsWith("/")
    const key = pathKey(path)
    // Links name files beside their own, or pages below their own address.
    const bases = isRoot ? ["/"] : [posix.dirname(file), pathKey(file)]
    const byFile = bases.map((base) => this.#byFile.get(pathKey(posix.join(base, path)))).find(Boolean)
    if (byFile) return byFile
    const oldPaths = this.own(file)?.post.oldPaths ?? []
    const pages = isRoot ? [path] : oldPaths.flatMap((base) => [posix.join(base, path), posix.join(base, "..", path)])
    const byPath = [this.#byAddress, this.#byPath]
      .flatMap((index) => pages.map((page) => index.get(pathKey(page))))
      .find(Boolean)
    if (byPath || isExact) return byPath
    // Matches `../` and `./../`. Does not match `a/`.
    const suffixed = this.#bySuffix.get(key.replace(/^(?:\.\.?\/)+/, "")) ?? []
    if (suffixed.length === 1 && key.includes("/")) return suffixed[0]
    const named = this.#byName.get(key.split("/").at(-1) ?? "") ?? []
    return named.length === 1 && !LIST.test(key) ? named[0] : undefined
  }
}

/** Returns the time from which readers see a post, in milliseconds; Infinity for a draft. */
const seenFrom = ({ status, published_at }: LocalPost, now: Date): number => {
  if (status === "DF") return Infinity
  return Math.max(published_at === null ? 0 : Date.parse(published_at), now.getTime())
}

/** Returns the path of a link that may lead to a post, without query and fragment; null for other sites. */
const pathOf = (href: string, site: URL | null): string | null => {
  // Matches `?a`, `#a` and `?a#b`, to the end. Does not match `a`.
  const path = decode(href.replace(/[?#][^]*$/, ""))
  if (!ADDRESS.test(href)) return OWN_PATH.test(href) ? null : path
  if (!site || !URL.canParse(href, site)) return null
  const url = new URL(href, site)
  return isOnSite(url, site) ? decode(url.pathname) : null
}

/** Makes a function that finds posts by links. Converts a text only if a link needs its headings. @param options `siteUrl` is the old site's address, `unrendered` are posts that are left out */
export const buildLinkIndex = (
  posts: LocalPost[],
  {
    username,
    siteUrl,
    now,
    unrendered,
    convertOnce,
  }: { username: string; siteUrl: string | null; now: Date; unrendered: LocalPost[]; convertOnce: ConvertOnce },
): FindPost => {
  const index = new LinkIndex(posts)
  const leftOut = new LinkIndex(unrendered)
  const site = siteUrl === null ? null : new URL(siteUrl)
  const folder = site && trimSlashes(site.pathname) !== "" ? `/${trimSlashes(site.pathname)}` : ""
  const targetsOf = (text: LocalText) => convertOnce(text).document.targets
  const targetOf = ({ post, text, lang }: Entry, own: Entry | undefined): LinkTarget => ({
    address: `/@${username}/${post.slug}/${lang === null ? "" : `${lang}/`}`,
    title: text.title,
    anchors: () => anchorsOf(targetsOf(text), lang === null ? [] : headingIds(targetsOf(post.source))),
    isHidden: own !== undefined && seenFrom(post, now) > seenFrom(own.post, now),
  })
  return (href, file) => {
    const own = index.own(file)
    if (href === "" || href.startsWith("#")) return own ? targetOf(own, own) : null
    const path = pathOf(href, site)
    if (path === null) return null
    const isInside = `${path}/`.startsWith(`${folder}/`)
    // The host may have other pages, which names and ends of paths must not be taken for.
    const isOutside = ADDRESS.test(href) && !isInside
    const paths = folder !== "" && isInside ? [path.slice(folder.length) || "/", path] : [path]
    if (!isOutside && paths.some((each) => each.startsWith("/") && pathKey(each) === ""))
      return { address: `/@${username}/`, title: "", anchors: () => [], isHidden: false }
    const find = (among: LinkIndex, isExact: boolean) =>
      paths.map((each) => among.find(each, file, isExact)).find(Boolean)
    // Only a root and the site make an address. Names of files are none of the old site.
    const oldAddress = site && href.startsWith("/") && !/\.mdx?$/.test(path) ? new URL(href, site).href : null
    const exact = find(index, true)
    if (!exact && find(leftOut, true)) return { lost: "left out", oldAddress: null }
    const found = exact ?? find(index, isOutside)
    if (!found && ADDRESS.test(href)) return null
    if (!found) return { lost: FILE.test(path) && !PAGE.test(path) ? "file" : "missing", oldAddress }
    const { post } = found
    if (!post.isReadable) return { lost: "unreadable", oldAddress }
    // A text in French links to French texts.
    const lang = found.lang ?? own?.lang ?? null
    const text = lang === null ? undefined : post.translations[lang]
    return targetOf(text ? { post, text, lang } : found, own)
  }
}
