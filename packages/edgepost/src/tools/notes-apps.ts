import { posix } from "node:path"

import type { Folder } from "../folder/files.ts"
import { readData } from "./configuration.ts"
import { dendron } from "./dendron.ts"
import { JOPLIN, joplin } from "./joplin.ts"
import { logseq } from "./logseq.ts"
import { notion } from "./notion.ts"
import type { Tool, ToolSettings } from "./tool.ts"

// Folders of apps for notes: nothing in them says which notes are for readers.

/** Apps for notes, by the files that only they write. One without rules of its own has only a name. */
const APPS: [app: Pick<Tool, "name" | "skipsNote">, sign: RegExp][] = [
  [logseq, /(?:^|\/)logseq\/config\.edn$/],
  [dendron, /(?:^|\/)dendron\.yml$/],
  [{ name: "Foam" }, /(?:^|\/)\.foam\//],
  [{ name: "Obsidian" }, /(?:^|\/)\.obsidian\//],
  // Matches `Plan 0123456789abcdef0123456789abcdef.md`. Does not match `Plan 2024.md`.
  [notion, / [0-9a-f]{32}\.md$/],
]

const MAX_NOTES = 20
const MAX_BYTES = 2 ** 20

const appByPaths = ({ files, signs }: Pick<Folder, "files" | "signs">) =>
  APPS.find(([, sign]) => [...signs, ...files].some((path) => sign.test(path)))?.[0] ?? null

/** Names the app that has written a folder, by its paths; null for other folders. */
export const notesApp = (folder: Pick<Folder, "files" | "signs">): string | null => appByPaths(folder)?.name ?? null

/** Tells whether a folder is one of Obsidian that shows a single line end as a line break: its default. */
export const breaksInApp = async (folder: Folder): Promise<boolean> => {
  if (notesApp(folder) !== "Obsidian") return false
  const settings = folder.files.find((path) => path.endsWith(".obsidian/app.json"))
  return settings === undefined || (await readData(folder, settings))["strictLineBreaks"] !== true
}

/** Tells whether all of the first notes have the front matter of Joplin. */
const isOfJoplin = async ({ files, read }: Folder): Promise<boolean> => {
  const notes = files.filter((file) => posix.extname(file) === ".md").slice(0, MAX_NOTES)
  for (const note of notes) if (!JOPLIN.test(await read(note, MAX_BYTES).then(String, () => ""))) return false
  return notes.length > 0
}

/** Finds the app that has written a folder; null for other folders. */
export const findApp = async (folder: Folder): Promise<ToolSettings["app"]> =>
  appByPaths(folder) ?? ((await isOfJoplin(folder)) ? joplin : null)

/** Tells whether a room is one of an app for notes. */
export const isApp = (room: Tool): boolean => room === joplin || APPS.some(([app]) => app === room)

/** Returns the question that the author of a folder of notes must answer before its first publication. */
export const askAboutNotes = (app: string): string =>
  `The folder is one of ${app}, and nothing says which of its notes are for readers. Set \`publish_by\` in edgepost.config.yaml: to the name of the field that says yes in these notes, such as \`publish_by: publish\`, or to \`all\`.`
