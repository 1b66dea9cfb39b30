import { randomUUID } from "node:crypto"
import { appendFileSync } from "node:fs"

// The interface of a step to GitHub: commands in its log, outputs and a summary in files. Source: "Workflow commands" in GitHub's docs.

/** Matches what ends a command's text or begins an escape: `%`, a line break. Does not match `:`. */
const escapeData = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")

const escapeProperty = (text: string): string => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C")

/** Returns a command of the log, such as `::error file=a.md,line=3::Text`. */
export const toCommand = (name: string, properties: Record<string, string | number>, text: string): string => {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`)
  return `::${[name, list.join(",")].filter((part) => part !== "").join(" ")}::${escapeData(text)}`
}

/** Returns the commands between which GitHub looks for no commands in a log. */
export const textMarks = (): [start: string, end: string] => {
  const token = randomUUID()
  return [`::stop-commands::${token}`, `::${token}::`]
}

/** Sets an output of the step. @param file that of GITHUB_OUTPUT */
export const setOutput = (file: string, name: string, value: string): void => {
  const end = randomUUID()
  appendFileSync(file, `${name}<<${end}\n${value}\n${end}\n`)
}

/** Returns a text as code in Markdown: no markup, link, mention or HTML of it takes effect. */
export const toCode = (text: string): string => {
  // Matches whitespace, and the backticks in `a ``b`` c`.
  const line = text.toWellFormed().replaceAll(/\s+/g, " ").trim()
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = "`".repeat(longest + 1)
  return line === "" ? "" : `${fence} ${line} ${fence}`
}
