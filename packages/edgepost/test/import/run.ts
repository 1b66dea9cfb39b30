import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

import type { Context } from "../../src/commands/context.ts"
import { importPosts } from "../../src/commands/import.ts"
import type { Given } from "../../src/options.ts"
import { openIo } from "../command.ts"

export const NOW = new Date("2024-12-31T12:00:00Z")

/** Runs the command in this process. @returns its exit code and what it printed */
export const run = async (kind: string, file: string, output: string, options: Given = {}) => {
  const printed: string[] = []
  const terminal = {
    print: (text: string) => void printed.push(text),
    note: () => {},
    progress: () => {},
    style: (_: unknown, text: string) => text,
  }
  const context: Context = {
    ...openIo().io,
    operands: [kind, file],
    options: { output, ...options },
    terminal,
    cwd: process.cwd(),
    now: NOW,
    signal: new AbortController().signal,
  }
  const code = await importPosts(context)
  return { code, screen: printed.join("\n").replaceAll(output, "DIR") }
}

/** Returns all files of a folder as one text, but for hidden ones. */
export const allFiles = async (folder: string): Promise<string> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const shown = entries.filter((entry) => entry.isFile() && !entry.name.startsWith("."))
  const paths = shown.map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(
    paths.toSorted().map(async (path) => {
      const bytes = await readFile(path)
      const text = path.includes("/images/") ? `${bytes.length} bytes\n` : bytes.toString().replaceAll("\r\n", "\n")
      return `===== ${path.slice(folder.length + 1)}\n${text}`
    }),
  )
  return texts.join("\n")
}
