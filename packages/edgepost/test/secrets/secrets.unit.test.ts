import * as fc from "fast-check"
import { expect, test } from "vitest"

import { searchProperty } from "../../../../test/search.ts"
import { folderOf } from "../folder/folder.ts"
import { desiredOf, planOf } from "../markdown/plan.ts"
import { type Files, type Made, makeAll, wantedOf, wordsOf, write } from "./folders.ts"
import { blocksOf, DESCRIPTIONS, type Dialect, DIALECTS, NOTES, STARTS, TITLES } from "./places.ts"

/** Returns what is wrong with what a folder would publish: a secret that is there, a word that is not, a post that is blocked. */
const findWrong = async ({ files, rendered }: Files, { config }: Dialect): Promise<string[]> => {
  const plan = await planOf(folderOf(files), config)
  // A file that is not rendered may block its post.
  const entries = plan.entries.filter(({ action, file }) => action !== "blocked" || rendered.includes(file ?? ""))
  const desired = entries.map(({ slug }) => desiredOf(plan, slug))
  // A draft is not shown.
  const sent = desired.filter(({ file, fields }) => rendered.includes(file) || fields.status !== "DF")
  const secrets = sent.flatMap(({ file, source, translations, fields }) =>
    (JSON.stringify([source, translations, fields]).match(/.{0,40}SECRET.{0,20}/g) ?? []).map(
      (text) => `${file} sends ${text}`,
    ),
  )
  const blocked = entries.flatMap(({ findings }) =>
    findings.filter(({ level }) => level === "error").map(({ file, line, message }) => `${file}:${line} ${message}`),
  )
  const lost = rendered.filter((file) => {
    const body = desired.find((post) => post.file === file)?.source.body ?? ""
    return wordsOf(body).join() !== wantedOf(files[file] ?? "").join()
  })
  const wrong = [...secrets, ...blocked, ...lost.map((file) => `${file} loses words`)]
  return wrong.map((one) => `${one}\n${files[one.split(/:| sends | loses /)[0] ?? ""] ?? ""}`)
}

const made: fc.Arbitrary<Made> = fc.constantFrom(...Object.values(DIALECTS)).chain((dialect) => {
  const blocks = fc.array(fc.constantFrom(...blocksOf(dialect)), { minLength: 1, maxLength: 8 })
  const { toml = [], fields = [], folders = [], settings = [] } = dialect
  const post = fc.record({
    title: fc.constantFrom(...TITLES, ...toml),
    notes: fc.subarray(NOTES, { maxLength: 2 }),
    description: fc.constantFrom(...DESCRIPTIONS),
    blocks,
  })
  const left = fc.record({
    fields: fc.constantFrom(...fields, ...(DIALECTS["plain"]?.fields ?? [])),
    blocks,
    start: fc.constantFrom("", "", ...STARTS),
  })
  return fc.record({
    dialect: fc.constant(dialect),
    lineEnd: fc.constantFrom("\n", "\r\n"),
    posts: fc.array(post, { minLength: 1, maxLength: 3 }),
    unrendered: fc.array(left, { maxLength: 2 }),
    others: fc.constantFrom({}, ...folders),
    settings: fc.subarray(settings),
  })
})

test.each(Object.entries(DIALECTS))(
  "nothing that a blog of the tool %s hides is sent, and every word that it shows is",
  async (_, dialect) => {
    for (const folder of makeAll(dialect)) expect(await findWrong(write(folder), dialect)).toEqual([])
  },
)

test("generated folders of posts in any dialect send nothing that is hidden, and every word that is shown", async () => {
  const property = fc.asyncProperty(made, async (folder) => {
    expect(await findWrong(write(folder), folder.dialect)).toEqual([])
  })
  await searchProperty(200, property)
})
