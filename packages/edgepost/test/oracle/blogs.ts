import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join, relative } from "node:path"

import { copyBlog, write } from "../blogs.ts"
import { JUDGED, TOOL_NAMES, type ToolName } from "../tools/judged.ts"
import type { Judged } from "./judged.ts"

// The blogs that the real tools build, and how each is put together. dev.to, Hashnode and Obsidian have no tool that could be run.

export interface Blog {
  name: string
  tool: ToolName
  /** Copies the blog into an empty folder. */
  copyTo: (folder: string) => Promise<void>
}

const SAMPLES = join(import.meta.dirname, "../samples")
const TOOLS = join(import.meta.dirname, "../tools")

/** Puts off dates that are ahead, so that they stay so. */
// Matches `publishDate: 2027-02-04` and `_posts/2027-01-18-a.md`, not `2024-02-04`.
const putOff = (text: string): string => text.replaceAll(/\b2027-/g, "2099-")

const copySample = async (from: string, to: string): Promise<void> => {
  for (const file of await listFiles(from)) {
    const bytes = await readFile(join(from, file))
    // Only an image has a NUL.
    await write(join(to, putOff(file)), bytes.includes(0) ? bytes : putOff(bytes.toString()))
  }
}

const writeAll = async (folder: string, files: Record<string, string>): Promise<void> => {
  for (const [file, text] of Object.entries(files)) await write(join(folder, file), text)
}

const sample = (tool: ToolName, name: string): Blog => ({
  name: `sample-${name}`,
  tool,
  copyTo: (folder) => copySample(join(SAMPLES, name), folder),
})

/** Puts files of a sample where a tool looks for posts. */
const posts = (tool: ToolName, name: string, files: string[]): Blog => ({
  name: `${tool}-${name}`,
  tool,
  copyTo: async (folder) => {
    const { frame, place } = JUDGED[tool]
    await writeAll(folder, frame)
    const config = await readFile(join(SAMPLES, name, "edgepost.config.yaml"), "utf8")
    await write(join(folder, "edgepost.config.yaml"), `${config}site_url: https://blog.example\n`)
    for (const file of files) await cp(join(SAMPLES, name, file), join(folder, place(basename(file))))
  },
})

/** Takes the files of the sample `unrendered` that are of one tool. */
const unrendered = (tool: ToolName, starts: string[]): Blog => ({
  name: `unrendered-${tool}`,
  tool,
  copyTo: async (folder) => {
    const { frame } = JUDGED[tool]
    await writeAll(folder, frame)
    await copySample(join(SAMPLES, "unrendered"), folder)
    for (const file of await listFiles(folder))
      if (!starts.some((start) => file.startsWith(start)) && !(file in frame)) await rm(join(folder, file))
  },
})

/** A blog of the tool's own folder. */
const own = (tool: ToolName, name: string): Blog => ({
  name,
  tool,
  copyTo: async (folder) => {
    const copy = await copyBlog(name)
    await cp(copy, folder, { recursive: true })
    await rm(dirname(copy), { recursive: true })
  },
})

const blogsOf = (tool: ToolName): Blog[] => {
  const { samples = [], unrendered: starts, posts: lists }: Judged = JUDGED[tool]
  return [
    ...readdirSync(join(TOOLS, tool, "blogs")).map((name) => own(tool, name)),
    ...(starts ? [unrendered(tool, starts)] : []),
    ...samples.map((name) => sample(tool, name)),
    ...Object.entries(lists).map(([name, files]) => posts(tool, name, files)),
  ]
}

export const BLOGS: Blog[] = TOOL_NAMES.flatMap(blogsOf)

/** Returns the paths of all files of a folder, sorted. */
export async function listFiles(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return files.map((file) => relative(folder, file)).toSorted()
}

/** Copies a blog into a new folder. @returns the folder, and the path of a file by the SHA-256 of its bytes */
export const copyOf = async ({
  name,
  tool,
  copyTo,
}: Blog): Promise<{ folder: string; byHash: Map<string, string> }> => {
  const folder = join(await mkdtemp(join(tmpdir(), "edgepost-oracle-")), name)
  await mkdir(folder)
  await copyTo(folder)
  const judged: Judged = JUDGED[tool]
  for (const [file, text, instead] of judged.edits?.[name] ?? []) {
    const path = join(folder, file)
    await writeFile(path, (await readFile(path, "utf8").catch(() => "")).replace(text, instead))
  }
  const byHash = new Map<string, string>()
  for (const file of await listFiles(folder)) {
    const path = join(folder, file)
    const hash = createHash("sha256")
      .update(await readFile(path))
      .digest("hex")
    if (!byHash.has(hash)) byHash.set(hash, file)
  }
  return { folder, byHash }
}
