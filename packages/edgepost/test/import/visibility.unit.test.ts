import { describe, expect, it } from "vitest"

import { newFolder } from "../../../../test/after-file.ts"
import { fileWith, ghostJson, ghostPost, wordpressPost, wxr } from "./files.ts"
import { allFiles, run } from "./run.ts"

describe("posts that not all readers see", () => {
  const access =
    "<wp:postmeta><wp:meta_key>_jetpack_newsletter_access</wp:meta_key><wp:meta_value>paid_subscribers</wp:meta_value></wp:postmeta>"
  const lexical = '{"root":{"children":[{"type":"html","html":"a","visibility":{"web":{"nonMember":false}}}]}}'
  it.each([
    [
      "a card of Ghost for members",
      "ghost",
      ghostJson([ghostPost("a", { html: '<!--kg-gated-block:begin nonMember:false memberSegment:"" --><p>b</p>' })]),
    ],
    ["a card of Ghost for members in its editor", "ghost", ghostJson([ghostPost("a", { html: null, lexical })])],
    [
      "a paywall of Jetpack",
      "wordpress",
      wxr(wordpressPost("<p>a</p><!-- wp:jetpack/paywall --><!-- /wp:jetpack/paywall --><p>b</p>")),
    ],
    [
      "a part for subscribers",
      "wordpress",
      wxr(wordpressPost("<!-- wp:premium-content/container --><p>b</p><!-- /wp:premium-content/container -->")),
    ],
    [
      "a hidden block",
      "wordpress",
      wxr(wordpressPost('<!-- wp:paragraph {"metadata":{"blockVisibility":false}} --><p>b</p><!-- /wp:paragraph -->')),
    ],
    ["a shortcode for members", "wordpress", wxr(wordpressPost("[members_only]b[/members_only]"))],
    ["paying subscribers alone", "wordpress", wxr(wordpressPost("<p>b</p>", access))],
  ])("a post with %s becomes a draft, with a warning", async (_, kind, content) => {
    const { screen } = await run(kind, await fileWith("a", content), await newFolder())
    expect(screen).toMatch(/, so it becomes a draft\.$/m)
    expect(screen).toContain("Posts: 1, drafts among them: 1")
  })

  it("a shared block of WordPress that is no longer public is left out, with a warning", async () => {
    for (const status of ["publish", "trash", "draft"]) {
      const shared = `<item><wp:post_id>60</wp:post_id><wp:post_type>wp_block</wp:post_type><wp:status>${status}</wp:status><content:encoded>Shared</content:encoded></item>`
      const xml = wxr(wordpressPost('<!-- wp:block {"ref":60} /-->') + shared)
      const folder = await newFolder()
      const { screen } = await run("wordpress", await fileWith("a.xml", xml), folder)
      expect((await allFiles(folder)).includes("Shared")).toBe(status === "publish")
      expect(screen.includes("The block block has no text")).toBe(status !== "publish")
    }
  })
})
