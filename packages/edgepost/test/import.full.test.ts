import { readFile } from "node:fs/promises"
import { join } from "node:path"

import { afterAll, expect, test } from "vitest"

import { call, newKey, origin } from "../../../test/e2e/support.ts"
import { draw } from "./blogs.ts"
import { edgepost } from "./command.ts"
import { fileWith, mediumZip, newFolder, zip } from "./import/files.ts"
import { type Proxy, startProxy } from "./proxy.ts"

const API = `${origin}/api/blogcontroller`

const proxies: Proxy[] = []
afterAll(async () => {
  for (const proxy of proxies) await proxy.close()
})

const here = (name: string): string => join(import.meta.dirname, "import", name)

/** Returns the export of Ghost as a zip with its images. */
const ghostZip = async (): Promise<string> => {
  const files = {
    "ghost.json": await readFile(here("ghost.json"), "utf8"),
    "content/images/2024/05/harbour.png": new Uint8Array(await draw("a.png", 8, 8)),
    "content/images/2020/01/lost.png": new Uint8Array(await draw("bb.png", 8, 8)),
  }
  return fileWith("ghost.zip", await zip(files))
}

/** A post as it must be on the service, and a part of its HTML. */
interface Expected {
  slug: string
  title: string
  status: string
  published_at: string | null
  tags: string[]
  html: string
}

const EXPORTS: [kind: string, file: () => Promise<string>, posts: Expected[]][] = [
  [
    "ghost",
    ghostZip,
    [
      {
        slug: "quiet-harbour",
        title: "The quiet harbour: dawn",
        status: "PB",
        published_at: "2024-05-01T05:30:00Z",
        tags: ["sea", "morning early"],
        html: "<strong>quiet</strong> at &lt;six>, and",
      },
      {
        slug: "for-friends",
        title: "For friends",
        status: "DF",
        published_at: "2024-06-01T07:00:00Z",
        tags: [],
        html: "<p>Only you.</p>",
      },
    ],
  ],
  [
    "wordpress",
    () => Promise.resolve(here("wordpress.xml")),
    [
      {
        slug: "apples",
        title: "Apples & “pears”",
        status: "PB",
        published_at: "2023-09-10T08:00:00Z",
        tags: ["autumn", "trees & shrubs"],
        html: "<td>12<br>or 13</td>",
      },
      {
        slug: "an-idea",
        title: "An idea",
        status: "DF",
        published_at: null,
        tags: [],
        html: "<p>Plant a hedge.</p>",
      },
    ],
  ],
  [
    "medium",
    mediumZip,
    [
      {
        slug: "on-long-walks",
        title: "On Long Walks",
        status: "PB",
        published_at: "2021-03-04T06:07:08.009Z",
        tags: ["walking", "slow life"],
        html: 'href="/@cli-import-medium/another-walk/">before</a>',
      },
    ],
  ],
]

test.each(EXPORTS)(
  "the export of %s is imported, published and read back, and a second run of publish writes nothing",
  async (kind, file, expected) => {
    const folder = await newFolder()
    const username = `cli-import-${kind}`
    const key = await newKey(username, { translation_languages: [] })
    const proxy = await startProxy(origin)
    proxies.push(proxy)
    const env = { EDGEPOST_URL: proxy.origin, EDGEPOST_API_KEY: key, HOME: folder }
    const imported = await edgepost(["import", kind, await file(), "-o", join(folder, "blog")], { env })
    expect(imported.code, imported.stderr).toBe(0)
    const published = await edgepost(["publish", join(folder, "blog")], { env })
    expect(published.code, published.stdout).toBe(0)
    for (const { slug, html, published_at, ...fields } of expected) {
      const { post } = (await call("GET", `${API}/posts/${slug}/`, { headers: { "X-API-KEY": key } })).json
      expect(post).toMatchObject(fields)
      expect(post.html).toContain(html)
      expect(published_at === null ? null : Date.parse(post.published_at)).toBe(
        published_at && Date.parse(published_at),
      )
    }
    proxy.requests.length = 0
    const again = await edgepost(["publish", "--json", join(folder, "blog")], { env })
    const actions = JSON.parse(again.stdout).entries.map(({ action }: { action: string }) => action)
    expect(new Set(actions)).toEqual(new Set(["unchanged"]))
    expect(proxy.requests.filter((request) => !request.startsWith("GET "))).toEqual([])
  },
)
