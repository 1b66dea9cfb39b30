import { readFile } from "node:fs/promises"
import { join } from "node:path"

import { describe, expect, it } from "vitest"

import { renderWordPress } from "../../src/import/wordpress-text.ts"
import { fileWith, newFolder, wordpressPost, wxr } from "./files.ts"
import { allFiles, run } from "./run.ts"

/** Returns the HTML of a text without anything around it. */
const render = (content: string): string =>
  renderWordPress(content, { attachments: new Map(), uploads: [], shared: new Map(), footnotes: new Map() }).html

describe("texts of WordPress", () => {
  it.each([
    ["[youtube https://www.youtube.com/watch?v=REAL&amp;w=640&amp;h=360]", "https://www.youtube.com/watch?v=REAL"],
    ["[youtube=https://www.youtube.com/watch?v=REAL&w=640]", "https://www.youtube.com/watch?v=REAL"],
    ['[youtube id="REAL"]', ""],
    ["[youtube REAL]", "https://www.youtube.com/watch?v=REAL"],
    ['[embed width="1"]https://e.example/a?b=c[/embed]', "https://e.example/a?b=c"],
    ["Look:\nhttps://e.example/a\nNice.", "https://e.example/a"],
  ])("%j has the link %j", (content, href) => {
    expect(/href="([^"]*)"/.exec(render(content))?.[1] ?? "").toBe(href)
  })

  it("an export whose address of the site cannot be read is imported", async () => {
    const folder = await newFolder()
    const xml = wxr(`<link>no address</link>${wordpressPost('<a href="/b/">b</a>')}`)
    expect((await run("wordpress", await fileWith("a.xml", xml), folder)).code).toBe(0)
    expect(await allFiles(folder)).toContain("[b](/b/)")
  })

  it("a gallery with a missing image shows the others, and names it", async () => {
    const xml = (await readFile(join(import.meta.dirname, "wordpress.xml"), "utf8")).replace(
      'ids="20,21"',
      'ids="20,999,21"',
    )
    const folder = await newFolder()
    const { screen } = await run("wordpress", await fileWith("a.xml", xml), folder)
    expect(screen).toContain("posts/cafe.md: Images of a gallery are not in the export: 999.")
    expect(await allFiles(folder)).toContain("<figcaption>A pear</figcaption>")
  })
})
