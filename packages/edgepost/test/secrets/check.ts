import * as fc from "fast-check"

import { readConfig } from "../../src/config.ts"
import { makePlan } from "../../src/plan/plan.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"
import { type Files, type Made, wantedOf, wordsOf, write } from "./folders.ts"
import { blocksOf, DESCRIPTIONS, DIALECTS, NOTES, TITLES } from "./places.ts"

/** Returns what is wrong with what a folder would publish: a secret that is there, a word that is not, a post that is blocked. */
export const findWrong = async ({ files, rendered }: Files): Promise<string[]> => {
  const options = { paths: [], allowForeign: false, prune: false, allowMissingImages: false, now: OPTIONS.now }
  const config = { ...readConfig(import.meta.dirname), category: "Blog" }
  const plan = await makePlan(null, folderOf(files), config, options)
  const desired = plan.entries.map(({ slug }) => plan.desired(slug))
  // A draft is not shown.
  const sent = desired.filter(({ file, fields }) => rendered.includes(file) || fields.status !== "DF")
  const secrets = sent.flatMap(({ file, source, translations, fields }) =>
    (JSON.stringify([source, translations, fields]).match(/.{0,40}SECRET.{0,20}/g) ?? []).map(
      (text) => `${file} sends ${text}`,
    ),
  )
  const blocked = plan.entries.flatMap(({ findings }) =>
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
  const { toml = [], fields = [], folders = [] } = dialect
  const post = fc.record({
    title: fc.constantFrom(...TITLES, ...toml),
    notes: fc.subarray(NOTES, { maxLength: 2 }),
    description: fc.constantFrom(...DESCRIPTIONS),
    blocks,
  })
  const left = fc.record({ fields: fc.constantFrom(...fields, ...(DIALECTS["plain"]?.fields ?? [])), blocks })
  return fc.record({
    dialect: fc.constant(dialect),
    lineEnd: fc.constantFrom("\n", "\r\n"),
    posts: fc.array(post, { minLength: 1, maxLength: 3 }),
    unrendered: fc.array(left, { maxLength: 2 }),
    others: fc.constantFrom({}, ...folders),
  })
})

/** Checks generated folders. @throws with the smallest one in which something is wrong */
export const checkFolders = (numRuns: number, seed: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(made, async (folder) => {
      const wrong = await findWrong(write(folder))
      if (wrong.length > 0) throw new Error(wrong.join("\n"))
    }),
    { numRuns, seed },
  )
