import { existsSync } from "node:fs"
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"

import { describe, expect, it } from "vitest"

import { newFolder } from "../../../../test/after-file.ts"
import { readConfig } from "../../src/config.ts"
import { readGhost } from "../../src/import/ghost.ts"
import { nameAll } from "../../src/import/names.ts"
import { draw } from "../blogs.ts"
import { fileWith, ghostJson, ghostPost, mediumZip, zip } from "./files.ts"
import { allFiles, NOW, run } from "./run.ts"

const here = (name: string): string => join(import.meta.dirname, name)

/** Each kind with its export. */
const EXPORTS: [kind: string, file: () => Promise<string>][] = [
  ["ghost", () => Promise.resolve(here("ghost.json"))],
  ["wordpress", () => Promise.resolve(here("wordpress.xml"))],
  ["medium", mediumZip],
]

describe("an export becomes a folder of posts", () => {
  it.each([
    ...EXPORTS.map(([kind, file]) => [kind, kind, file] as const),
    // Many kinds of texts, emphasis that other converters get wrong, and all cards of Ghost.
    ["kinds/wp-kinds", "wordpress", () => here("kinds/wp-kinds.xml")] as const,
    ["kinds/wp-emphasis", "wordpress", () => here("kinds/wp-emphasis.xml")] as const,
    ["kinds/ghost-kinds", "ghost", () => here("kinds/ghost-kinds.json")] as const,
  ])("the export %s becomes the golden files, and a second import changes none", async (name, kind, file) => {
    const folder = await newFolder()
    const path = await file()
    const { code, screen } = await run(kind, path, folder)
    expect(code).toBe(0)
    const files = await allFiles(folder)
    await expect(`${screen}\n\n${files}`).toMatchFileSnapshot(`../golden/import/${name}.txt`)
    const again = await run(kind, path, folder)
    expect([again.code, again.screen]).toEqual([0, expect.stringContaining("Files written to DIR: 0")])
    expect(await allFiles(folder)).toBe(files)
    expect(readConfig(folder)).toMatchObject({
      category: "Blog",
      source: expect.stringMatching(/^\w+-[0-9a-f]{12}$/),
    })
  })

  it("the export of WordPress.com, a zip of several XML files, becomes the files of one export", async () => {
    const xml = await readFile(here("wordpress.xml"), "utf8")
    const at = xml.indexOf("<title>The café</title>")
    const [start, end] = [xml.indexOf("<item>"), xml.indexOf("</channel>")]
    const cut = xml.lastIndexOf("<item>", at)
    const file = await fileWith(
      "wordpress.zip",
      await zip({
        "blog/blog.1.xml": xml.slice(0, cut) + xml.slice(end),
        "blog/blog.2.xml": xml.slice(0, start) + xml.slice(cut),
      }),
    )
    const folder = await newFolder()
    expect((await run("wordpress", file, folder)).code).toBe(0)
    const whole = await newFolder()
    await run("wordpress", here("wordpress.xml"), whole)
    expect(await allFiles(folder)).toBe(await allFiles(whole))
  })

  it("a file that an author has changed is kept with exit code 1, and replaced with --force", async () => {
    const folder = await newFolder()
    await run("ghost", here("ghost.json"), folder)
    const post = join(folder, "posts/old-nets.md")
    await writeFile(post, "mine")
    const { code, screen } = await run("ghost", here("ghost.json"), folder)
    expect([code, await readFile(post, "utf8")]).toEqual([1, "mine"])
    expect(screen).toContain("differs    posts/old-nets.md: kept, since it was edited. --force replaces it.")
    expect((await run("ghost", here("ghost.json"), folder, { force: true })).code).toBe(0)
    expect(await readFile(post, "utf8")).toContain("Nets are made of")
  })

  it("files that nobody has edited follow the configuration and new images at the next import", async () => {
    const folder = await newFolder()
    const blog = join(folder, "blog")
    const file = join(folder, "ghost.json")
    await writeFile(file, await readFile(here("ghost.json")))
    await run("ghost", file, blog)
    const config = await readFile(join(blog, "edgepost.config.yaml"), "utf8")
    await writeFile(join(blog, "edgepost.config.yaml"), `${config}site_url: https://harbour.example/blog/\n`)
    expect((await run("ghost", file, blog)).code).toBe(0)
    expect(await allFiles(blog)).toContain("cover: https://harbour.example/blog/content/images/2024/05/harbour.png")
    await mkdir(join(folder, "content/images/2024/05"), { recursive: true })
    await writeFile(join(folder, "content/images/2024/05/harbour.png"), await draw("a.png", 8, 8))
    expect((await run("ghost", file, blog)).code).toBe(0)
    const files = await allFiles(blog)
    expect(files).toMatch(/^cover: \.\.\/images\/harbour-[0-9a-f]{12}\.png$/m)
    expect(files).toContain("/blog/quiet-harbour/,quiet-harbour")
  })

  it("a post that the export no longer has is named, and stays with its redirect", async () => {
    const folder = await newFolder()
    await run("ghost", await fileWith("a.json", ghostJson([ghostPost("one"), ghostPost("two")])), folder)
    const { code, screen } = await run("ghost", await fileWith("a.json", ghostJson([ghostPost("one")])), folder)
    expect([code, screen]).toEqual([0, expect.stringContaining("stale      posts/two.md: it is of an earlier import")])
    expect(existsSync(join(folder, "posts/two.md"))).toBe(true)
    expect(await readFile(join(folder, "redirects.csv"), "utf8")).toBe(
      "old_path,slug,file\r\n/two/,two,posts/two.md\r\n/one/,one,posts/one.md\r\n",
    )
  })

  it("a redirect leads to the slug that an author has set in a post", async () => {
    const folder = await newFolder()
    const file = await fileWith("a.json", ghostJson([ghostPost("one")]))
    await run("ghost", file, folder)
    const post = join(folder, "posts/one.md")
    await writeFile(post, (await readFile(post, "utf8")).replace("slug: one", "slug: another"))
    await run("ghost", file, folder)
    expect(await readFile(join(folder, "redirects.csv"), "utf8")).toContain("/one/,another,posts/one.md\r\n")
  })

  it("an import into another folder has the same source", async () => {
    const [one, other] = [await newFolder(), await newFolder()]
    for (const folder of [one, other]) await run("ghost", here("ghost.json"), folder)
    expect(readConfig(other).source).toBe(readConfig(one).source)
  })

  it("a configuration that is there already stays, and the report says which source it lacks", async () => {
    const folder = await newFolder()
    await writeFile(join(folder, "edgepost.config.json"), '{"category":"Sea"}')
    const { screen } = await run("ghost", here("ghost.json"), folder)
    expect(existsSync(join(folder, "edgepost.config.yaml"))).toBe(false)
    expect(screen).toMatch(/Add to the configuration: source: ghost-[0-9a-f]{12}$/m)
  })

  it("--json prints one object with posts, files and warnings", async () => {
    const { screen } = await run("ghost", here("ghost.json"), await newFolder(), { json: true })
    const report = JSON.parse(screen)
    expect(report).toMatchObject({ kind: "ghost", posts: 5, drafts: 2, remote: 3, leftOut: [{ post: "about" }] })
    expect(report.files).toContainEqual({ file: "posts/old-nets.md", result: "written" })
  })
})

