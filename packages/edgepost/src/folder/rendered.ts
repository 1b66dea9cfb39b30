import { pathKey } from "../site.ts"
import type { FileRule, ToolSettings } from "../tools/tool.ts"
import { unreadKind } from "../tools/unread-kinds.ts"
import type { FieldOptions } from "./field-reader.ts"
import type { Folder } from "./files.ts"
import type { FrontMatter } from "./front-matter.ts"
import { whyLeftOut } from "./hides.ts"
import { isAboutRepository, mayBePost } from "./paths.ts"
import type { LeftOut, LocalPost } from "./post.ts"
import { asList, asText } from "./values.ts"

// Tells which files the blog's own tool renders no page of: by their fields, and by their paths.

/** Matches comments of HTML, up to the end of a text without theirs, and a page that only leads to another one: `<meta http-equiv="refresh" …>`. Does not match `<p>`. */
export const COMMENT = /<!--[^]*?(?:-->|$)/g
const REFRESH = /^<meta[^>]+http-equiv=["']?refresh["']?[^>]+url=([^"'>\s]+)[^>]*>$/i

/** Removes comments of HTML. One without an end stays: a tool may show it. */
const withoutComments = (body: string): string =>
  body.replaceAll(COMMENT, (comment) => (comment.endsWith("-->") ? "" : comment)).trim()

/** Returns the address to which a page only redirects; null for other pages. `redirect` beside a text says nothing. */
export const redirectOf = ({ data, body }: FrontMatter): string | null => {
  const text = withoutComments(body)
  const values = [data["redirect_to"], text === "" ? data["redirect"] : null].flatMap(asList)
  const given = values.find((value) => typeof value === "string")
  const [, refresh] = REFRESH.exec(text) ?? []
  // A word such as `redirect: permanent` is no address.
  const found = [given, refresh].find((value) => value?.includes("/"))
  return found ?? (data["type"] === "redirect" ? (asText(data["target"] ?? data["url"]) ?? "") : null)
}

/** Adds the addresses of pages that only redirect to those of the posts to which they lead. */
export const addRedirects = (posts: LocalPost[], pages: { post: LocalPost; redirect: string | null }[]): void => {
  const paths = posts.toReversed().flatMap((post) => post.oldPaths.map((path) => [pathKey(path), post] as const))
  const byKey = new Map(paths)
  for (const { post, redirect } of pages) {
    if (redirect === null) continue
    const target = byKey.get(pathKey(URL.canParse(redirect) ? new URL(redirect).pathname : redirect))
    target?.source.namedPaths.push(...post.source.namedPaths, ...post.source.addresses)
    target?.oldPaths.push(...post.oldPaths.filter((path) => !target.oldPaths.includes(path)))
    if (target) for (const path of post.oldPaths) byKey.set(pathKey(path), byKey.get(pathKey(path)) ?? target)
  }
}

/** Tells why readers get no page of a file; null if they do. */
export const whyNotRendered = (
  front: FrontMatter,
  file: string,
  options: Pick<FieldOptions, "settings" | "showHidden">,
): Omit<LeftOut, "file"> | null => {
  const { settings } = options
  const reason = settings.tool.skipsPost?.(front, file, settings) ?? whyLeftOut(front, options)
  if (reason) return { ...reason, byField: "hides" }
  if (redirectOf(front) !== null) return { reason: "only a redirect", line: 1 }
  return withoutComments(front.body) === "" ? { reason: "no text", line: front.bodyLine } : null
}

/**
 * Makes a rule that tells by its path why the blog's tool renders no page of a file; null if it may render one.
 * @param isAsked tells whether the file, or a folder above it, is asked for
 */
export const makePathRule = async (
  folder: Folder,
  settings: ToolSettings,
  isAsked: (file: string) => boolean,
): Promise<FileRule> => {
  const { tool } = settings
  const unread = tool.unread?.(settings)
  const skips = await tool.skipsFile?.(folder, settings)
  const skipsUnasked = tool.skipsUnasked?.(settings)
  return (file) => {
    const reason = unread?.(file) ?? unreadKind(file, settings.file !== null)
    if (reason) return reason
    if (!mayBePost(file) || isAboutRepository(file)) return null
    return skips?.(file) ?? (isAsked(file) ? null : skipsUnasked?.(file)) ?? null
  }
}
