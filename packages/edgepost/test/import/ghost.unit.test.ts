import { describe, expect, test } from "vitest"

import { newFolder } from "../../../../test/after-file.ts"
import { readGhost } from "../../src/import/ghost.ts"
import { fileWith, ghostJson, ghostPost } from "./files.ts"
import { allFiles, NOW, run } from "./run.ts"

/** Imports one public post. @returns its status, and what its author is told */
const readOne = (fields: object, meta: object = {}) => {
  const data = { posts: [ghostPost("a", { id: "1", ...fields })], posts_meta: [{ post_id: "1", ...meta }] }
  const [post] = readGhost({ db: [{ data }] }, NOW, null).posts
  return [post?.status, ...(post?.warnings ?? [])]
}

/** Returns a post whose editor has a card with such fields. */
const withCard = (fields: object) => ({
  lexical: JSON.stringify({ root: { children: [{ type: "html", html: "<p>b</p>", ...fields }] } }),
})

const everyone = { nonMember: true, memberSegment: "status:free,status:-free" }

describe("fields of Ghost about readers", () => {
  test.each([
    ["the visibility of a post", { visibility: "filter" }, {}, "Its visibility is filter"],
    ["an unknown status", { status: "archived" }, {}, "Its status is archived"],
    ["an unknown field", { member_access: "gold" }, {}, "Its field `member_access` may hide it from readers"],
    ["a schedule", { scheduled_until: "2030-01-01" }, {}, "Its field `scheduled_until` may hide it from readers"],
    [
      "a scheduled e-mail",
      { status: "scheduled" },
      { email_only: 1 },
      "Its field `email_only` may hide it from readers",
    ],
    ["a card for members", withCard({ visibility: { web: { nonMember: false } } }), {}, "(`nonMember`)"],
    ["a card of an older Ghost", withCard({ visibility: { showOnWeb: false } }), {}, "(`showOnWeb`)"],
    ["a card for e-mails", withCard({ visibility: { emailOnly: true } }), {}, "(`emailOnly`)"],
    ["an unknown key of visibility", withCard({ visibility: { web: everyone, regions: ["EU"] } }), {}, "(`regions`)"],
    ["an unknown key below it", withCard({ visibility: { web: { ...everyone, from: "2030" } } }), {}, "(`from`)"],
    ["visibility as a text", withCard({ visibility: "members" }), {}, "(`visibility`)"],
    ["an unknown field of a card", withCard({ memberTiers: ["gold"] }), {}, "(`memberTiers`)"],
    ["a card of the former editor", { mobiledoc: '{"cards":[["html",{"audience":"paid"}]]}' }, {}, "(`audience`)"],
    [
      "an unknown gate",
      { html: '<!-- kg-gated-block:begin tier:"gold" --><p>b</p><!--kg-gated-block:end-->' },
      {},
      "all readers see",
    ],
  ])("%s makes a draft and is named", (_, fields, meta, message) => {
    expect(readOne(fields, meta)).toEqual(["DF", expect.stringContaining(message)])
    expect(readOne(fields, meta)[1]).toMatch(/, so it becomes a draft\.$/)
  })

  test.each([
    ["everyone", { visibility: "public", access: true, tiers: [{ visibility: "public" }], email_segment: "all" }],
    ["no value", { visibility: "", member_access: null, tiers: [], scheduled_until: "" }],
    ["a card for everyone", withCard({ visibility: { web: everyone, email: { memberSegment: "" } } })],
    [
      "a card of an older Ghost",
      withCard({ visibility: { showOnWeb: true, showOnEmail: false, segment: "status:free" } }),
    ],
    ["a gate for everyone", { html: '<!--kg-gated-block:begin nonMember:true memberSegment:"" --><p>b</p>' }],
    [
      "a text about a gate",
      { html: "<p>&lt;!--kg-gated-block:begin nonMember:false</p>", ...withCard({ html: '"visibility":{"a":1}' }) },
    ],
    ["an unreadable editor", { lexical: "{" }],
  ])("%s: the post stays public", (_, fields) => {
    expect(readOne(fields, { email_only: 0 })).toEqual(["PB"])
  })
})

describe("cards and covers of Ghost", () => {
  test("the player of Transistor is left out, with a warning", async () => {
    const frame = '<iframe data-src="https://partner.transistor.fm/ghost/embed/%7Buuid%7D?ctx=1"></iframe>'
    const html = `<p>a</p><figure class="kg-card kg-transistor-card">${frame}<noscript>${frame.replace("data-", "")}</noscript></figure>`
    const folder = await newFolder()
    const { screen } = await run("ghost", await fileWith("a.json", ghostJson([ghostPost("a", { html })])), folder)
    expect(screen).toContain("posts/a.md: Its player of Transistor is left out")
    expect(await allFiles(folder)).toMatch(/---\n\na\n/)
    expect(readOne({ html: null, ...withCard({ type: "transistor" }) })[1]).toContain("Transistor")
  })

  test.each([
    ["https://blog.example", null, "/content/images/a.png"],
    ["https://blog.example/sub", "https://new.example/b/", "https://new.example/b/content/images/a.png"],
  ])("the background of a header card of %s is an image of the site %s", async (origin, siteUrl, expected) => {
    const address = `${origin}/content/images/a.png`
    const html = `<div class="kg-card kg-header-card" data-kg-background-image="${address}" style="background-image: url(${address})"><h2>A</h2></div><p><img src="https://o.example/content/images/b.png"></p>`
    const [post] = readGhost(JSON.parse(ghostJson([ghostPost("a", { html })])), NOW, siteUrl).posts
    const tree = JSON.stringify(post?.content())
    expect(tree).toContain(`url(${expected})`)
    expect(tree).not.toContain("blog.example")
    expect(tree).toContain('"https://o.example/content/images/b.png"')
  })

  test("the caption of a cover is its text, and the loss of its links is said", () => {
    const fields = { feature_image: "__GHOST_URL__/content/images/a.png" }
    expect(readOne(fields, { feature_image_caption: "<p>By <b>A</b></p>" })).toEqual(["PB"])
    expect(readOne(fields, { feature_image_caption: 'By <a href="/b">A</a>' })).toEqual([
      "PB",
      "The links in the caption of its cover are lost.",
    ])
  })
})