describe("images of an export", () => {
  it("an image of another site with the path of an upload stays another image", async () => {
    const png = await draw("a.png", 8, 8)
    const folder = await newFolder()
    await mkdir(join(folder, "content/images"), { recursive: true })
    await writeFile(join(folder, "content/images/a.png"), png)
    const html = '<img src="__GHOST_URL__/content/images/a.png"><img src="https://other.example/content/images/a.png">'
    await writeFile(join(folder, "ghost.json"), ghostJson([ghostPost("a", { html })]))
    await run("ghost", join(folder, "ghost.json"), join(folder, "out"))
    expect(await readFile(join(folder, "out/posts/a.md"), "utf8")).toMatch(
      /!\[\]\(\.\.\/images\/a-[0-9a-f]{12}\.png\)!\[\]\(https:\/\/other\.example\/content\/images\/a\.png\)/,
    )
  })

  it("images of a zip of Ghost are saved once, with sizes and repeated addresses", async () => {
    const png = await draw("a.png", 8, 8)
    const file = await fileWith(
      "ghost.zip",
      await zip({
        "blog/blog.json": await readFile(here("ghost.json"), "utf8"),
        "blog/content/images/2024/05/harbour.png": new Uint8Array(png),
        "blog/content/images/2020/01/lost.png": "no image",
      }),
    )
    const folder = await newFolder()
    const { screen } = await run("ghost", file, folder)
    const files = await allFiles(folder)
    expect(files.match(/===== images\/.*/g)).toEqual([expect.stringMatching(/images\/harbour-[0-9a-f]{12}\.png$/)])
    expect(files.match(/\.\.\/images\/harbour-[0-9a-f]{12}\.png/g)).toHaveLength(4)
    expect(screen).toMatch(
      /no image {3}The file is not an image that edgepost knows\.\n {11}posts\/old-nets\.md: .*lost\.png/,
    )
  })

  it("images of Ghost get the address of the old site if the configuration of the folder names it", async () => {
    const folder = await newFolder()
    await writeFile(join(folder, "edgepost.config.yaml"), "site_url: https://harbour.example\n")
    const { screen } = await run("ghost", here("ghost.json"), folder)
    expect(screen).toContain("Images left on the web: 5. --download-images saves them.")
    expect(await allFiles(folder)).toContain("cover: https://harbour.example/content/images/2024/05/harbour.png")
  })

  it("uploads of WordPress beside the export are saved, and images in an address as well", async () => {
    const png = await draw("a.png", 8, 8)
    const folder = await newFolder()
    const xml = (await readFile(here("wordpress.xml"), "utf8")).replace(
      "<p>Apples are",
      `<p><img src="data:image/png;base64,${Buffer.from(png).toString("base64")}">Apples are`,
    )
    await mkdir(join(folder, "wp-content/uploads/2023/09"), { recursive: true })
    await writeFile(join(folder, "wp-content/uploads/2023/09/apple.jpg"), await draw("a.jpg", 8, 8))
    await writeFile(join(folder, "export.xml"), xml)
    await run("wordpress", join(folder, "export.xml"), join(folder, "out"))
    const files = await allFiles(join(folder, "out"))
    expect(files.match(/===== images\/.*/g)).toEqual([
      expect.stringMatching(/images\/apple-[0-9a-f]{12}\.jpeg$/),
      expect.stringMatching(/images\/[0-9a-f]{12}\.png$/),
    ])
    expect(files).toMatch(/^cover: \.\.\/images\/apple-/m)
  })
})

