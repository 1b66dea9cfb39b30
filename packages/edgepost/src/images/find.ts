import { posix } from "node:path"

import type { Folder } from "../folder/files.ts"
import { MARKDOWN } from "../folder/paths.ts"
import { ADDRESS, decode, isOnSite } from "../site.ts"

/** Folders whose files the site shows as if they lay at its root, or that its aliases mean. */
const ROOTS = ["", "static", "public", "assets", "_assets", "src", "src/assets"]

/** The files of a folder that may be images, by what a reference may call them. */
interface Index {
  /** Paths by their NFC form. */
  exact: Map<string, string>
  /** Paths by their NFC form in lower case. */
  folded: Map<string, string[]>
  /** Paths by the file's name, in NFC and lower case. */
  named: Map<string, string[]>
}

const fold = (text: string): string => text.toLowerCase()

/** Returns a path in NFC, without folders with a dot: the tool that uses one shows its images as if they lay above. Matches `.a/`, not `a.b/`. */
const keyOf = (path: string): string => path.normalize("NFC").replaceAll(/(?<![^/])\.[^/]+\//g, "")

const makeIndex = (files: string[]): Index => ({
  exact: new Map(files.map((path) => [keyOf(path), path])),
  folded: Map.groupBy(files, (path) => fold(keyOf(path))),
  named: Map.groupBy(files, (path) => fold(posix.basename(path).normalize("NFC"))),
})

const indexes = new WeakMap<Folder, Index>()

const indexOf = (folder: Folder): Index => {
  const index = indexes.get(folder) ?? makeIndex(folder.files.filter((path) => !MARKDOWN.test(path)))
  indexes.set(folder, index)
  return index
}

/** Returns the path of an address of the old site as `/x`, other references as they are, and null for other addresses. */
const withoutSite = (reference: string, site: URL | null): string | null => {
  if (!ADDRESS.test(reference)) return reference
  const url = URL.canParse(reference, "https://none.invalid") ? new URL(reference, "https://none.invalid") : null
  return site && url && isOnSite(url, site) ? url.pathname : null
}

// Matches the end of "a.png?v=2" and "a.png#right". Does not match "a.png".
const QUERY = /[?#].*$/s
// Matches the beginning of "@site/static/a.png", "~/a.png", "@/a.png", "~@/a.png", "@assets/a.png". Does not match "a@2x.png".
const ALIAS = /^(?:@site\/|[~@]+\/?)/
// Matches the end ".md" of "post.fr.md". Does not match "LICENSE".
const LAST_ENDING = /\.[^.]*$/
// Matches the end ".fr.md" of "post.fr.md". Does not match "LICENSE".
const ENDINGS = /\..*$/

/** Yields the paths from the folder's root that spellings of a reference in `file` may mean; the likeliest first. */
function* candidates(spellings: string[], file: string, base: string): Generator<string> {
  const folder = posix.dirname(file)
  const name = posix.basename(file)
  const parts = folder.split("/")
  for (const path of spellings) {
    if (!path.startsWith("/")) {
      yield posix.join(folder, path)
      // `post.md` and `post.fr.md` have the address `post/`, and tools keep their images in that folder.
      for (const stem of [name.replace(LAST_ENDING, ""), name.replace(ENDINGS, "")])
        yield posix.join(folder, stem, path)
    }
    const rooted = posix.join("/", path.replace(ALIAS, "/"))
    const rooteds = base !== "/" && rooted.startsWith(base) ? [rooted, rooted.slice(base.length)] : [rooted]
    // The root may be deeper in the folder, such as `website/`, `source/` and `content/`.
    for (let depth = 0; depth <= parts.length; depth++)
      for (const root of ROOTS) for (const end of rooteds) yield posix.join(".", ...parts.slice(0, depth), root, end)
  }
}

const depthOf = (path: string): number => path.split("/").length

/** Returns the file of the shortest path, as Obsidian does; null if two are as short. */
const shortest = (paths: string[]): string | null => {
  const [first, second] = paths.toSorted((a, b) => depthOf(a) - depthOf(b))
  return first && (!second || depthOf(first) < depthOf(second)) ? first : null
}

/**
 * Finds the file of the folder that an image reference in the Markdown file `file` means.
 * @param siteUrl the address of the old site, whose images lie in the folder; null if there is none
 * @returns its path from the root, one of `folder.files`; null if there is none, and for other sites' addresses
 */
export const findImageFile = (
  folder: Folder,
  reference: string,
  file: string,
  siteUrl: string | null = null,
): string | null => {
  const { exact, folded, named } = indexOf(folder)
  const site = siteUrl === null ? null : new URL(siteUrl)
  const path = withoutSite(reference.trim(), site)
  if (path === null) return null
  // The last is for names that have `%`, `?` or `#` in them.
  const spellings = [decode(path.replace(QUERY, "")), path.replace(QUERY, ""), path]
  const paths = [...new Set(spellings.map((spelling) => spelling.replaceAll("\\", "/").normalize("NFC")))]
  const all = () => candidates(paths, file, site ? posix.join(site.pathname, "/") : "/")
  for (const candidate of all()) {
    const found = exact.get(candidate)
    if (found !== undefined) return found
  }
  for (const candidate of all()) {
    const [found, other] = folded.get(fold(candidate)) ?? []
    if (found !== undefined && other === undefined) return found
  }
  // A name alone may be Obsidian's, which finds it in any folder.
  for (const name of paths) {
    const found = shortest(named.get(fold(name)) ?? [])
    if (found !== null) return found
  }
  return null
}
