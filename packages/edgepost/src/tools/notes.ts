import { posix } from "node:path"

import type { Folder } from "../folder/files.ts"
import { readData } from "./configuration.ts"

// Folders of apps for notes: nothing in them says which notes are for readers.

/** Apps for notes, by the files that only they write. */
const APPS: [name: string, sign: RegExp][] = [
  ["Logseq", /(?:^|\/)logseq\/config\.edn$/],
  ["Dendron", /(?:^|\/)dendron\.yml$/],
  ["Foam", /(?:^|\/)\.foam\//],
  ["Obsidian", /(?:^|\/)\.obsidian\//],
  // Matches `Plan 0123456789abcdef0123456789abcdef.md`. Does not match `Plan 2024.md`.
  ["Notion", / [0-9a-f]{32}\.md$/],
]

/** Matches the front matter that Joplin writes. Does not match dates without seconds or without the `Z`. */
const JOPLIN =
  /^---\n(?=(?:.+\n)*updated: \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\n)(?=(?:.+\n)*created: \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\n)/
const MAX_NOTES = 20
const MAX_BYTES = 2 ** 20

/** Names the app that has written a folder, by its paths; null for other folders. */
export const notesApp = ({ files, signs }: Pick<Folder, "files" | "signs">): string | null =>
  APPS.find(([, sign]) => [...signs, ...files].some((path) => sign.test(path)))?.[0] ?? null

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

/** Returns the question that the author of a folder of notes must answer before its first publication; null for other folders. */
export const askAboutNotes = async (folder: Folder): Promise<string | null> => {
  const app = notesApp(folder) ?? ((await isOfJoplin(folder)) ? "Joplin" : null)
  return app === null
    ? null
    : `The folder is one of ${app}, and nothing says which of its notes are for readers. Set \`publish_by\` in edgepost.config.yaml: to the name of the field that says yes in these notes, such as \`publish_by: publish\`, or to \`all\`.`
}

/** Tells why a file of an app's own folders is no post; null for notes. */
export const skipOfApp = (folder: Folder, publishesAll: boolean): ((file: string) => string | null) => {
  // Matches days and copies of Logseq: `journals/2024_05_02.md`, `logseq/bak/a.md`. Does not match `pages/a.md`.
  const own = publishesAll ? /(?:^|\/)logseq\// : /(?:^|\/)(?:journals|logseq)\//
  return notesApp(folder) === "Logseq" ? (file) => (own.test(file) ? "a file of Logseq" : null) : () => null
}
