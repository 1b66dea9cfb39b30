import { readFile } from "node:fs/promises"
import { join } from "node:path"

import { describe, expect, test } from "vitest"

import { fileWith, newFolder, wordpressPost, wxr } from "./files.ts"
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
