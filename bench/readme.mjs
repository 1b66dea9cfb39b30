// Tables of a bench's README, put between `<!-- name -->` and `<!-- end -->`.
import { readFileSync, writeFileSync } from "node:fs"

const row = (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`

/** A Markdown table; the first row is its head. */
export const table = ([head, ...rows]) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

/** Puts texts into the README at a URL, each where its name stands. */
export const putIn = (url, texts) => {
  let readme = readFileSync(url, "utf8")
  for (const [name, text] of Object.entries(texts))
    readme = readme.replace(
      new RegExp(`(<!-- ${name} -->)[^]*?(<!-- end -->)`),
      (_, start, end) => `${start}\n\n${text}\n\n${end}`,
    )
  writeFileSync(url, readme)
}
