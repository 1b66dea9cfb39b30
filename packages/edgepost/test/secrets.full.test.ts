import { cp, readdir } from "node:fs/promises"
import { join } from "node:path"

import { expect, test } from "vitest"

import { API, call, operate, origin } from "../../../test/e2e/support.ts"
import { type Account, newAccount } from "./account.ts"
import { makeAll, wantedOf, wordsOf, write } from "./secrets/folders.ts"
import { DIALECTS } from "./secrets/places.ts"

const SAMPLES = join(import.meta.dirname, "samples")
// Matches a hidden word. Does not match SECRET40, which stands in a shortcode that Hugo shows as text.
const HIDDEN = /.{0,40}(?:SECRET(?!40\b)|LEAK).{0,20}/gs

/** Reads everything that a reader finds from an author's blog on: pages, feeds, sitemaps. @returns the texts by address */
const readPages = async (username: string): Promise<Map<string, string>> => {
  const pages = new Map<string, string>()
  const found = [`${origin}/@${username}/`, `${origin}/robots.txt`, `${origin}/sitemap.xml`]
  for (const address of found) {
    if (pages.has(address)) continue
    const answer = await fetch(address)
    const text = await answer.text()
    pages.set(address, `${answer.status} ${text}`)
    // Matches `href="/@ann/a/"` and `<loc>http://a/b</loc>`. Does not match `href='a'`.
    for (const [, link, location] of text.matchAll(/ href="([^"]+)"|<loc>([^<]+)</g)) {
      const url = new URL((link ?? location ?? "").replaceAll("&amp;", "&"), address)
      if (url.origin === origin && url.pathname.startsWith(`/@${username}/`))
        found.push(url.origin + url.pathname + url.search)
    }
  }
  return pages
}

/** Reads everything that a key of the scope `read` finds. */
const readWithKey = async (username: string): Promise<string[]> => {
  const { json } = await operate("POST", `${username}/keys/`, { name: "reader", scope: "read" })
  const get = async (path: string) =>
    (await call("GET", `${API}/${path}`, { headers: { "X-API-KEY": json.api_key } })).json
  const list = await get("posts/?limit=100")
  const texts = [list, await get("account/")]
  for (const { slug } of list.posts) texts.push(await get(`posts/${slug}/`), await get(`posts/${slug}/translations/`))
  return texts.map((text) => JSON.stringify(text))
}

/** Publishes a folder. @returns what readers find by address, and all texts in which something that the author hid may stand */
const publish = async (name: string, fill: (account: Account) => Promise<void>) => {
  const account = await newAccount(`cli-secrets-${name}`)
  const { proxy, root, run, username } = account
  await fill(account)
  const { stdout, stderr } = await run(["publish", "--json", root])
  const outcomes: { result: string; file: string; url: string }[] = JSON.parse(stdout).outcomes ?? []
  expect(
    outcomes.filter(({ result }) => result === "failed"),
    stderr,
  ).toEqual([])
  const sent = [...proxy.bodies]
  const pages = await readPages(username)
  return { outcomes, pages, texts: [...sent, ...pages.values(), ...(await readWithKey(username))] }
}

const hiddenIn = (texts: string[]): string[] => texts.flatMap((text) => text.match(HIDDEN) ?? [])

test.each(await readdir(SAMPLES))("nothing hidden of the sample blog %s leaves the folder", async (name) => {
  const { texts, pages } = await publish(name, ({ root }) => cp(join(SAMPLES, name), root, { recursive: true }))
  expect(pages.get(`${origin}/@cli-secrets-${name}/`)).toMatch(/^200 /)
  expect(hiddenIn(texts)).toEqual([])
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
    const { outcomes, pages, texts } = await publish(name, (account) =>
      account.write({ "edgepost.config.yaml": "category: Sea\n", ...files }),
    )
    expect(hiddenIn(texts)).toEqual([])
    expect(outcomes.length).toBeGreaterThanOrEqual(posts.length)
    for (const { file, url } of outcomes) {
      const [, article = ""] = (pages.get(url) ?? "").split("<article")
      expect(wordsOf(article), file).toEqual(expect.arrayContaining(wantedOf(files[file] ?? "")))
    }
  },
)
