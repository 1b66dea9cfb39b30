import { escapeText } from "../escape.ts"
import { type Arguments, pick } from "./arguments.ts"
import { encodePath, writeImage, writeLink } from "./write.ts"

// Converts the widely used shortcodes, Liquid tags, directives and components. All others are reported.

/** The kinds of GitHub's alerts; "" is a quote without a kind. */
export type AlertKind = "NOTE" | "TIP" | "IMPORTANT" | "WARNING" | "CAUTION" | ""

/** A way to turn a tag into Markdown. */
export type Conversion =
  /** Text instead of the tag; null if its arguments make no sense. `before` is the text before it on its line. */
  | { as: "text"; write: (call: Arguments, isLiquid: boolean, before: string) => string | null }
  /** Text instead of a tag, or of a pair: before its content and after it; null if the content is dropped. */
  | { as: "template"; write: (call: Arguments) => [string, string | null] }
  /** A pair around an alert. */
  | { as: "alert"; read: (call: Arguments) => { kind: AlertKind; title: string } }
  /** A pair around hidden text. */
  | { as: "details" }
  /** A pair around one of several tabs. */
  | { as: "section" }
  /** A pair around code. */
  | { as: "code"; language: (call: Arguments) => string }
  /** A pair that is removed, around Markdown or HTML that stays. */
  | { as: "content" }
  /** The same, around text whose tags are literal. */
  | { as: "raw" }
  /** A pair that is removed with all between. */
  | { as: "comment" }

const words = (text: string): string[] => text.split(" ")

/** Kinds of alerts, by the names that tools, Obsidian and Bootstrap have for them. */
const KINDS: Record<Exclude<AlertKind, "">, string[]> = {
  NOTE: words(
    "note info information abstract summary tldr todo example question help faq quote cite default primary secondary notice",
  ),
  TIP: words("tip hint success check done idea"),
  IMPORTANT: words("important"),
  WARNING: words("warning warn attention"),
  CAUTION: words("caution danger error failure fail missing bug"),
}
const KIND_BY_NAME = new Map(
  Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [name, kind as AlertKind])),
)

/** Returns the kind of an alert, by its name in any tool. */
export const alertKind = (name: string): AlertKind | undefined => KIND_BY_NAME.get(name.toLowerCase())

/** Matches classes and icons, which are no titles: `no-icon`, `fire`. Does not match `Mind this`. */
const CLASS = /^[a-z][a-z-]*$/

/** Reads an alert whose kind is its name, or its first argument: `{% note warning %}`. */
const readAlert =
  (fallback: AlertKind, isGeneric: boolean) =>
  (call: Arguments): { kind: AlertKind; title: string } => {
    const [first = "", second = ""] = call.positional
    const type = pick(call, "type", "kind", "level", "color", "class", "variant")
    const kind = alertKind(type ?? first)
    const rest = type === undefined && kind !== undefined ? second : first
    const isClass = ["no-icon", "true", "false"].includes(rest) || (isGeneric && CLASS.test(rest))
    return { kind: kind ?? fallback, title: pick(call, "title", "header", "heading") ?? (isClass ? "" : rest) }
  }

/** Matches `https://e.x/a`. Does not match `a.mp4`. */
const ADDRESS = /^https?:\/\/\S+$/i
/** Matches what ids of videos and posts consist of: `dQw4w9WgXcQ`, `ann/123`. Does not match `a b` or `{x}`. */
const ID = /^[\w./@-]+$/

/** Addresses of other sites, by shortcode; `*` is the id. */
const SITES: Record<string, string> = {
  youtube: "https://www.youtube.com/watch?v=*",
  youtubelite: "https://www.youtube.com/watch?v=*",
  vimeo: "https://vimeo.com/*",
  bilibili: "https://www.bilibili.com/video/*",
  gist: "https://gist.github.com/*",
  github: "https://github.com/*",
  tweet: "https://x.com/i/status/*",
  twitter: "https://x.com/i/status/*",
  x: "https://x.com/i/status/*",
  instagram: "https://www.instagram.com/p/*/",
  codepen: "https://codepen.io/*",
  codesandbox: "https://codesandbox.io/s/*",
  stackblitz: "https://stackblitz.com/edit/*",
  jsfiddle: "https://jsfiddle.net/*/",
  asciinema: "https://asciinema.org/a/*",
  spotify: "https://open.spotify.com/*",
  soundcloud: "https://soundcloud.com/*",
  tiktok: "https://www.tiktok.com/*",
  user: "https://dev.to/*",
  embed: "",
  iframe: "",
}

