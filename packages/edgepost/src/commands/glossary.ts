import { readFile } from "node:fs/promises"
import { resolve } from "node:path"

import type { Client } from "../client/index.ts"
import { readGlossary, writeGlossary } from "../glossary-csv.ts"
import { replaceFile } from "../replace-file.ts"
import { plain, toJson } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"
import { confirm } from "./ask.ts"
import { type Command, type Context, openClient, printResult, readConfigHere } from "./context.ts"

/** Terms that a request may look for. */
const TERMS_A_CALL = 50

/** Sums what `retranslateTerms` answers for all terms. A post with terms of two calls counts twice. */
const forTerms = async (client: Client, terms: string[], options: { dryRun: boolean }) => {
  const sum = { posts: 0, translations: 0 }
  for (let i = 0; i < terms.length; i += TERMS_A_CALL) {
    const found = await client.retranslateTerms(terms.slice(i, i + TERMS_A_CALL), options)
    sum.posts += found.posts
    sum.translations += found.translations
  }
  return sum
}

const readTerms = async (path: string) => {
  const bytes = await readFile(path).catch(() => {
    throw new UsageError(`${path} cannot be read.`, "Give the path of a CSV file.")
  })
  return readGlossary(bytes)
}

/** Asks whether to translate again, unless an option or the lack of a terminal answers. */
const wantsAgain = async (context: Context, translations: number): Promise<boolean> => {
  const { options, stdin } = context
  if (options.retranslate || translations === 0 || options.json || !stdin.isTTY) return options.retranslate ?? false
  return confirm(context, "Translate these again?")
}

const importTerms = async (context: Context, file: string): Promise<number> => {
  const { options, cwd } = context
  const entries = await readTerms(resolve(cwd, file))
  const client = openClient(context, readConfigHere(context))
  const before = new Map((await client.listGlossary()).map((entry) => [entry.term, JSON.stringify(entry)]))
  const given = new Set(entries.map(({ term }) => term))
  const others = [...before.keys()].filter((term) => !given.has(term))
  const removed = options.prune ? others : []
  const after = await client.changeGlossary({ entries, removed })
  const changed = after.filter((entry) => given.has(entry.term) && before.get(entry.term) !== JSON.stringify(entry))
  const added = changed.filter(({ term }) => !before.has(term))
  // With the option those of earlier imports as well: what is translated already is not sent again.
  const sought = options.retranslate ? [...given, ...removed] : [...changed.map(({ term }) => term), ...removed]
  const found = await forTerms(client, sought, { dryRun: true })
  const counts = { added: added.length, changed: changed.length - added.length, removed: removed.length }
  const lines = [
    `${counts.added} added, ${counts.changed} changed, ${counts.removed} removed; ${after.length} terms.`,
    ...(others.length > removed.length ? [`${others.length} other terms stay; --prune deletes them.`] : []),
    ...(sought.length > 0
      ? [`Posts with the words of these terms: ${found.posts}, translations: ${found.translations}.`]
      : []),
  ]
  if (!options.json) printResult(context, {}, () => lines.map(plain).join("\n"))
  const isAgain = await wantsAgain(context, found.translations)
  if (isAgain) await forTerms(client, sought, { dryRun: false })
  const last = isAgain
    ? "They wait to be translated again."
    : "They stay as they are. --retranslate translates them again."
  if (options.json) printResult(context, { ...counts, terms: after.length, ...found, retranslated: isAgain }, () => "")
  else if (found.translations > 0) printResult(context, {}, () => last)
  return 0
}

const exportTerms = async (context: Context, file: string | undefined): Promise<number> => {
  const { cwd, terminal, options } = context
  const entries = await openClient(context, readConfigHere(context)).listGlossary()
  const text = writeGlossary(entries)
  if (file === undefined) terminal.print(options.json ? toJson({ entries }) : text.trimEnd().replaceAll("\r\n", "\n"))
  else {
    await replaceFile(resolve(cwd, file), text)
    if (!options.json) terminal.print(plain(`Wrote ${entries.length} terms to ${file}.`))
  }
  return 0
}

/** Brings the terms of a CSV file into the glossary, or writes the glossary as such a file. */
export const glossary: Command = (context) => {
  const [action, file] = context.operands
  if (action === "export") return exportTerms(context, file)
  if (action !== "import" || file === undefined)
    throw new UsageError(
      "Say what to do with the glossary.",
      "Give `edgepost glossary import FILE` or `edgepost glossary export [FILE]`.",
    )
  return importTerms(context, file)
}
