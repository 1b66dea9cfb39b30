import { rm } from "node:fs/promises"

import { afterAll, describe, expect, test } from "vitest"

import { call, newKey, origin } from "../../../test/e2e/support.ts"
import { copyBlog, DIALECTS } from "./blogs.ts"
import { edgepost } from "./command.ts"
import { type Proxy, startProxy } from "./proxy.ts"

const API = `${origin}/api/blogcontroller`

const folders: string[] = []
const proxies: Proxy[] = []
afterAll(async () => {
  for (const proxy of proxies) await proxy.close()
  for (const folder of folders) await rm(folder, { recursive: true })
})

/** Replaces what differs from run to run. */
const steady = (text: string, ids: Map<string, string>): string =>
  text.replaceAll(/[0-9A-Z]{26}/g, (id) => {
    if (!ids.has(id)) ids.set(id, `IMAGE-${ids.size + 1}`)
    return ids.get(id) ?? ""
  })

interface Read {
  slug: string
  [field: string]: unknown
}

/** Reads all posts of an account as a page that a person can compare. */
const readBack = async (key: string): Promise<string> => {
  const headers = { "X-API-KEY": key }
  const { json } = await call("GET", `${API}/posts/?limit=100`, { headers })
  const ids = new Map<string, string>()
  const pages: string[] = []
  for (const { slug, texts } of json.posts.toSorted((one: Read, other: Read) => (one.slug < other.slug ? -1 : 1)))
    for (const lang of Object.keys(texts)) {
      const { post } = (await call("GET", `${API}/posts/${slug}/?lang_code=${lang}`, { headers })).json
      const { title, status, published_at, categories, tags, meta_description, canonical_url, author_name } = post
      const fields = {
        status,
        // The service's own time differs from run to run.
        published_at: Date.parse(published_at) < Date.parse("2026-01-01") ? published_at : null,
        categories,
        tags,
        meta_description,
        canonical_url,
        author_name,
        cover_image_id: post.cover_image_id,
        source: post.source,
      }
      pages.push(`# ${slug} (${lang}): ${title}\n${JSON.stringify(fields, null, 2)}\n\n${post.html}`)
    }
  return steady(`${pages.join("\n\n")}\n`, ids)
}

describe("a small blog of each generator", () => {
  test.each(DIALECTS)(
    "the blog in the dialect of %s is published as its golden files say, and a second run writes nothing",
    async (dialect) => {
      const folder = await copyBlog(dialect)
      folders.push(folder)
      const username = `cli-${dialect}`
      const key = await newKey(username, { translation_languages: [] })
      const proxy = await startProxy(origin)
      proxies.push(proxy)
      const env = { EDGEPOST_URL: proxy.origin, EDGEPOST_API_KEY: key, HOME: folder }
      const planned = await edgepost(["plan", folder], { env })
      await expect(`${planned.stdout}${planned.stderr}`).toMatchFileSnapshot(`golden/${dialect}.plan.txt`)
      expect(proxy.requests.filter((request) => !request.startsWith("GET "))).toEqual([])
      const published = await edgepost(["publish", folder], { env })
      await expect(
        `${published.stdout}${published.stderr}`
          .replaceAll(origin, "ORIGIN")
          .replaceAll(/preview\/\w+/g, "preview/TOKEN"),
      ).toMatchFileSnapshot(`golden/${dialect}.publish.txt`)
      await expect(await readBack(key)).toMatchFileSnapshot(`golden/${dialect}.posts.md`)
      proxy.requests.length = 0
      const again = await edgepost(["publish", "--json", folder], { env })
      const { entries } = JSON.parse(again.stdout)
      expect(
        entries.map(({ action }: { action: string }) => action).filter((one: string) => one !== "blocked"),
      ).toEqual(entries.filter(({ action }: { action: string }) => action !== "blocked").map(() => "unchanged"))
      expect(proxy.requests.filter((request) => !request.startsWith("GET "))).toEqual([])
    },
  )
})
