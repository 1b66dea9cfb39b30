import { readFile } from "node:fs/promises"
import { join } from "node:path"

import { describe, expect, it } from "vitest"

import { newFolder } from "../../../../test/after-file.ts"
import { renderWordPress } from "../../src/import/wordpress-text.ts"
import { fileWith, wordpressPost, wxr } from "./files.ts"
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

  it.each([
    ["$latex E=mc^2$", "a $E=mc^2$ b"],
    ["$latex a &lt; b_1 &amp;s=2&amp;bg=ffffff$", "a $a < b_1$ b"],
    ["$latex=\\frac{a}{b}&s=1$ and $latex x$", "a $\\frac{a}{b}$ and $x$ b"],
    ["$5 and $6", "a \\$5 and \\$6 b"],
  ])("the formulas of %j become %j", async (content, markdown) => {
    const folder = await newFolder()
    const { screen } = await run("wordpress", await fileWith("a.xml", wxr(wordpressPost(`a ${content} b`))), folder)
    expect(await allFiles(folder)).toContain(`\n${markdown}\n`)
    expect(screen).not.toContain("formula")
  })

  it.each(["\\(x_1\\)", "\\[x_1\\]", "$$y$$", "$latex a<b>c</b>$"])(
    "the formula %s stays text, with a warning",
    async (content) => {
      const { screen } = await run(
        "wordpress",
        await fileWith("a.xml", wxr(wordpressPost(`a ${content} <code>$latex y$</code> b`))),
        await newFolder(),
      )
      expect(screen).toMatch(/^warning {4}posts\/a\.md: The formula .* is kept as text\. Write formulas as \$x\$\.$/m)
    },
  )

  it.each([
    [["Alice", "Alice", "Bob", "Bob"], "Alice, Bob"],
    [["Alice  B.", "Alice B."], "Alice B."],
    [["Ann &amp; Co", "ann@e.example", "Ann &amp; Co"], "Ann & Co"],
    [["Alice"], "Alice"],
  ])("the labels %j of authors become the author %s", async (names, author) => {
    const labels = names.map((name) => `<category domain="author"><![CDATA[${name}]]></category>`).join("")
    const folder = await newFolder()
    await run("wordpress", await fileWith("a.xml", wxr(wordpressPost("a", labels))), folder)
    expect(await allFiles(folder)).toContain(`\nauthor_name: ${author}\n`)
  })
})
