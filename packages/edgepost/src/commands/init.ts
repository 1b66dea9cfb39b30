import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { basename, join, resolve } from "node:path"

import { stringify } from "yaml"

import { CONFIG_FILES } from "../config.ts"
import { UsageError } from "../usage-error.ts"
import { type Command, requireFolder } from "./context.ts"

const fileFor = (source: string, timezone: string): string => `# Settings of \`edgepost publish\`. All are optional.

# The mark of this folder's posts, by which \`--prune\` knows them.
${stringify({ source })}
# The category of posts that have none, in their front matter or by their folder.
category: Blog

# The time zone of dates without an offset.
${stringify({ timezone })}
# The old site, whose links become links to the posts.
# site_url: https://old.example/

# The language of posts that name none, and the languages into which posts are translated; else those of your account.
# primary_language: en
# translation_languages: [fr, es]
`

/** Writes a configuration file with the usual fields, and replaces none. */
export const init: Command = async ({ operands, cwd, terminal }) => {
  const folder = resolve(cwd, operands[0] ?? ".")
  if (!existsSync(folder)) throw new UsageError(`There is no folder ${folder}.`, "Make it first.")
  requireFolder(folder)
  const found = CONFIG_FILES.find((name) => existsSync(join(folder, name)))
  if (found !== undefined) throw new UsageError(`${found} is there already.`, "Change it with an editor.")
  const file = join(folder, "edgepost.config.yaml")
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  // Two folders of an account may have the same name.
  const source = `${basename(folder).slice(0, 180)}-${randomBytes(4).toString("hex")}`
  await writeFile(file, fileFor(source, timeZone), { flag: "wx" })
  terminal.print(
    `Wrote ${file}. Look at its timezone, category and site_url. Next: edgepost plan ${operands[0] ?? "."}`,
  )
  return 0
}
