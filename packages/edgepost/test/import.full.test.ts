import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises"
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

/** Puts uploads beside the export of WordPress. @returns the export */
const wordpressFolder = async (): Promise<string> => {
  const folder = await newFolder()
  await mkdir(join(folder, "wp-content/uploads/2023/09"), { recursive: true })
  for (const name of ["apple", "pear"])
    await writeFile(join(folder, `wp-content/uploads/2023/09/${name}.jpg`), await draw(`${name}.jpg`, 8, 8))
  await copyFile(here("wordpress.xml"), join(folder, "export.xml"))
  return join(folder, "export.xml")
}

/** A post as it must be on the service, a part of its HTML, and the number of its images, of which one is the cover. */
interface Expected {
  slug: string
  title: string
  status: string
  published_at: string | null
  categories: string[]
  tags: string[]
  meta_description: string
  canonical_url: string | null
  author_name: string | null
  html: string
  imageCount: number
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
        categories: ["Sea"],
        meta_description: "A morning at the harbour.",
        canonical_url: null,
        author_name: "Ann Tide, Ben Rope",
        imageCount: 1,
        html: "<strong>quiet</strong> at &lt;six>, and",
      },
      {
        slug: "es-regnet-ueber-all",
        title: "Rain",
        status: "PB",
        published_at: "2025-02-01T00:00:00Z",
        categories: ["Blog"],
        tags: [],
        meta_description: "When it rains.",
        canonical_url: "https://weather.example/rain",
        author_name: "Ben Rope",
        imageCount: 0,
        html: "<details><summary>How much?</summary>",
      },
      {
        slug: "for-friends",
        title: "For friends",
        status: "DF",
        published_at: "2024-06-01T07:00:00Z",
        tags: [],
        categories: ["Blog"],
        meta_description: "Only you.",
        canonical_url: null,
        author_name: null,
        imageCount: 0,
        html: "<p>Only you.</p>",
      },
    ],
  ],
  [
    "wordpress",
    wordpressFolder,
    [
      {
        slug: "apples",
        title: "Apples & “pears”",
        status: "PB",
        published_at: "2023-09-10T08:00:00Z",
        tags: ["autumn", "trees & shrubs"],
        categories: ["Fruit"],
        meta_description: "What became ripe in September.",
        canonical_url: null,
        author_name: "Cleo Green & son",
        imageCount: 2,
        html: "<td>12<br>or 13</td>",
      },
      {
        slug: "an-idea",
        title: "An idea",
        status: "DF",
        published_at: null,
        tags: [],
        categories: ["Blog"],
        meta_description: "Plant a hedge.",
        canonical_url: null,
        author_name: null,
        imageCount: 0,
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
        categories: ["Blog"],
        meta_description: "Why I walk to work.",
        canonical_url: null,
        author_name: "Dan Walker",
        imageCount: 0,
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
    const published = await edgepost(["publish", "--allow-missing-images", join(folder, "blog")], { env })
    expect(published.code, published.stdout).toBe(0)
    for (const { slug, html, published_at, imageCount, ...fields } of expected) {
      const { post } = (await call("GET", `${API}/posts/${slug}/`, { headers: { "X-API-KEY": key } })).json
      expect(post).toMatchObject(fields)
      expect(post.images).toHaveLength(imageCount)
      expect(post.cover_image_id).toBe(post.images[0]?.image_id ?? null)
      for (const { image_url } of post.images) {
        expect(post.html).toContain(`src="${image_url}"`)
        expect((await fetch(`${origin}${image_url}`)).headers.get("content-type")).toBe("image/webp")
      }
      expect(post.html).toContain(html)
      expect(published_at === null ? null : Date.parse(post.published_at)).toBe(
        published_at && Date.parse(published_at),
      )
    }
    proxy.requests.length = 0
    const again = await edgepost(["publish", "--json", "--allow-missing-images", join(folder, "blog")], { env })
    const actions = JSON.parse(again.stdout).entries.map(({ action }: { action: string }) => action)
    expect(new Set(actions)).toEqual(new Set(["unchanged"]))
    expect(proxy.requests.filter((request) => !request.startsWith("GET "))).toEqual([])
  },
)

test("an archive that is unpacked to over 2 GB is refused", async () => {
  // Each record of the directory names the same data.
  const one = await zip({ "posts/00.html": new Uint8Array(95_000_000) })
  const [start, end] = ["PK\u0001\u0002", "PK\u0005\u0006"].map((sign) => one.lastIndexOf(sign, one.length, "latin1"))
  const records = Array.from({ length: 22 }, (_, i) => {
    const record = Buffer.from(one.subarray(start, end))
    record.write(String(i).padStart(2, "0"), record.indexOf("00.html"))
    return record
  })
  const tail = Buffer.from(one.subarray(end))
  tail.writeUInt16LE(22, 8)
  tail.writeUInt16LE(22, 10)
  tail.writeUInt32LE(Buffer.concat(records).length, 12)
  const file = await fileWith("a.zip", Buffer.concat([one.subarray(0, start), ...records, tail]))
  const { code, stderr } = await edgepost(["import", "medium", file, "-o", await newFolder()])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/posts\/\d\d\.html in the archive is too large/)])
})
