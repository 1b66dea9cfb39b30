import { resolve } from "node:path"

import { configFilesIn, readConfig } from "../config.ts"
import { type Archive, isZip, openArchive, parseJson, readExport } from "../import/archive.ts"
import { openDownload } from "../import/download.ts"
import { openWriter, type Result } from "../import/files.ts"
import { isGhost, readGhost } from "../import/ghost.ts"
import { openImages, shortHash } from "../import/images.ts"
import { readMedium } from "../import/medium.ts"
import type { Imported } from "../import/post.ts"
import { readWordPress } from "../import/wordpress.ts"
import { configFor, type ImportReport, writeImported } from "../import/write.ts"
import { plain } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"
import { type Command, printResult } from "./context.ts"

/** The posts of a file, and the archive with its images. */
interface Export {
  imported: Imported
  archive: Archive | null
}

/** Lists the files of an archive with an extension, but for those that macOS adds. */
const namesWith = (extension: string, { names }: Archive): string[] =>
  names.filter((name) => name.toLowerCase().endsWith(extension) && !name.startsWith("__MACOSX/"))

const fromGhost = async (file: string, now: Date, siteUrl: string | null): Promise<Export> => {
  if (!(await isZip(file)))
    return { imported: readGhost(parseJson(await readExport(file), file), now, siteUrl), archive: null }
  const archive = await openArchive(file)
  const names = namesWith(".json", archive).toSorted((a, b) => a.split("/").length - b.split("/").length)
  for (const name of names) {
    const json = parseJson(await archive.read(name), name)
    // Another one is of redirects.
    if (isGhost(json)) return { imported: readGhost(json, now, siteUrl), archive }
  }
  throw new UsageError(`${file} holds no JSON of posts.`, "Add the JSON that Ghost exports to it.")
}

const fromWordPress = async (file: string, now: Date): Promise<Export> => {
  if (!(await isZip(file))) return { imported: readWordPress([await readExport(file)], now), archive: null }
  // WordPress.com exports a zip, with several files if the blog is large.
  const archive = await openArchive(file)
  const names = namesWith(".xml", archive)
  if (names.length === 0) throw new UsageError(`${file} holds no XML.`, "Give the export of WordPress.")
  const texts: Buffer[] = []
  for (const name of names.toSorted()) texts.push(await archive.read(name))
  return { imported: readWordPress(texts, now), archive }
}

const fromMedium = async (file: string, now: Date): Promise<Export> => {
  const archive = await openArchive(file)
  return { imported: await readMedium(archive, now), archive }
}

const KINDS: Record<string, (file: string, now: Date, siteUrl: string | null) => Promise<Export>> = {
  ghost: fromGhost,
  wordpress: fromWordPress,
  medium: fromMedium,
}

/** Missing images of a reason that are shown; `--json` has all. */
const SHOWN_IMAGES = 20

/** Returns a line for each reason, and below it the images that are missing for it. */
const missingLines = (missing: ImportReport["missing"]): string[] =>
  [...Map.groupBy(missing, ({ message }) => message)].flatMap(([message, all]) => [
    `no image   ${message}`,
    ...all.slice(0, SHOWN_IMAGES).map(({ post, image }) => `           ${post}: ${image.slice(0, 200)}`),
    ...(all.length > SHOWN_IMAGES ? [`           and ${all.length - SHOWN_IMAGES} more, which --json lists`] : []),
  ])

const showReport = (
  report: ImportReport,
  results: Map<string, Result>,
  folder: string,
  isDownload: boolean,
): string => {
  const { posts, drafts, remote, leftOut, warnings, missing, stale } = report
  const count = (result: Result) => [...results.values()].filter((one) => one === result).length
  const differing = [...results].filter(([, result]) => result === "differs")
  return [
    ...leftOut.map(({ post, message }) => `left out   ${post}: ${message}`),
    ...warnings.map(({ post, message }) => `warning    ${post}: ${message}`),
    ...missingLines(missing),
    ...stale.map(
      (file) =>
        `stale      ${file}: it is of an earlier import, and not in this export. Delete it if the old blog has no such post.`,
    ),
    ...differing.map(([file]) => `differs    ${file}: kept, since it was edited. --force replaces it.`),
    `Posts: ${posts}, drafts among them: ${drafts}, left out: ${leftOut.length}.`,
    ...(remote > 0
      ? [
          `Images left on the web: ${remote}. ${isDownload ? "Import again to try once more." : "--download-images saves them."}`,
        ]
      : []),
    `Files written to ${folder}: ${count("written")}, unchanged: ${count("unchanged")}.`,
  ]
    .map(plain)
    .join("\n")
}

/** Returns a name as a shell takes it. Matches `my-blog/a.b`. Does not match `my blog`. */
const quoted = (name: string): string =>
  /^[\w./~-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`

/** Writes the posts of another service as a folder of Markdown. */
export const importPosts: Command = async (context) => {
  const { operands, options, cwd, terminal, now, signal } = context
  const [kind = "", path = ""] = operands
  const read = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (!read) throw new UsageError(`${kind} is not a kind of export.`, `Give one of ${Object.keys(KINDS).join(", ")}.`)
  if (options.output === undefined) throw new UsageError("The folder to write to is missing.", "Give it: -o DIR.")
  const file = resolve(cwd, path)
  terminal.progress(`Reading ${path}…`)
  const folder = resolve(cwd, options.output)
  const config = readConfig(folder)
  const { imported, archive } = await read(file, now, config.site_url)
  imported.siteUrl ??= config.site_url
  const source = `${kind}-${shortHash(imported.id)}`
  const writer = await openWriter(folder, options.force ?? false)
  const images = await openImages(
    file,
    { archive, siteUrl: imported.siteUrl },
    options["download-images"] ? openDownload(signal) : null,
  )
  try {
    const report = await writeImported(imported, writer, images, (slug, i) => {
      signal.throwIfAborted()
      terminal.progress(`${i + 1} of ${imported.posts.length}: ${slug}`)
    })
    const hasConfig = configFilesIn(folder).length > 0
    if (!hasConfig) await writer.write("edgepost.config.yaml", configFor(source, imported.siteUrl))
    const files = [...writer.results].map(([name, result]) => ({ file: name, result }))
    const next = [
      ...(hasConfig && config.source === null ? [`Add to the configuration: source: ${source}`] : []),
      `Next: edgepost plan ${quoted(options.output)}`,
    ]
    printResult(context, { kind, folder, ...report, files }, () =>
      [showReport(report, writer.results, options.output ?? "", options["download-images"] ?? false), ...next].join(
        "\n",
      ),
    )
    return files.some(({ result }) => result === "differs") ? 1 : 0
  } finally {
    await writer.close()
  }
}
