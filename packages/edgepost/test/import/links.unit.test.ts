import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

import { describe, expect, test } from "vitest"

import { newFolder } from "../../../../test/after-file.ts"
import { draw } from "../blogs.ts"
import { fileWith, wordpressPost, wxr, zip } from "./files.ts"
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

/** Replaces the line of the slug in `posts/a.md`. */
const setSlug = async (folder: string, from: string, to: string): Promise<void> => {
  const file = join(folder, "posts/a.md")
  await writeFile(file, (await readFile(file, "utf8")).replace(`slug: ${from}\n`, to))
}

describe("redirects of several exports in one folder", () => {
  const [A, B] = [page("/2024/a/"), page("/2024/b/")]
  test.each<[string, (folder: string) => Promise<unknown>, string]>([
    ["is unchanged", async () => {}, "a"],
    ["has another slug", (folder) => setSlug(folder, "a", "slug: apples\n"), "apples"],
    ["has the slug of another file", (folder) => setSlug(folder, "a", "slug: b\n"), "b"],
    [
      "got two slugs, with an import between",
      async (folder) => {
        await setSlug(folder, "a", "slug: apples\n")
        await importPages(A, folder)
        await setSlug(folder, "apples", "slug: pears\n")
      },
      "pears",
    ],
    ["cannot be read", (folder) => setSlug(folder, "a", "slug: [\n"), "a"],
  ])("a post of an earlier export that %s keeps its redirect", async (_, edit, slug) => {
    const { folder } = await importPages(A)
    await edit(folder)
    await importPages(B, folder)
    const redirects = `old_path,slug,file\r\n/2024/a/,${slug},posts/a.md\r\n/2024/b/,b,posts/b.md\r\n`
    expect(await readFile(join(folder, "redirects.csv"), "utf8")).toBe(redirects)
    await rm(join(folder, "posts/a.md"))
    await importPages(B, folder)
    expect(await readFile(join(folder, "redirects.csv"), "utf8")).not.toContain("/2024/a/")
  })
})

test.each([
  ["characters of three bytes", `<p>${"烏".repeat(400_000)}</p>`],
  ["signs that are escaped", `<p>${"*".repeat(600_000)}</p>`],
  ["a long address", `<a href="https://e.example/${"é".repeat(600_000)}">x</a>`],
])("a post whose Markdown is too long because of %s is left out, and links to it stay", async (_, content) => {
  const link = '<a href="/2024/long/">x</a>'
  const { folder, screen } = await importPages(page("/2024/from/", link) + page("/2024/long/", content))
  expect(screen).toContain("left out   long: Its Markdown has over 1048576 bytes.")
  expect(await readFile(join(folder, "posts/from.md"), "utf8")).toContain("[x](https://old.example/2024/long/)")
})

describe("an image of WordPress that links to an image", () => {
  const UPLOADS = "https://old.example/wp-content/uploads/"
  const [large, small] = [`${UPLOADS}big.jpg`, `${UPLOADS}2024/big-300x200.jpg`]
  test.each([
    ["its large file", `<a href="${large}"><img src="${small}"></a>`, `![](${large})`],
    [
      "its large file, in a caption",
      `[caption width="300"]<a href="${large}"><img src="${small}"></a> C[/caption]`,
      `<figure><img src="${large}" alt=""><figcaption>C</figcaption></figure>`,
    ],
    [
      "its large file, from a proxy",
      `<a href="${large}"><img src="https://i0.wp.com/old.example/big.jpg?w=3"></a>`,
      `![](${large})`,
    ],
    ["another image", `<a href="${large}"><img src="${UPLOADS}b.jpg"></a>`, `[![](${UPLOADS}b.jpg)](${large})`],
    [
      "a large file elsewhere",
      `<a href="https://e.example/big.jpg"><img src="${small}"></a>`,
      `[![](${small})](https://e.example/big.jpg)`,
    ],
    [
      "its page",
      `<a href="https://old.example/big/"><img src="${small}"></a>`,
      `[![](${small})](https://old.example/big/)`,
    ],
  ])("%s", async (_, content, markdown) => {
    const { folder } = await importPages(page("/2024/a/", content))
    expect(await readFile(join(folder, "posts/a.md"), "utf8")).toContain(`\n\n${markdown}\n`)
  })

  test("without its large file, the thumbnail is kept with the link", async () => {
    const folder = await newFolder()
    await mkdir(join(folder, "wp-content/uploads"), { recursive: true })
    await writeFile(join(folder, "wp-content/uploads/big.jpg"), "no image")
    await writeFile(join(folder, "wp-content/uploads/big-300x200.jpg"), await draw("a.jpg", 8, 8))
    const content = `<a href="${large}"><img src="${UPLOADS}big-300x200.jpg"></a>`
    await writeFile(join(folder, "a.xml"), wxr(`<link>https://old.example</link>${page("/2024/a/", content)}`))
    await run("wordpress", join(folder, "a.xml"), folder)
    expect(await readFile(join(folder, "posts/a.md"), "utf8")).toMatch(
      /\n\[!\[\]\(\.\.\/images\/big-300x200-[0-9a-f]{12}\.jpeg\)\]\(https:\/\/old\.example\/wp-content\/uploads\/big\.jpg\)\n/,
    )
  })
})