const writeEmbed =
  (site: string) =>
  (call: Arguments): string | null => {
    const [first, second] = call.positional
    const target = pick(call, "id", "videoid", "url", "src", "href", "link", "video", "code") ?? first
    const title = pick(call, "title", "caption", "alt", "label")
    if (target === undefined) return null
    if (ADDRESS.test(target)) return writeLink(target, title)
    const user = pick(call, "user", "username") ?? (site.includes("gist") && second !== undefined ? first : undefined)
    const id = user !== undefined && target === first ? second : target
    if (id === undefined || !ID.test(id)) return null
    const template = SITES[pick(call, "provider") ?? ""] ?? site
    if (template === "") return null
    if (user === undefined) return writeLink(template.replace("*", id), title)
    if (!ID.test(user)) return null
    if (template.includes("/i/")) return writeLink(`https://x.com/${user}/status/${id}`, title)
    return writeLink(template.replace("*", template.includes("codepen") ? `${user}/pen/${id}` : `${user}/${id}`), title)
  }

/** Returns the source of a quote: its author, and a link. Matches `Ann Keel, Tides https://e.x A book`, with its parts. Does not match `"Ann"`. */
const sourceOf = (call: Arguments): string => {
  const [, author, url, title] = /^\s*([^"']*?)(?:\s+(https?:\/\/\S+)\s*([^"']*?))?\s*$/.exec(call.text ?? "") ?? []
  if (author === undefined || call.named.size > 0) return call.positional.join(" ")
  return [author, ...(url === undefined ? [] : [writeLink(url, title === "" ? undefined : title)])].join(" ").trim()
}

/** Matches `a.png`, `/a/b` and `https://e.x/a`. Does not match `left`. */
const PATH = /[./]/
/** Matches `300`, `50%` and `20px`. Does not match `a`. */
const SIZE = /^\d+(?:px|%)?$/

/** Removes links, emphasis and code. Matches `[a](b)`, `*`. Does not match `a`. */
const plainText = (markdown: string): string =>
  markdown.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, "$1").replaceAll(/[*`]/g, "")

const writeFigure =
  (isFigure: boolean) =>
  (call: Arguments, isLiquid: boolean): string | null => {
    const { positional } = call
    const at = positional.length === 1 ? 0 : positional.findIndex((value) => PATH.test(value))
    const src = pick(call, "src", "url", "image_path", "path", "file", "image", "img") ?? positional[at]
    if (src === undefined) return null
    const rest = at < 0 ? [] : positional.slice(at + 1).filter((value) => !SIZE.test(value))
    // Of `{% asset_img %}`, the title stands before the alternative text.
    const [title, alt] = isLiquid && !isFigure && rest.length > 1 ? rest : [undefined, rest[0]]
    const named = pick(call, "title") ?? title
    const source = pick(call, "attr")
    const sourceLink = pick(call, "attrlink")
    const credit = source === undefined ? sourceLink : sourceLink === undefined ? source : writeLink(sourceLink, source)
    const captions = [pick(call, "caption"), credit].filter((part) => part !== undefined)
    if (isFigure && named !== undefined) captions.unshift(captions.length > 0 ? `**${named}**` : named)
    const caption = captions.join(" ")
    const link = pick(call, "link", "href")
    return writeImage({
      src,
      alt: call.named.get("alt") ?? alt ?? (plainText(caption) || named || ""),
      title: isFigure ? undefined : named,
      caption,
      link,
    })
  }

const pathOf = (call: Arguments): string | undefined => pick(call, "path", "src", "url") ?? call.positional[0]

/** Writes a reference as a destination. @param root what it begins with @param extension of its file, without which it is written */
const writePath =
  (root: "" | "/", extension: string) =>
  (call: Arguments): string | null => {
    const path = pathOf(call)
    if (path === undefined) return null
    const [file = "", anchor] = path.split("#", 2)
    // Matches the first `/` of `/a`.
    const whole = root + (root === "" ? file : file.replace(/^\//, "")) + extension
    return encodePath(anchor === undefined ? whole : `${whole}#${anchor}`)
  }

const writeMedia = (call: Arguments): string | null => {
  const path = pathOf(call)
  return path === undefined ? null : writeLink(path, pick(call, "title", "caption") ?? path)
}

/** `{% post_link %}`. Without a title, the text is that of the post: see rewrite.ts. */
const writePostLink =
  (extension: string) =>
  (call: Arguments): string | null => {
    const [path, title] = call.positional
    const text = title === undefined || title === "true" || title === "false" ? "" : escapeText(title)
    return path === undefined ? null : `[${text}](${encodePath(path + extension)})`
  }

/** `{% link %}` names a text and an address, a file, or an article of dev.to. */
const writeLiquidLink = (call: Arguments): string | null => {
  const [path, ...rest] = call.positional
  // Matches `https://e.x`, `/a` and `a/b.md`. Does not match `docs`.
  const at = rest.findIndex((value) => /^https?:|[./#]/.test(value))
  if (at >= 0) return writeLink(rest[at] ?? "", call.positional.slice(0, at + 1).join(" "))
  if (rest.length > 0) return null
  if (path === undefined || ADDRESS.test(path)) return path === undefined ? null : writeLink(path, undefined)
  // Matches `a.md`. Does not match `ann/a`.
  return /\.\w+(?:#.*)?$/.test(path) ? writePath("/", "")(call) : writeLink(`https://dev.to/${path}`, undefined)
}

/** Matches names of languages: `js`, `c++`, `c#`. Does not match `a.js"`. */
const LANGUAGE = /^[\w+#-]{1,30}$/

const languageOf = (call: Arguments): string => {
  const [first = ""] = call.positional
  // Matches `lang:js`. Does not match `js`.
  const [, named] = /(?:^|\s)lang:(\S+)/.exec(call.positional.join(" ")) ?? []
  const language = pick(call, "lang", "language", "type") ?? named ?? first
  return LANGUAGE.test(language) ? language : ""
}

const image = (isFigure: boolean): Conversion => ({ as: "text", write: writeFigure(isFigure) })
const path = (root: "" | "/", extension: string): Conversion => ({ as: "text", write: writePath(root, extension) })
const each = (names: string, conversion: Conversion): [string, Conversion][] =>
  words(names).map((name) => [name, conversion])

/** Conversions of tags, by their names without case, `-` and `_`. */
const CONVERSIONS = new Map<string, Conversion>([
  ...Object.entries(SITES).map(([name, site]): [string, Conversion] => [name, { as: "text", write: writeEmbed(site) }]),
  ...each("video audio", { as: "text", write: (call) => writeEmbed("")(call) ?? writeMedia(call) }),
  ...each("figure fig", image(true)),
  ...each("img image picture photo imgcap assetimg resizeimage", image(false)),
  ...each("ref relref absurl relurl assetpath", path("", "")),
  ...each("posturl postpath", path("", ".md")),
  ["link", { as: "text", write: (call, isLiquid) => (isLiquid ? writeLiquidLink : writePath("", ""))(call) }],
  ["postlink", { as: "text", write: writePostLink(".md") }],
  ["assetlink", { as: "text", write: writePostLink("") }],
  ...each("toc tableofcontents", { as: "text", write: () => "" }),
  ...each("highlight code codeblock", { as: "code", language: languageOf }),
  ["mermaid", { as: "code", language: () => "mermaid" }],
  ...each("raw verbatim", { as: "raw" }),
  ...each("rawhtml html markdown md center", { as: "content" }),
  ...each("comment hidden contenthidden", { as: "comment" }),
  ...each("details expand collapse collapsible dropdown spoiler", { as: "details" }),
  ...each("alert admonition callout aside", { as: "alert", read: readAlert("NOTE", true) }),
  ...[...KIND_BY_NAME].map(([name, kind]): [string, Conversion] => [
    name,
    { as: "alert", read: readAlert(kind, false) },
  ]),
  ...each("blockquote quote", {
    as: "alert",
    read: (call) => ({ kind: "", title: pick(call, "title", "author") ?? sourceOf(call) }),
  }),
  ["pullquote", { as: "alert", read: () => ({ kind: "", title: "" }) }],
])

/** Returns the name of a tag without the folders of its theme. Matches `a/` and `.html` of `a/b.html`. */
export const shortName = (name: string): string => name.replaceAll(/^.*\/|\.html$/g, "")

/** Returns what names that are spelt in several ways have in common: `post_url`, `code-block`, `Tabs`. */
export const keyOfName = (name: string): string => shortName(name).toLowerCase().replaceAll(/[-_]/g, "")

/** Returns how a tag becomes Markdown; undefined for tags that only their own tool knows. */
export const conversionOf = (name: string): Conversion | undefined => CONVERSIONS.get(keyOfName(name))
