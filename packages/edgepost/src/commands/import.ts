import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"

import { CONFIG_FILES, readConfig } from "../config.ts"
import { type Archive, isZip, openArchive, parseJson, readExport } from "../import/archive.ts"
import { openDownload } from "../import/download.ts"
import { openWriter, type Result } from "../import/files.ts"
import { readGhost } from "../import/ghost.ts"
import { openImages } from "../import/images.ts"
import { readMedium } from "../import/medium.ts"
import type { Imported } from "../import/post.ts"
import { readWordPress } from "../import/wordpress.ts"
import { configFor, type Report, writeImported } from "../import/write.ts"
import { plain } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"
import { type Command, printResult } from "./context.ts"

/** The posts of a file, and the archive with its images. */
interface Export {
  imported: Imported
  archive: Archive | null
}

const fromGhost = async (file: string, now: Date): Promise<Export> => {
  if (!(await isZip(file))) return { imported: readGhost(parseJson(await readExport(file), file), now), archive: null }
  const archive = await openArchive(file)
  // Matches `a.json`. Does not match the files that macOS adds.
  const names = archive.names.filter((name) => /\.json$/i.test(name) && !name.startsWith("__MACOSX/"))
  const [name] = names.toSorted((a, b) => a.split("/").length - b.split("/").length)
  if (name === undefined) throw new UsageError(`${file} holds no JSON.`, "Add the JSON that Ghost exports to it.")
  return { imported: readGhost(parseJson(await archive.read(name), name), now), archive }
}

const fromWordPress = async (file: string, now: Date): Promise<Export> => {
  if (await isZip(file)) throw new UsageError(`${file} is a zip.`, "Unpack it, and give the XML file.")
  return { imported: readWordPress((await readExport(file)).toString("utf8"), now), archive: null }
}

const fromMedium = async (file: string, now: Date): Promise<Export> => {
  const archive = await openArchive(file)
  return { imported: await readMedium(archive, now), archive }
}

const KINDS: Record<string, (file: string, now: Date) => Promise<Export>> = {
  ghost: fromGhost,
  wordpress: fromWordPress,
  medium: fromMedium,
}

const showReport = (report: Report, results: Map<string, Result>, folder: string): string => {
  const { posts, drafts, remote, leftOut, warnings } = report
  const count = (result: Result) => [...results.values()].filter((one) => one === result).length
  const differing = [...results].filter(([, result]) => result === "differs")
  return [
    ...leftOut.map(({ post, message }) => `left out   ${post}: ${message}`),
    ...warnings.map(({ post, message }) => `warning    ${post}: ${message}`),
    ...differing.map(([file]) => `differs    ${file}: kept. --force replaces it.`),
    `Posts: ${posts}, drafts among them: ${drafts}, left out: ${leftOut.length}.`,
    ...(remote > 0 ? [`Images that stay on the web: ${remote}. --download-images saves them.`] : []),
    `Files written to ${folder}: ${count("written")}, unchanged: ${count("unchanged")}.`,
  ]
    .map(plain)
    .join("\n")
}

/** Writes the posts of another service as a folder of Markdown. */
export const importPosts: Command = async (context) => {
  const { operands, options, cwd, terminal, now, signal } = context
  const [kind = "", path = ""] = operands
  const read = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (!read) throw new UsageError(`${kind} is no kind of export.`, `Give one of ${Object.keys(KINDS).join(", ")}.`)
  if (options.output === undefined) throw new UsageError("The folder to write to is missing.", "Give it: -o DIR.")
  const file = resolve(cwd, path)
  terminal.progress(`Reading ${path}…`)
  const { imported, archive } = await read(file, now)
  const folder = resolve(cwd, options.output)
  // Ghost does not export it.
  imported.siteUrl ??= readConfig(folder).site_url
  const writer = await openWriter(folder, options.force ?? false)
  const findImage = await openImages(file, archive, options["download-images"] ? openDownload(signal) : null)
  const report = await writeImported(imported, writer, findImage, (slug, i) => {
    signal.throwIfAborted()
    terminal.progress(`${i + 1} of ${imported.posts.length}: ${slug}`)
  })
  if (!CONFIG_FILES.some((name) => existsSync(join(folder, name))))
    await writer.write("edgepost.config.yaml", configFor(`${kind}-${randomBytes(4).toString("hex")}`, imported.siteUrl))
  const { results } = writer
  const files = [...results].map(([name, result]) => ({ file: name, result }))
  printResult(context, { kind, folder, ...report, files }, () =>
    [showReport(report, results, options.output ?? ""), `Next: edgepost plan ${options.output}`].join("\n"),
  )
  return files.some(({ result }) => result === "differs") ? 1 : 0
}
