import { readFile } from "node:fs/promises"
import { join } from "node:path"

import { describe, expect, it } from "vitest"

import { newFolder } from "../../../../test/after-file.ts"
import { renderWordPress } from "../../src/import/wordpress-text.ts"
import { fileWith, wordpressPost, wxr } from "./files.ts"
import { allFiles, run } from "./run.ts"

/** Returns the HTML of a text without anything around it. */
const render = (content: string): string =>
  renderWordPress(content, {
    attachments: new Map(),
    uploads: new Map(),
    post: "1",
    shared: new Map(),
    footnotes: new Map(),
  }).html

const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`
const upload = (id: number, name: string, fields = "") =>
  `<item><title>${name.toUpperCase()}</title><wp:post_id>${id}</wp:post_id><wp:post_parent>5</wp:post_parent><wp:post_type>attachment</wp:post_type><wp:status>inherit</wp:status><wp:attachment_url>https://e.example/${name}</wp:attachment_url>${fields}</item>`
const order = (place: number) => `<wp:menu_order>${place}</wp:menu_order>`
const FILES =
  upload(11, "b.png", order(2)) + upload(12, "a.png", order(3)) + upload(13, "c.png", order(1)) + upload(14, "d.mp3")
const shared = (id: number, content: string) =>
  `<item><wp:post_id>${id}</wp:post_id><wp:post_type>wp_block</wp:post_type><wp:status>publish</wp:status><content:encoded><![CDATA[${content}]]></content:encoded></item>`
const open = (name: string, html: string) =>
  `<!-- wp:a {"metadata":{"name":"${name}","bindings":{"__default":{"source":"core/pattern-overrides"}}}} -->${html}<!-- /wp:a -->`
const SHARED =
  shared(1, '<!-- wp:a --><p>One</p><!-- /wp:a --><!-- wp:block {"ref":2} /-->') +
  shared(2, `${open("Line", "<p class=x>Two</p>")}<!-- wp:block {"ref":1} /-->`) +
  shared(3, open("Go", '<div><a class="y" href="https://e.example/1">First</a></div>')) +
  shared(4, open("Image", '<figure><img src="https://e.example/1.png" alt="old"/></figure>'))

