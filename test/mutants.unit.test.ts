import { expect, it } from "vitest"

import { drawMutations, mutationsIn, findMutation, mutate, sliceOf } from "../scripts/mutations.ts"

const SOURCE = `export const f = async (a: string[], b: number) => {
  if (!a) throw new Error("none")
  const c = await g(a.filter(Boolean))
  return b < 2 && c ? b + 1 : 0
}
`

const mutations = mutationsIn("src/posts/a.ts", SOURCE)

it("mutationsIn lists each kind of mutation with its position", () => {
  const changed = mutations.map((mutation) => {
    const lines = mutate(SOURCE, [mutation]).split("\n")
    return `${mutation.kind} ${mutation.at}: ${lines[mutation.at - 1]?.trim()}`
  })
  expect(changed).toEqual([
    "check 2: {}",
    'condition 2: if (!(!a)) throw new Error("none")',
    "await 3: const c = g(a.filter(Boolean))",
    "call 3: const c = await g(a)",
    "comparison 4: return b <= 2 && c ? b + 1 : 0",
    "condition 4: return b < 2 || c ? b + 1 : 0",
    "number 4: return b < 2 && c ? b + 0 : 0",
  ])
})

it("drawMutations draws the same mutations from the same seed, of each slice first and none that overlap", () => {
  const all = [...mutations, ...["src/b.ts", "src/images/codec/c.ts"].flatMap((file) => mutationsIn(file, SOURCE))]
  const drawn = drawMutations(all, 9, 1)
  expect(drawMutations(all, 9, 1)).toEqual(drawn)
  expect(drawn.slice(0, 3).map(({ file }) => sliceOf(file))).toEqual(["src/posts", "src", "src/images"])
  expect(drawMutations(mutations, 99, 1)).toHaveLength(6)
})

it("findMutation finds a mutation again after its line has moved, in its file or in another", () => {
  const [mutation] = mutations
  if (!mutation) throw new Error("There is no mutation.")
  expect(findMutation(mutation, mutationsIn("src/posts/a.ts", `// A comment.\n${SOURCE}`))?.at).toBe(3)
  expect(findMutation(mutation, mutationsIn("src/posts/z.ts", SOURCE))?.file).toBe("src/posts/z.ts")
  expect(findMutation(mutation, mutationsIn("src/posts/a.ts", SOURCE.replace("none", "no")))).toBeUndefined()
})
