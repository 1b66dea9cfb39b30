import { readFile, rm } from "node:fs/promises"
import { request } from "node:http"
import { dirname, join } from "node:path"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { type Service, startService } from "../../../test/e2e/child.ts"
import { edgepost } from "./command.ts"
import { mediumZip, newFolder } from "./import/files.ts"
import { BLOGS, copyOf } from "./oracle/blogs.ts"
import type { Page } from "./oracle/page.ts"

// Blogs move in, each with its own host, and readers ask for the addresses of the old site: those that the blog's own tool has
// given its pages, and those that an export names.

let service: Service & { stop: () => Promise<void> }
beforeAll(async () => {
  // Blogs have hosts only if the service knows which host is its own.
  service = await startService("PUBLIC_ORIGIN:http://localhost:1")
})
afterAll(() => service.stop())

/** Asks for a path of a host, as a browser does that is led to the service. @returns the status, and where it leads */
const ask = (host: string, path: string): Promise<[status: number, location: string | null]> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(service.origin)
    const sent = request({ host: "127.0.0.1", port, path, headers: { Host: host } }, (answer) => {
      answer.resume()
      resolve([answer.statusCode ?? 0, answer.headers.location ?? null])
    })
    sent.on("error", reject)
    sent.end()
  })

const operate = async (method: string, path: string, json?: object) => {
  const answer = await fetch(`${service.origin}/operator/api/accounts/${path}`, {
    method,
    headers: { Authorization: `Bearer ${service.operatorToken}` },
    ...(json && { body: JSON.stringify(json) }),
  })
  return answer.json()
}

/** Makes an account whose blog has its own host, and publishes a folder to it. @returns the slugs of posts by their files */
const moveIn = async (username: string, folder: string): Promise<Map<string, string>> => {
  await operate("PATCH", `${username}/`, {
    paid_until: "2099-01-01T00:00:00Z",
    translation_languages: [],
    blog_host: `${username}.example`,
  })
  const { api_key } = (await operate("POST", `${username}/keys/`)) as { api_key: string }
  const env = { EDGEPOST_URL: service.origin, EDGEPOST_API_KEY: api_key }
  const { stdout } = await edgepost(["publish", "--json", "--allow-foreign", "--allow-missing-images"], {
    cwd: folder,
    env,
  })
  const { outcomes } = JSON.parse(stdout) as { outcomes: { slug: string; file: string; result: string }[] }
  return new Map(outcomes.filter(({ result }) => result === "created").map(({ slug, file }) => [file, slug]))
}

/** Expects an old address to be the page of a post, or to lead to it in one hop. */
const expectLeadsTo = async (username: string, address: string, slug: string) => {
  const host = `${username}.example`
  const [status, location] = await ask(host, address)
  const page = location === null ? address : new URL(location).pathname
  expect([status, page], address).toEqual([
    location === null ? 200 : 301,
    expect.stringMatching(new RegExp(`^/${slug}/?(?:[a-z-]+/)?$`, "i")),
  ])
  expect(await ask(host, page), address).toEqual([200, null])
}

const MOVED = BLOGS.filter(({ name }) => ["hugo", "jekyll", "hexo", "eleventy", "docusaurus", "astro"].includes(name))

describe.each(MOVED)("a blog of $name that has moved in", (blog) => {
  test("has each address that its own tool has given a published post", async () => {
    const { folder } = await copyOf(blog)
    const slugs = await moveIn(`moved-${blog.name}`, folder)
    const pages = JSON.parse(
      await readFile(join(import.meta.dirname, `oracle/answers/${blog.name}.json`), "utf8"),
    ) as Page[]
    let asked = 0
    for (const { file, address } of pages) {
      const slug = slugs.get(file)
      // Drafts and posts ahead have no page.
      if (slug === undefined || (await ask(`moved-${blog.name}.example`, `/${slug}/`))[0] !== 200) continue
      asked += 1
      await expectLeadsTo(`moved-${blog.name}`, encodeURI(address), slug)
      const small = encodeURI(address).replaceAll(/%../g, (escape) => escape.toLowerCase())
      await expectLeadsTo(`moved-${blog.name}`, `${small}?utm_source=feed`, slug)
    }
    expect(asked).toBeGreaterThan(0)
    await rm(dirname(folder), { recursive: true })
  })
})

const here = (name: string): string => join(import.meta.dirname, "import", name)

test.each<[kind: string, file: () => Promise<string>, addresses: Record<string, string>]>([
  ["ghost", async () => here("ghost.json"), { "/quiet-harbour/": "quiet-harbour" }],
  [
    "wordpress",
    async () => here("wordpress.xml"),
    { "/2023/09/apples/": "apples", "/?p=11": "apples", "/2022/01/caf%c3%a9/": "cafe", "/?p=12": "cafe" },
  ],
  ["medium", mediumZip, {}],
])("an export of %s that has moved in has each address that the export names", async (kind, file, addresses) => {
  const folder = join(await newFolder(), "blog")
  await edgepost(["import", kind, await file(), "-o", folder])
  await moveIn(`moved-${kind}`, folder)
  const csv = await readFile(join(folder, "redirects.csv"), "utf8")
  // Matches `/a/,a,posts/a.md`. Does not match the head.
  const listed = [...csv.matchAll(/^(\/[^,]*),([^,]*),/gm)].map(([, path = "", slug = ""]) => [path, slug] as const)
  for (const [address, slug] of [...Object.entries(addresses), ...listed]) {
    const isShown = (await ask(`moved-${kind}.example`, `/${slug}/`))[0] === 200
    if (isShown) await expectLeadsTo(`moved-${kind}`, address, slug)
  }
  expect(listed.length).toBeGreaterThan(0)
})
