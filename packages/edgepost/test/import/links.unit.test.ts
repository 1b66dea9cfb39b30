import { readFile } from "node:fs/promises"
import { join } from "node:path"

import { describe, expect, test } from "vitest"

import { fileWith, newFolder, wordpressPost, wxr, zip } from "./files.ts"
import { run } from "./run.ts"

/** Returns an item of a WordPress export whose page is at a path of the old site. */
const page = (path: string, content = "a"): string =>
  wordpressPost(
    content,
    `<link>https://old.example${path}</link><wp:post_name>${path.split("/").at(-2)}</wp:post_name>`,
  )

/** Imports items of the site `old.example`. @returns the folder, and what was printed */
const importPages = async (items: string, folder?: string) => {
  const output = folder ?? (await newFolder())
  const file = await fileWith("a.xml", wxr(`<link>https://old.example</link>${items}`))
  return { folder: output, ...(await run("wordpress", file, output)) }
}

describe("links between posts of WordPress", () => {
  const TEA = "/2024/%e7%83%8f%e9%be%8d%e8%8c%b6/"
  const CAFE = "/2024/caf%c3%a9/"
  test.each([
    [TEA, TEA, "wu-long-cha.md"],
    [TEA, TEA.toUpperCase(), "wu-long-cha.md"],
    [TEA, "https://old.example/2024/烏龍茶/", "wu-long-cha.md"],
    [TEA, "http://www.old.example/2024/烏龍茶?utm=1#b", "wu-long-cha.md#b"],
    [CAFE, "/2024/café".normalize("NFD"), "cafe.md"],
    [CAFE, "//old.example/2024/Caf%C3%A9/index.html", "cafe.md"],
    ["/2024/100%25/", "/2024/100%/", "100.md"],
    [CAFE, "https://other.example/2024/caf%c3%a9/", "https://other.example/2024/caf%c3%a9/"],
    [CAFE, "/2025/caf%c3%a9/", "https://old.example/2025/caf%c3%a9/"],
    [CAFE, "https://old.example/", "https://old.example/"],
  ])("the page %s, linked as %s: the link leads to %s", async (path, href, expected) => {
    const { folder } = await importPages(page(path) + page("/2024/from/", `<a href="${href}">x</a>`))
    expect(await readFile(join(folder, "posts/from.md"), "utf8")).toContain(`[x](${expected})`)
  })
})

/** Returns a page of a Medium export. */
const story = (title: string, canonical: string, body = "a"): string =>
  `<title>${title}</title><article><section class="e-content"><h3 class="graf--title">${title}</h3><p>${body}</p></section><footer><time class="dt-published" datetime="2024-01-01T00:00:00Z"></time><a class="p-canonical" href="${canonical}"></a></footer></article>`

describe("links between stories of Medium", () => {
  const LINKS = [
    "https://docs.example/",
    "mailto:ann@e.example",
    "#top",
    "https://medium.com/@ann",
    "https://medium.com/",
  ]
  const OTHER = "https://medium.com/@ann/Other-aaaabbbbcccc"

  test.each([
    [
      "a file with an id of 9 digits",
      "2024-03-12_Short-abc123def",
      "https://medium.com/@ann/short-abc123def",
      "short.md",
    ],
    ["a renamed file", "renamed", "https://medium.com/@ann/short-abc123def4", "renamed.md"],
    ["a file and an address without ids", "no-id", "https://medium.com/@ann/no-id", "https://medium.com/@ann/no-id"],
    [
      "a file with a date for an id",
      "Trip-20240102",
      "https://e.example/trip-20240102",
      "https://e.example/trip-20240102",
    ],
  ])("%s: only links to its story lead to it", async (_, name, canonical, target) => {
    const body = [...LINKS, OTHER, canonical].map((href) => `<a href="${href}">x</a>`).join(" ")
    const file = await fileWith(
      "a.zip",
      await zip({
        [`posts/${name}.html`]: story("Short", canonical),
        "posts/Other-aaaabbbbcccc.html": story("Other", OTHER),
        "posts/From-ddddeeeeffff.html": story("From", "https://medium.com/@ann/from-ddddeeeeffff", body),
      }),
    )
    const folder = await newFolder()
    await run("medium", file, folder)
    const text = await readFile(join(folder, "posts/from.md"), "utf8")
    const links = [...text.matchAll(/\[x\]\(([^)]*)\)/g)].map(([, href]) => href)
    expect(links).toEqual([...LINKS, "other.md", target])
  })
})
