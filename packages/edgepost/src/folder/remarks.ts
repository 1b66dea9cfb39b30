import { posix } from "node:path"

import { some } from "../terminal.ts"
import type { Tool } from "../tools/tool.ts"
import { git } from "../workspace/git.ts"
import type { Folder } from "./files.ts"
import type { Source } from "./source.ts"

// Says once about a folder what concerns several of its posts.

/** Says which posts a field hides here although the blog's tool shows them. */
export const remarkHidden = (sources: Source[], tool: Tool): string[] => {
  const hidden = sources.filter(({ fields }) => fields.hiddenBy !== null)
  if (hidden.length === 0) return []
  const names = [...new Set(hidden.map(({ fields }) => `\`${fields.hiddenBy}\``))]
  const files = some(hidden.map(({ variant }) => variant.file))
  return [
    `${tool.name} shows ${hidden.length} of the files that ${names.join(", ")} hides here: ${files}. To publish them, set \`show_hidden_fields: true\` in edgepost.config.yaml.`,
  ]
}

/** Finds which of some files Git ignores: none without Git, outside of a repository, and without a `.gitignore` in the folder. */
const findIgnored = async ({ root, files: all }: Folder, files: string[]): Promise<string[]> => {
  if (!all.some((file) => posix.basename(file) === ".gitignore")) return []
  const command = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"]
  const ignored = new Set((await git(root, ...command).catch(() => "")).split("\0"))
  // Git prints a folder that has no other files, as `a/`, in place of what lies in it.
  const isIgnored = (path: string): boolean =>
    ignored.has(path) || (path !== "./" && isIgnored(posix.join(posix.dirname(path), "/")))
  return files.filter(isIgnored)
}

/** Says which posts Git ignores. */
export const remarkIgnored = async (folder: Folder, files: string[]): Promise<string[]> => {
  const ignored = await findIgnored(folder, [...new Set(files)])
  return ignored.length === 0
    ? []
    : [`Git ignores ${ignored.length} of the posts' files, which other checkouts do not have: ${some(ignored)}.`]
}
