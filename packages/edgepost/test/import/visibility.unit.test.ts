import { describe, expect, it } from "vitest"

import { newFolder } from "../../../../test/after-file.ts"
import { fileWith, ghostJson, ghostPost, wordpressPost, wxr } from "./files.ts"
import { allFiles, run } from "./run.ts"

const paragraph = (data: string) => `<!-- wp:paragraph ${data} --><p>b</p><!-- /wp:paragraph -->`
const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`
const viewport = (...screens: string[]) =>
  paragraph(`{"metadata":{"blockVisibility":{"viewport":{${screens.map((screen) => `"${screen}":false`).join(",")}}}}}`)

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

  it.each([
    ["is hidden on all screens", viewport("desktop", "tablet", "mobile"), "“blockVisibility” of the block paragraph"],
    ["is hidden by a plugin", paragraph('{"blockVisibility":{"hideBlock":true}}'), "“blockVisibility”"],
    ["is for a role", paragraph('{"a":[{"controls":{"userRole":{"visibilityByRole":"logged-in"}}}]}'), "“userRole”"],
    ["is for a role of another plugin", paragraph('{"UAGUserRole":"editor"}'), "“UAGUserRole”"],
    ["has a schedule", paragraph('{"b":{"schedules":[{"enable":true,"start":"2024-05-01"}]}}'), "“schedules”"],
    ["has conditions", paragraph('{"otterConditions":[[{"type":"loggedInUser"}]]}'), "“otterConditions”"],
    [
      "is for members",
      '<!-- wp:pmpro/membership {"levels":["1"]} -->b<!-- /wp:pmpro/membership -->',
      "pmpro/membership",
    ],
    ["is for members of a shop", "<!-- wp:woocommerce-memberships/member-content -->b", "member-content"],
    ["is in a shortcode of a plugin", "[um_loggedin]b[/um_loggedin]", "the shortcode [um_loggedin]"],
    ["is in a shortcode with arguments", '[mepr-active rule="5"]b[/mepr-active]', "the shortcode [mepr-active]"],
  ])("a part that %s makes a draft, and what says so is named", async (_, content, named) => {
    const { screen } = await run("wordpress", await fileWith("a", wxr(wordpressPost(content))), await newFolder())
    expect(screen).toMatch(/^warning .* It has a part that not all readers see \(.*\), so it becomes a draft\.$/m)
    expect(screen).toContain(named)
    expect(screen).toContain("drafts among them: 1")
  })

  it("a hidden part of a shared block makes a draft of each post with it", async () => {
    const shared = `<item><wp:post_id>60</wp:post_id><wp:post_type>wp_block</wp:post_type><wp:status>publish</wp:status><content:encoded><![CDATA[${paragraph('{"hideBlock":true}')}]]></content:encoded></item>`
    const xml = wxr(wordpressPost('<!-- wp:block {"ref":60} /-->') + shared)
    const { screen } = await run("wordpress", await fileWith("a", xml), await newFolder())
    expect(screen).toContain("drafts among them: 1")
  })

  it.each([
    ["_members_access_role", "subscriber"],
    ["rcp_subscription_level", 'a:1:{i:0;s:1:"2";}'],
    ["_jetpack_memberships_contains_paid_content", "1"],
    ["pms-content-restrict-user-status", "loggedin"],
    ["um_content_restriction", 'a:2:{s:26:"_um_custom_access_settings";s:1:"1";s:14:"_um_accessible";s:1:"2";}'],
    ["_expiration-date", "1767225600"],
  ])("the field %s with %s makes a draft, and is named", async (key, value) => {
    const xml = wxr(wordpressPost("b", meta(key, value)))
    const { screen } = await run("wordpress", await fileWith("a", xml), await newFolder())
    expect(screen).toContain(`Its field “${key}” may keep readers away, so it becomes a draft.`)
  })

  it.each([
    [paragraph('{"blockVisibility":{"controlSets":[{"id":1,"enable":true,"controls":{}}]}}'), ""],
    [paragraph('{"hideBlock":false,"visibility":"visible","userRole":[]}'), ""],
    ["<!-- wp:jetpack/subscriptions /--><!-- wp:a/team-member --><p>b</p><!-- /wp:a/team-member -->", ""],
    ["a [hide] b [sic] c [team_member]d[/team_member]", ""],
    [paragraph('{"hideTitle":true,"submenuVisibility":"click"}'), ""],
    ["b", meta("_sg_subscribe-to-comments", "ann@e.example")],
    ["b", meta("_members_access_role", "") + meta("rcp_access_level", "None") + meta("_hide_title", "1")],
    ["b", meta("um_content_restriction", 'a:1:{s:26:"_um_custom_access_settings";s:1:"0";}')],
  ])("a post with %s that all readers see stays public", async (content, fields) => {
    const { screen } = await run(
      "wordpress",
      await fileWith("a", wxr(wordpressPost(content, fields))),
      await newFolder(),
    )
    expect(screen).toContain("drafts among them: 0")
    expect(screen).not.toContain("some screens")
  })

  it.each([
    viewport("desktop", "tablet") + viewport("mobile"),
    paragraph('{"UAGHideMob":true}'),
    paragraph('{"vsmobile":true}'),
  ])("parts for some screens stay public, with a warning: %s", async (content) => {
    const { screen } = await run("wordpress", await fileWith("a", wxr(wordpressPost(content))), await newFolder())
    expect(screen).toContain("The old site shows parts of it on some screens alone. The text has all of them.")
    expect(screen).toContain("drafts among them: 0")
  })
})
