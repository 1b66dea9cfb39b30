import { posix } from "node:path"

import type { ToolSettings } from "../tools/tool.ts"
import type { Folder } from "./files.ts"
import { type FrontMatter, FrontMatterError } from "./front-matter.ts"
import { knownLanguage } from "./languages.ts"
import { matchesPattern } from "./paths.ts"

/**
 * Reads the fields that folders and the configuration give posts.
 * @returns a function that adds them to a front matter, whose own fields win. It throws FrontMatterError if they cannot be read
 */
export const readDefaults = async (
  folder: Folder,
  settings: ToolSettings,
): Promise<(file: string, front: FrontMatter) => FrontMatter> => {
  const given = (await settings.tool.givenFields?.(folder, settings)) ?? []
  // The nearest folder is the last.
  given.sort((one, other) => one.place.length - other.place.length)
  return (file, front) => {
    const path = file.replace(/\.[^./]+$/, "")
    const langHere = knownLanguage(posix.extname(path).slice(1)) ?? settings.languages[0]
    const fields: Record<string, unknown> = {}
    for (const { place, target, base, lang, fields: added } of given) {
      const isMeant = target === null || [file, path].some((one) => matchesPattern(posix.relative(base, one), target))
      if (lang && lang !== (langHere ?? lang)) continue
      if (!isMeant || (place !== "." && !`${path}/`.startsWith(`${place}/`))) continue
      if (added instanceof Error) throw new FrontMatterError(added.message, 1)
      Object.assign(fields, added)
    }
    const own = new Set(Object.keys(front.data).map((name) => name.toLowerCase()))
    const others = Object.entries(fields).filter(([name]) => !own.has(name.toLowerCase()))
    return others.length === 0 ? front : { ...front, data: { ...front.data, ...Object.fromEntries(others) } }
  }
}