describe("names", () => {
  it("slugs of any kind become names within the folder, and the same slug twice gets a number", async () => {
    const slugs = [
      "../../up",
      "/etc/passwd",
      "a\\b",
      "..",
      "Ünï_Code",
      "same",
      "same",
      "readme",
      "index",
      "con\u0000trol",
    ]
    const folder = await newFolder()
    await run("ghost", await fileWith("a.json", ghostJson(slugs.map((slug) => ghostPost(slug)))), join(folder, "out"))
    const files = (await allFiles(folder)).match(/^===== .*/gm)
    expect(files).toEqual(
      ["edgepost.config.yaml", "posts/a-b.md", "posts/con-trol.md", "posts/etc-passwd.md", "posts/index.md"]
        .concat([expect.stringMatching(/posts\/post-[0-9a-f]{8}\.md/), "posts/readme.md", "posts/same-2.md"])
        .concat(["posts/same.md", "posts/ueni-code.md", "posts/up.md", "redirects.csv"])
        .map((name) => (typeof name === "string" ? `===== out/${name}` : name)),
    )
  })

  it("a canonical address on the old site is left out, and one of another site is kept", async () => {
    const folder = await newFolder()
    const posts = ["__GHOST_URL__/b/", "/c/", "https://other.example/d/"].map((canonical_url, i) =>
      ghostPost(`post-${i}`, { canonical_url }),
    )
    await run("ghost", await fileWith("a.json", ghostJson(posts)), folder)
    expect((await allFiles(folder)).match(/canonical_url.*/g)).toEqual(["canonical_url: https://other.example/d/"])
  })

  it("a post that readers know keeps its slug before a draft with the same one", async () => {
    const posts = [ghostPost("tide", { status: "draft" }), ghostPost("tide")]
    const folder = await newFolder()
    await run("ghost", await fileWith("a.json", ghostJson(posts)), folder)
    expect(await readFile(join(folder, "posts/tide.md"), "utf8")).toContain("status: PB")
    expect(await readFile(join(folder, "posts/tide-2.md"), "utf8")).toContain("status: DF")
  })

  it("20,000 posts with one slug are named in a time that grows with their number", async () => {
    const file = await fileWith("a.json", ghostJson(Array.from({ length: 20_000 }, () => ghostPost("tide"))))
    const { posts } = readGhost(JSON.parse(await readFile(file, "utf8")), NOW, null)
    expect(new Set(nameAll(posts).map(({ slug }) => slug)).size).toBe(20_000)
  })

  it("a linked file is not written through", async () => {
    const folder = await newFolder()
    const elsewhere = await newFolder()
    const file = await fileWith("a.json", ghostJson([ghostPost("tide")]))
    await mkdir(join(folder, "posts"))
    await writeFile(join(elsewhere, "victim"), "mine")
    await symlink(join(elsewhere, "victim"), join(folder, "posts/tide.md"))
    expect((await run("ghost", file, folder, { force: true })).code).toBe(1)
    expect(await readFile(join(elsewhere, "victim"), "utf8")).toBe("mine")
  })

  it("a date over 366 days ahead or before 1970, or none that can be read, makes a draft, with a warning", () => {
    const dates = ["2027-01-01T00:00:00Z", "1969-01-01T00:00:00Z", "some day", null]
    const { posts } = readGhost(
      JSON.parse(ghostJson(dates.map((published_at) => ghostPost("a", { published_at })))),
      NOW,
      null,
    )
    expect(posts).toMatchObject(dates.map(() => ({ status: "DF", published_at: null, warnings: [expect.any(String)] })))
  })
})
