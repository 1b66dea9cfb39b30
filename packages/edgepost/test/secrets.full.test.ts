import { cp, readdir } from "node:fs/promises"
import { join } from "node:path"

import { expect, test } from "vitest"

import { type Account, newAccount } from "./account.ts"
import { makeAll, wantedOf, wordsOf, write } from "./secrets/folders.ts"
import { DIALECTS } from "./secrets/places.ts"

const SAMPLES = join(import.meta.dirname, "samples")
// Matches a hidden word. Does not match SECRET40, which stands in a shortcode that Hugo shows as text.
const HIDDEN = /.{0,40}(?:SECRET(?!40\b)|LEAK).{0,20}/gs

/** Publishes a folder. @returns the outcome of each post, and all that the service was told, so that nothing else can leave it */
const publish = async (name: string, fill: (account: Account) => Promise<void>) => {
  const account = await newAccount(`cli-secrets-${name}`)
  await fill(account)
  const { stdout, stderr } = await account.run(["publish", "--json", account.root])
  const all: { result: string; file: string; url: string; error?: { code: string } }[] =
    JSON.parse(stdout).outcomes ?? []
  // Two samples have a slug in common, and a slug is unique in the whole service.
  const outcomes = all.filter(({ error }) => error?.code !== "not_the_author")
  expect(
    outcomes.filter(({ result }) => result === "failed"),
    stderr,
  ).toEqual([])
  expect(account.proxy.requests).toContain("GET account/")
  return { outcomes, sent: account.proxy.bodies }
}

const hiddenIn = (texts: string[]): string[] => texts.flatMap((text) => text.match(HIDDEN) ?? [])

test.each(await readdir(SAMPLES))("nothing hidden of the sample blog %s leaves the folder", async (name) => {
  const { sent } = await publish(name, ({ root }) => cp(join(SAMPLES, name), root, { recursive: true }))
  expect(hiddenIn(sent)).toEqual([])
})

test.each(Object.entries(DIALECTS))(
  "readers see every word of a blog of the tool %s, and nothing hidden of it leaves the folder",
  async (name, dialect) => {
    const [all] = makeAll(dialect)
    if (!all) throw new Error(`There are no places of ${name}.`)
    // One post with all blocks takes the service less time than one for each.
    const [first, ...others] = all.posts
    const blocks = all.posts.flatMap((post) => post.blocks)
    const posts = [...(first ? [{ ...first, blocks }] : []), ...others.slice(-12)]
    // Files that other fields keep off a site may become drafts, which are sent.
    const unrendered = (DIALECTS["plain"]?.fields ?? []).map((fields) => ({ fields, blocks: ["¶"] }))
    const { files } = write({ ...all, posts, unrendered }, `secrets-${name}`)
    const { outcomes, sent } = await publish(name, (account) =>
      account.write({
        "edgepost.config.yaml": `category: Sea\npublish_by: ${dialect.config?.publish_by ?? "null"}\n`,
        ...files,
      }),
    )
    expect(hiddenIn(sent)).toEqual([])
    expect(outcomes.length).toBeGreaterThanOrEqual(posts.length)
    for (const { file, url } of outcomes) {
      const [, article = ""] = (await (await fetch(url)).text()).split("<article")
      expect(wordsOf(article), file).toEqual(expect.arrayContaining(wantedOf(files[file] ?? "")))
    }
  },
)
