import type { Result } from "./run.ts"
import { CLIENTS, type Kind, KINDS, type Row } from "./table.ts"

/** Writes a cell: a bar would end it. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ")

const outcome = ({ gaps, unknown }: Result): string =>
  [...gaps.map((gap) => `Gap: ${gap}`), ...unknown.map((what) => `**Fails**: ${what.slice(0, 300)}`)].join("<br>") ||
  "Works"

/** Writes the page of all clients. */
export const writePage = (results: Map<Row, Result>): string => {
  const sections = (Object.entries(KINDS) as [Kind, (typeof KINDS)[Kind]][]).map(([kind, { title, about }]) => {
    const rows = CLIENTS[kind].map((row) => {
      const result = results.get(row) ?? { version: "", gaps: [], unknown: [] }
      return [row.name, result.version, row.needs, outcome(result)]
    })
    const lines = [["client", "version", "what it needs", "result"], ["---", "---", "---", "---"], ...rows]
    return `## ${title}\n\n${about}\n\n${lines.map((line) => `| ${line.map(cell).join(" | ")} |`).join("\n")}\n`
  })
  return `# Clients

<!-- \`npm run clients\` writes this page. Change packages/edgepost/test/clients instead. -->

What programs of others need to work with edgepost. Each of them was run against the service in the version of the table.
A _gap_ says what does not work, and what to do instead. What edgepost does of each standard is in [standards](standards.md).

${sections.join("\n")}
## Known of the local service

Uploads of 16 MiB and more without a \`Content-Length\` sometimes end with 500 under \`npm start\`, instead of 400 \`file_too_large\`. This is
the local emulator's. Send a \`Content-Length\`, as most clients do by themselves.
`
}
