// Does what the command line does with a folder of one file.
import { folderOf } from "../../packages/edgepost/test/folder/folder.ts"
import { planOf } from "../../packages/edgepost/test/markdown/plan.ts"
import type { Body, Outcome } from "./bodies.ts"

const HEAD = "---\ntitle: A\ndate: 2024-01-01T00:00:00Z\n---\n\nWords.\n\n"
/** Characters of front matter that are read. */
const MAX_FRONT_MATTER = 65_000

/** Returns the files of a folder which hold the body: as a text, as old addresses, or as fields. */
const filesOf = ({ kind, family, text }: Body): Record<string, string> => {
  const isText = !family.startsWith("text")
  if (kind === "html") return { "_posts/2024-01-01-a.html": HEAD + text }
  if (kind === "markdown" || isText) return { "posts/a.md": HEAD + text }
  if (kind === "csv") return { "posts/a.md": HEAD, "redirects.csv": text }
  const json = text.slice(0, MAX_FRONT_MATTER)
  return {
    "posts/a.md": HEAD.replace("date:", `data: ${json}\ndate:`),
    "posts/b.md": `;;;\n"a": ${json}\n;;;\n\nWords.\n`,
  }
}

/** Plans a folder without the service. */
export const convert = async (body: Body): Promise<Outcome> => {
  const { entries } = await planOf(folderOf(filesOf(body)), { source: "a" })
  const found = entries.flatMap(({ findings }) => findings).find(({ level }) => level === "error")
  return { refused: found ? `${found.code}: ${found.message}` : null, steps: 0 }
}