/** Imports one post of the id 5. @returns its file without what a post always has, and the warnings */
const imported = async (content: string, fields = "", items = "") => {
  const folder = await newFolder()
  const own = `<wp:post_id>5</wp:post_id><wp:post_name>a</wp:post_name>${fields}`
  const xml = wxr(`<link>https://e.example</link>${wordpressPost(content, own)}${items}`)
  const { screen } = await run("wordpress", await fileWith("a.xml", xml), folder)
  const [, post = ""] = (await allFiles(folder)).split("===== posts/a.md\n")
  const [front = "", text = ""] = post.split("\n---\n")
  return {
    front,
    text: text.split("\n===== ")[0]?.trim(),
    files: post,
    warned: screen.split("\n").filter((line) => line.startsWith("warning")),
  }
}
const shownIn = (text = "") => Array.from(text.matchAll(/(\w)\.(?:png|mp3)/g), ([, name]) => name).join("")

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

  it.each([
    ["[gallery]", "cba"],
    ['[gallery id="5"]', "cba"],
    ['[gallery ids="11,12,13"]', "bac"],
    ['[gallery ids="11,12,13" order="DESC"]', "bac"],
    ['[gallery ids="12,11,13" order="DESC" orderby="ID"]', "cab"],
    ['[gallery include="12,13"]', "ca"],
    ['[gallery exclude="12" orderby="title"]', "bc"],
    ['[gallery order="desc"]', "abc"],
    ['[playlist ids="14"]', "d"],
    ["[playlist]", "d"],
    ['[playlist type="video"]', ""],
    ['[gallery id="9"]', ""],
    ['[gallery ids="98,99"]', ""],
  ])("%s shows the files %j", async (content, expected) => {
    const { text, warned } = await imported(`A ${content} b`, "", FILES)
    expect(shownIn(text)).toBe(expected)
    expect(text).not.toContain(String.raw`\[`)
    expect(warned).toHaveLength(/9/.test(content) ? 1 : 0)
  })

  it.each([
    ['<!-- wp:block {"ref":1} /-->', "One\n\nTwo"],
    ['<!-- wp:block {"ref":1,"content":{"Line":{"content":"My <em>own</em>"}}} /-->', "One\n\nMy *own*"],
    ['<!-- wp:block {"ref":2,"content":{"Line":{"content":"$& 5"}}} /-->', "\\$& 5\n\nOne"],
    [
      '<!-- wp:block {"ref":3,"content":{"Go":{"text":"Last","url":"https://e.example/2"}}} /-->',
      "[Last](https://e.example/2)",
    ],
    [
      '<!-- wp:block {"ref":4,"content":{"Image":{"url":"https://e.example/2.png","alt":"new"}}} /-->',
      "![new](https://e.example/2.png)",
    ],
  ])("the shared blocks of %s become %j, without a warning", async (content, expected) => {
    expect(await imported(content, "", SHARED)).toMatchObject({ text: expected, warned: [] })
  })

  it("a text of a post that has no place in a shared block is warned of", async () => {
    const { warned } = await imported('<!-- wp:block {"ref":3,"content":{"Go":{"caption":"x"}}} /-->', "", SHARED)
    expect(warned).toEqual([expect.stringContaining("The block's first texts are used.")])
  })

  it.each([
    ["[c]int a;[/c]", "```c\nint a;\n```"],
    ["[text]a < b[/text]", "```text\na < b\n```"],
    ["[powershell]ls[/powershell]", "```powershell\nls\n```"],
    ['[cc lang="bash"]ls[/cc]', "```bash\nls\n```"],
    ['<pre class="EnlighterJSRAW" data-enlighter-language="js">a</pre>', "```js\na\n```"],
    ['<pre class="lang:php decode:true">a</pre>', "```php\na\n```"],
    ['b <span class="lang:js crayon-inline">a_b_c</span>', "b `a_b_c`"],
    [
      '<!-- wp:x/code-block-pro {"language":"js"} --><div><pre><code>a</code></pre><span>JavaScript</span></div><!-- /wp:x/code-block-pro -->',
      "```js\na\n```",
    ],
    [
      '<!-- wp:x/code-block-pro {"footerString":"a.js"} --><div><pre><code>a</code></pre><span>a.js</span></div><!-- /wp:x/code-block-pro -->',
      "```\na\n```\n\na.js",
    ],
    [
      '[wp_caption caption="Old"]<img src="https://e.example/a.png">[/wp_caption]',
      '<figure><img src="https://e.example/a.png" alt=""><figcaption>Old</figcaption></figure>',
    ],
    ["[tweet https://e.example/1]", "<https://e.example/1>"],
    ["[wpvideo OcobLTqC]", "<https://videopress.com/v/OcobLTqC>"],
    ["<blockquote>Said once.<cite>Someone</cite></blockquote>", "> Said once.\n>\n> Someone"],
    ["<blockquote><p>Said once.</p><cite>Someone</cite></blockquote>", "> Said once.\n>\n> Someone"],
    [
      '<div class="wp-block-file"><object data="https://e.example/a.pdf"></object><a href="https://e.example/a.pdf">A</a><a href="https://e.example/a.pdf" class="wp-block-file__button">Download</a></div>',
      "[A](https://e.example/a.pdf)",
    ],
    [
      '<!-- wp:tab-list --><div><button>N</button></div><!-- /wp:tab-list --><!-- wp:tab-panel {"label":"N &amp; S"} --><section><p>c</p></section><!-- /wp:tab-panel -->',
      "**N & S**\n\nc",
    ],
    [
      '<!-- wp:a --><ol><!-- wp:playlist-track {"id":1,"src":"https://e.example/a.mp3","title":"T","artist":"Ann"} /--></ol><!-- /wp:a -->',
      "1. [T](https://e.example/a.mp3) (Ann)",
    ],
  ])("%s becomes %j, without a warning", async (content, expected) => {
    expect(await imported(content)).toMatchObject({ text: expected, warned: [] })
  })

  it.each([
    ["[twitter 1]", 1],
    ['[contact-form-7 404 "Contact"]', 1],
    ["[video_box x]", 1],
    ["[plugin a1b2]", 1],
    ["[sic] [see below] [page 5] [c] [r]", 0],
  ])("%s stays text, with %d warnings", async (content, count) => {
    const { text, warned } = await imported(content)
    expect(text?.replaceAll("\\", "")).toBe(content)
    expect(warned).toHaveLength(count)
  })

  it.each([
    ["enclosure", "https://e.example/a.mp3\n123\naudio/mpeg", "b\n\n<https://e.example/a.mp3>"],
    ["_format_video_embed", "https://e.example/v", "b\n\n<https://e.example/v>"],
    ["_format_video_embed", '<iframe width="1" src="https://e.example/v"></iframe>', "b\n\n<https://e.example/v>"],
    ["_format_link_url", "https://e.example/c?d=e&f", "b\n\n<https://e.example/c?d=e&f>"],
    ["_links_to", "https://e.example/c", "b\n\n<https://e.example/c>"],
    ["video_url", "https://e.example/v", "b\n\n<https://e.example/v>"],
    ["video_thumbnail", "https://e.example/v.jpg", "b"],
    ["_oembed_0a", '<iframe src="https://e.example/v"></iframe>', "b"],
    ["_edit_lock", "https://e.example/v", "b"],
  ])("the field %s with %j gives the text %j", async (key, value, expected) => {
    expect(await imported("b", meta(key, value))).toMatchObject({ text: expected, warned: [] })
  })

  it("a file of a field that the text names stands there once, and fields with texts are named", async () => {
    const link = '<a href="https://e.example/a.mp3?b&amp;c">a</a>'
    expect((await imported(link, meta("enclosure", "https://e.example/a.mp3?b&c"))).text).toBe(
      String.raw`[a](https://e.example/a.mp3?b\&c)`,
    )
    const { warned } = await imported("b", meta("intro", "Words") + meta("_intro", "field_5f"))
    expect(warned).toEqual([expect.stringContaining("Its fields are left out: intro.")])
  })

  it("the words of a featured image become those of the cover", async () => {
    const image = upload(
      15,
      "e.png",
      `<excerpt:encoded><![CDATA[A <b>gray</b> one]]></excerpt:encoded>${meta("_wp_attachment_image_alt", "a stone")}`,
    )
    const { front } = await imported("b", meta("_thumbnail_id", "15"), image)
    expect(front).toContain("\ncover_alt: a stone\ncover_caption: A gray one")
  })

  it.each([
    ["<!-- wp:footnotes /-->", "b[^1]\n\n[^1]: Note", 0],
    ["", "b<sup>[1](#n)</sup>", 1],
  ])("footnotes with the block %j give %j", async (block, expected, count) => {
    const notes = meta("footnotes", '[{"id":"n","content":"Note"}]')
    const { text, warned } = await imported(
      `<!-- wp:a --><p>b<sup><a href="#n">1</a></sup></p><!-- /wp:a -->${block}`,
      notes,
    )
    expect(text).toBe(expected)
    expect(warned).toHaveLength(count)
  })

  it("old slugs, old days and pages of a post lead to it, and none of another post", async () => {
    const fields = `<link>https://e.example/2024/05/02/a/</link>${meta("_wp_old_slug", "b")}${meta("_wp_old_slug", "c")}${meta("_wp_old_slug", "taken")}${meta("_wp_old_date", "2023-12-31")}`
    const other = wordpressPost(
      "b",
      "<wp:post_name>taken</wp:post_name><link>https://e.example/2024/05/02/taken/</link>",
    )
    const { files } = await imported("a<!--nextpage-->b<!--nextpage-->c", fields, other)
    const paths = Array.from(files.matchAll(/^(\S*),a,posts\/a\.md\r?$/gm), ([, path]) => path)
    expect(paths).toEqual([
      "/2024/05/02/a/",
      "/?p=5",
      "/2024/05/02/b/",
      "/2024/05/02/c/",
      "/2023/12/31/a/",
      "/2023/12/31/b/",
      "/2023/12/31/c/",
      "/2023/12/31/taken/",
      "/2024/05/02/a/2/",
      "/2024/05/02/a/3/",
    ])
  })

  it("a comma in a category becomes a blank, with a warning", async () => {
    const { front, warned } = await imported("b", '<category domain="category"><![CDATA[Wind, rain]]></category>')
    expect(front).toContain("  - Wind rain")
    expect(warned).toEqual([expect.stringContaining("names with a comma")])
  })
})
