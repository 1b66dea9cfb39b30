import { posix } from "node:path"

import type { ToolSettings } from "../tools/tool.ts"
import type { Folder } from "./files.ts"
import { type FrontMatter, FrontMatterError } from "./front-matter.ts"
import { knownLanguage } from "./languages.ts"
import { matcherOf } from "./paths.ts"

/**
 * Reads the fields that folders and the configuration give posts.
 * @returns a function that adds them to a front matter, whose own fields win. It throws FrontMatterError if they cannot be read
 */
export const readDefaults = async (
  folder: Folder,
  settings: ToolSettings,
): Promise<(file: string, front: FrontMatter) => FrontMatter> => {
  const given = (await settings.tool.givenFields?.(folder, settings)) ?? []
  const byPlace = Map.groupBy(
    given.map((one) => ({ ...one, isMeant: one.target === null ? () => true : matcherOf([one.target]) })),
    ({ place }) => place,
  )
  return (file, front) => {
    const path = file.replace(/\.[^./]+$/, "")
    const langHere = knownLanguage(posix.extname(path).slice(1)) ?? settings.languages[0]
    const used: Record<string, unknown>[] = []
    const folders = path.split("/").map((_, i, parts) => parts.slice(0, i + 1).join("/"))
    // The nearest folder is the last, and the file itself after it.
    for (const { isMeant, isOf, base, lang, fields: added } of [".", ...folders, file].flatMap(
      (at) => byPlace.get(at) ?? [],
    )) {
      if ((lang && lang !== (langHere ?? lang)) || isOf?.(file) === false) continue
      if (![file, path].some((one) => isMeant(posix.relative(base, one)))) continue
      if (added instanceof Error) throw new FrontMatterError(added.message, 1)
      used.push(added)
    }
    if (used.length === 0) return front
    const own = new Set(Object.keys(front.data).map((name) => name.toLowerCase()))
    const others = used.flatMap(Object.entries).filter(([name]) => !own.has(name.toLowerCase()))
    return { ...front, data: { ...front.data, ...Object.fromEntries(others) }, given: used }
  }
}
