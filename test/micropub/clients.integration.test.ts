import { describe, expect, it } from "vitest"

import { get, remove } from "../calls.ts"
import {
  type Author,
  call,
  newAuthor,
  newPng,
  newPost,
  OPERATOR,
  ORIGIN,
  passSeconds,
  rows,
  stopClock,
  unique,
  upload,
} from "../support.ts"
import { addressOf, MICROPUB, query, readPage, sendEntry, sendForm, sendJson, sendParts, sourceOf } from "./client.ts"

// What apps do that the recommendation does not tell, and what posts make of it.

const withScope = async (username: string, scope: string): Promise<Author> => {
  const json = { name: scope, scope }
  const made = await call("POST", `/operator/api/accounts/${username}/keys/`, { headers: OPERATOR, json })
  return { username, key: made.json.api_key }
}
/** A title that no other post has, since slugs are everybody's. */
const titled = () => unique("A title of one test")
const slugOf = (url: string) => new URL(url).pathname.split("/").at(-2) ?? ""

describe("what apps send", () => {
  it("IndiePass: a time without a colon in its offset, alternative texts apart, and other media", async () => {
    const author = await newAuthor()
    const { image_url } = await upload(author)
    const url = await addressOf(
      sendEntry(author, {
        content: ["A post of several media."],
        category: ["indiepass", "multimedia"],
        published: ["2024-12-02T13:04:00+0100"],
        "post-status": ["published"],
        photo: [ORIGIN + image_url],
        "mp-photo-alt": ["A surfboard"],
        video: [`https://media.example/1.mp4`],
        action: "create",
        visibility: ["public"],
      }),
    )
    expect(await sourceOf(author, url)).toMatchObject({
      published: ["2024-12-02T12:04:00.000Z"],
      category: ["indiepass", "multimedia"],
      content: [`A post of several media.\n\n<https://media.example/1.mp4>\n\n![A surfboard](${image_url})`],
    })
  })

  it("Quill: a bookmark with its title, its token in the form, and categories with brackets", async () => {
    const { username, key } = await newAuthor()
    const name = titled()
    const url = await addressOf(
      sendForm(
        { username, key },
        [
          ["h", "entry"],
          ["access_token", key],
          ["bookmark-of", "https://example.org/a/"],
          ["name", name],
          ["content", "I need to read this."],
          ["category[]", "test"],
          ["category[]", "quill"],
          ["mp-slug", ""],
        ],
        {},
      ),
    )
    expect(await sourceOf({ username, key }, url)).toMatchObject({
      name: [name],
      category: ["test", "quill"],
      content: ["I need to read this.\n\n<https://example.org/a/>"],
    })
  })

  it("iA Writer: images in the Markdown by their address, and the same text twice is one post", async () => {
    const author = await newAuthor()
    const image = await addressOf(
      sendParts(author, [["photo", new File([await newPng()], "a.png")]], `${MICROPUB}/media/`),
    )
    const entry = { name: [titled()], content: [`Words.\n\n![A boat](${image})`] }
    const [first, second] = [await addressOf(sendEntry(author, entry)), await addressOf(sendEntry(author, entry))]
    expect(second).toBe(first)
    expect((await readPage(first)).html).toContain(`<img src="${new URL(image).pathname}" alt="A boat"`)
    const other = await addressOf(sendEntry(author, { ...entry, content: ["Other words."] }))
    expect(slugOf(other)).toBe(`${slugOf(first)}-2`)
  })

  it.each([
    [
      "a value of JSON without its list",
      (author: Author) => sendEntry(author, { content: "Some words.", category: "one" }),
    ],
    [
      "a category with commas",
      (author: Author) =>
        sendForm(author, [
          ["content", "Some words."],
          ["category", "one,"],
        ]),
    ],
    [
      "categories with numbers",
      (author: Author) =>
        sendForm(author, [
          ["content", "Some words."],
          ["category[0]", "one"],
        ]),
    ],
    [
      "a form of parts without a file",
      (author: Author) =>
        sendParts(author, [
          ["content", "Some words."],
          ["category", "one"],
          ["photo", new File([], "")],
        ]),
    ],
    [
      "content in a part of its own",
      (author: Author) =>
        sendForm(author, [
          ["content[html]", "<p>Some words.</p>"],
          ["category", "one"],
        ]),
    ],
  ])("%s", async (_, send) => {
    const author = await newAuthor()
    const url = await addressOf(send(author))
    expect((await readPage(url)).html).toContain("<p>Some words.</p>")
    expect((await sourceOf(author, url))["category"]).toEqual(["one"])
  })

  it("a photo of a form with its alternative text", async () => {
    const author = await newAuthor()
    const { image_url } = await upload(author)
    const url = await addressOf(
      sendForm(author, [
        ["photo[value]", ORIGIN + image_url],
        ["photo[alt]", "A quiet sunset"],
      ]),
    )
    expect(await sourceOf(author, url)).toMatchObject({
      name: ["A quiet sunset"],
      content: [`![A quiet sunset](${image_url})`],
    })
  })

  it("a photo from elsewhere is refused, and no post is made", async () => {
    const author = await newAuthor()
    const { status, json } = await sendEntry(author, { content: ["Words."], photo: ["https://example.org/a.jpg"] })
    expect([status, json.error, json.errors[0].field]).toEqual([400, "invalid_request", "photo"])
    expect(json.error_description).toContain("never fetched")
  })

  it("HTML loses what readers would not see, and the answer tells what Markdown cannot keep", async () => {
    const html =
      '<p>Seen <span style="display:none">secret</span></p><script>secret()</script><ol reversed><li>b<li>a</ol>'
    const { status, json, headers } = await sendEntry(await newAuthor(), { content: [{ html }] })
    expect(status).toBe(201)
    expect(json.warnings.map(({ field }: { field: string }) => field)).toContain("content")
    expect((await readPage(headers.get("Location") ?? "")).html).not.toContain("secret")
  })

  it("a browser may call it from elsewhere, and pages name it", async () => {
    const headers = {
      Origin: "https://app.example",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization",
    }
    const { status, headers: answered } = await call("OPTIONS", "/micropub/", { headers })
    expect([status, answered.get("Access-Control-Allow-Origin")]).toEqual([204, "*"])
    const { username, key } = await newAuthor()
    const { slug } = await newPost({ username, key })
    for (const path of [`/@${username}/`, `/@${username}/${slug}/`])
      expect((await readPage(ORIGIN + path)).html).toContain(`<link rel="micropub" href="${ORIGIN}/micropub" />`)
  })
})

describe("what becomes of a post", () => {
  it("without a title, a slug and a category it has the first words of its text and is a note", async () => {
    const author = await newAuthor()
    const url = await addressOf(
      sendEntry(author, {
        content: ["Breakfast with **pancakes**, and a walk along the river in the fog until noon."],
      }),
    )
    const { json } = await get(author, slugOf(url))
    expect(json.post).toMatchObject({
      title: "Breakfast with pancakes, and a walk along the river in the fog until…",
      categories: ["notes"],
      meta_description: "Breakfast with pancakes, and a walk along the river in the fog until noon.",
    })
    expect(await sourceOf(author, url)).toMatchObject({ category: [], summary: [], "post-status": ["published"] })
  })

  it("a draft is at its preview, also after that has expired, until it is published at its page", async () => {
    stopClock()
    const author = await newAuthor()
    const url = await addressOf(sendEntry(author, { content: ["A draft."], "post-status": ["draft"] }))
    expect((await readPage(url)).status).toBe(200)
    passSeconds(8 * 86_400)
    expect((await readPage(url)).status).toBe(404)
    expect((await sourceOf(author, url))["post-status"]).toEqual(["draft"])
    const { status, headers } = await sendJson(author, {
      action: "update",
      url,
      replace: { "post-status": ["published"], "mp-slug": [titled()] },
    })
    const page = headers.get("Location") ?? ""
    expect([status, (await readPage(page)).status]).toEqual([201, 200])
    expect(slugOf(page)).toMatch(/^a-title-of-one-test/)
    // The app still knows the address of the draft.
    expect((await sourceOf(author, url))["post-status"]).toEqual(["published"])
  })

  it("a time ahead schedules it, and `private` makes it a draft, which the answer tells", async () => {
    stopClock(new Date("2030-01-01T00:00:00Z"))
    const author = await newAuthor()
    await rows("update accounts set timezone = 'Europe/Berlin' where username = ?", author.username)
    const later = await addressOf(sendEntry(author, { content: ["Later."], published: ["2030-01-02T09:00"] }))
    expect(await sourceOf(author, later)).toMatchObject({
      published: ["2030-01-02T08:00:00.000Z"],
      "post-status": ["published"],
    })
    expect(new URL(later).pathname).toMatch(/^\/preview\//)
    const { json } = await sendEntry(author, { content: ["For nobody."], visibility: ["private"] })
    expect(json.warnings.map(({ field }: { field: string }) => field)).toContain("visibility")
    expect((await sourceOf(author, json.url))["post-status"]).toEqual(["draft"])
  })

  it("a draft key makes and changes drafts; it neither publishes nor changes nor deletes what readers see", async () => {
    const author = await newAuthor()
    const drafter = await withScope(author.username, "draft")
    const { json, status } = await sendEntry(drafter, { content: ["A draft by its key."] })
    expect([status, json.warnings.map(({ field }: { field: string }) => field)]).toEqual([
      201,
      expect.arrayContaining(["post-status"]),
    ])
    expect((await sourceOf(drafter, json.url))["post-status"]).toEqual(["draft"])
    const replaced = await sendJson(drafter, {
      action: "update",
      url: json.url,
      replace: { content: ["Another text."] },
    })
    expect(replaced.status).toBe(204)
    const published = await addressOf(sendEntry(author, { content: ["Readers see it."] }))
    const codes = []
    for (const url of [json.url, published])
      for (const change of [
        { action: "delete", url },
        { action: "undelete", url },
        { action: "update", url: published, replace: { content: ["Not allowed."] } },
      ])
        codes.push((await sendJson(drafter, change)).json.error)
    expect(new Set(codes)).toEqual(new Set(["insufficient_scope"]))
    const publish = await sendJson(drafter, {
      action: "update",
      url: json.url,
      replace: { "post-status": ["published"] },
    })
    expect((await sourceOf(author, json.url))["post-status"]).toEqual(["draft"])
    expect(publish.json.warnings.map(({ field }: { field: string }) => field)).toContain("post-status")
  })

  it("a deleted post is a draft, however often the request comes; a deleted draft is gone", async () => {
    const author = await newAuthor()
    const url = await addressOf(sendEntry(author, { content: ["To be withdrawn."] }))
    for (const _ of [1, 2]) expect((await sendJson(author, { action: "delete", url })).status).toBe(204)
    const { json } = await get(author, slugOf(url))
    expect([json.post.status, (await readPage(url)).status]).toEqual(["DF", 404])
    const draft = json.post.preview_url
    expect((await sendJson(author, { action: "delete", url: draft })).status).toBe(204)
    expect((await get(author, slugOf(url))).status).toBe(404)
    expect((await sendJson(author, { action: "undelete", url })).status).toBe(404)
    const never = await addressOf(sendEntry(author, { content: ["Never published."], "post-status": ["draft"] }))
    expect((await sendJson(author, { action: "undelete", url: never })).json.error).toBe("invalid_request")
  })

  it("the same text is another post after the first one was deleted, or a day has passed", async () => {
    stopClock()
    const author = await newAuthor()
    const entry = { name: [titled()], content: ["The same words."] }
    const first = await addressOf(sendEntry(author, entry))
    await remove(author, slugOf(first))
    const second = await addressOf(sendEntry(author, entry))
    expect((await readPage(second)).status).toBe(200)
    expect(await addressOf(sendEntry(author, entry))).toBe(second)
    passSeconds(86_401)
    expect(await addressOf(sendEntry(author, entry))).not.toBe(second)
  })

  it("an update keeps what it does not name, and tells what it cannot do", async () => {
    const author = await newAuthor()
    const url = await addressOf(sendEntry(author, { name: [titled()], content: ["One.\n\nTwo."], category: ["one"] }))
    const before = await sourceOf(author, url)
    const { image_url } = await upload(author)
    expect((await sendJson(author, { action: "update", url, add: { photo: [ORIGIN + image_url] } })).status).toBe(204)
    expect(await sourceOf(author, url)).toEqual({ ...before, content: [`One.\n\nTwo.\n\n![](${image_url})`] })
    const refusals = []
    for (const change of [
      { add: { name: ["A second title"] } },
      { delete: ["content"] },
      { replace: { "post-status": ["deleted"] } },
      { replace: { "mp-slug": ["another"] } },
      { delete: "category" },
      {},
    ])
      refusals.push((await sendJson(author, { action: "update", url, ...change })).json.errors[0].field)
    expect(refusals).toEqual(["name", "content", "post-status.0", "mp-slug", "delete", "replace"])
    const told = await sendJson(author, { action: "update", url, replace: { "x-mood": ["fine"] } })
    expect([told.status, told.json.warnings[0].field]).toEqual([200, "x-mood"])
  })

  it("what was made of a text follows it, so that no removed word stays", async () => {
    const author = await newAuthor()
    const url = await addressOf(sendEntry(author, { content: ["I live at Secret Street, which nobody may know."] }))
    expect(await sourceOf(author, url)).toMatchObject({ name: [], summary: [] })
    await sendJson(author, { action: "update", url, replace: { content: ["Nothing here now."] } })
    const { html } = await readPage(url)
    expect(html).not.toContain("Secret")
    expect(html).toContain("<title>Nothing here now.</title>")
  })

  it.each([
    ["a long comment", `Seen <!-- my secret ${"diary ".repeat(300)} --> words.`],
    ["a template", "Seen <template>my secret</template> words."],
    ["a script", "Seen <script>my secret</script> words."],
    ["a text area that never ends", "Seen <textarea>my secret words."],
  ])("%s that readers do not see becomes no title and no description", async (_, content) => {
    const author = await newAuthor()
    const url = await addressOf(sendEntry(author, { content: [content] }))
    const { json } = await get(author, slugOf(url))
    expect(`${json.post.title} ${json.post.meta_description}`).not.toContain("secret")
    expect(json.post.title).toContain("Seen")
  })

  it.each<[what: string, before: Record<string, unknown>, change: Record<string, unknown>, field: string]>([
    ["the removal of the status of a draft", { "post-status": ["draft"] }, { delete: ["post-status"] }, "post-status"],
    ["an empty status", { "post-status": ["draft"] }, { replace: { "post-status": [] } }, "post-status"],
    [
      "the removal of the time of a scheduled post",
      { published: ["2030-06-01"] },
      { delete: ["published"] },
      "published",
    ],
    ["the removal of the text", { summary: ["Another text."] }, { delete: ["content"] }, "content"],
    ["the removal of a photo from the text", {}, { delete: ["photo"] }, "photo"],
    ["another photo in the place of one in the text", {}, { replace: { photo: ["https://a.example/"] } }, "photo"],
  ])("%s is refused, and the post stays as it is", async (_, before, change, field) => {
    stopClock(new Date("2030-01-01T00:00:00Z"))
    const author = await newAuthor()
    const url = await addressOf(sendEntry(author, { content: ["A text."], ...before }))
    const source = await sourceOf(author, url)
    const { status, json } = await sendJson(author, { action: "update", url, ...change })
    expect([status, json.errors[0].field]).toEqual([400, field])
    expect(await sourceOf(author, url)).toEqual(source)
  })

  it("a deleted scheduled post is a draft, and a draft with a date is not published by undeleting it", async () => {
    const author = await newAuthor()
    const published = [new Date(Date.now() + 86_400_000).toISOString()]
    const later = await addressOf(sendEntry(author, { content: ["Later."], published }))
    const { name } = await sourceOf(author, later)
    expect(name).toEqual([])
    expect((await sendJson(author, { action: "delete", url: later })).status).toBe(204)
    expect(
      await rows(
        "select status from posts where account_id = (select id from accounts where username = ?)",
        author.username,
      ),
    ).toEqual([{ status: "DF" }])
    const old = await addressOf(
      sendEntry(author, { content: ["Old."], published: ["2020-01-01"], "post-status": ["draft"] }),
    )
    expect((await sendJson(author, { action: "undelete", url: old })).json.errors[0].field).toBe("url")
  })

  it("the same text is published after its draft, or after it was withdrawn", async () => {
    const author = await newAuthor()
    const entry = { name: [titled()], content: ["The same words again."] }
    await sendEntry(author, { ...entry, "post-status": ["draft"] })
    const first = await addressOf(sendEntry(author, entry))
    expect((await readPage(first)).status).toBe(200)
    await sendJson(author, { action: "delete", url: first })
    const second = await addressOf(sendEntry(author, entry))
    expect([second !== first, (await readPage(second)).status]).toEqual([true, 200])
  })

  it("different texts with one title at the same time are all made", async () => {
    const author = await newAuthor()
    const name = [titled()]
    const answers = await Promise.all(["a", "b", "c", "d"].map((word) => sendEntry(author, { name, content: [word] })))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  })

  it("a link that is the beginning of another one in the text is kept", async () => {
    const author = await newAuthor()
    const content = ["See <https://example.org/a/b/>."]
    const url = await addressOf(
      sendEntry(author, {
        content,
        "in-reply-to": [{ type: ["h-cite"], properties: { url: ["https://example.org/a/"] } }],
      }),
    )
    expect((await sourceOf(author, url))["content"]).toEqual([`${content[0]}\n\n<https://example.org/a/>`])
  })

  it("a long text fits into a form, and what takes too long is refused at once", async () => {
    const author = await newAuthor()
    const long = "走在海边。".repeat(15_000)
    expect((await sendForm(author, [["content", long]])).status).toBe(201)
    const many = Array.from({ length: 101 }, (_, i) => `https://example.org/${i}`)
    const refusals = [
      await sendEntry(author, { content: ["a"], "like-of": many }),
      await sendEntry(author, { content: Array.from({ length: 3 }, () => ({ html: "<li><b>x".repeat(4000) })) }),
    ]
    expect(refusals.map(({ status, json }) => [status, json.errors[0].field])).toEqual([
      [400, "properties.like-of"],
      [400, "content"],
    ])
  })

  it("only the author's own posts are found, by addresses of this service", async () => {
    const [author, other] = [await newAuthor(), await newAuthor()]
    const url = await addressOf(sendEntry(other, { content: ["Of another author."] }))
    const elsewhere = `https://example.org/${slugOf(url)}/`
    const answers = []
    for (const address of [url, elsewhere, `${ORIGIN}/@${other.username}/`, `${ORIGIN}/preview/${"a".repeat(22)}/`])
      answers.push((await query(author, `q=source&url=${encodeURIComponent(address)}`)).status)
    expect(answers).toEqual([403, 404, 404, 404])
    expect((await query(author, "q=source&url=")).json.error).toBe("invalid_request")
  })

  it.each([
    ["another query", (author: Author) => query(author, "q=channels"), "q"],
    ["another type", (author: Author) => sendJson(author, { type: ["h-event"], properties: {} }), "type"],
    ["another action", (author: Author) => sendJson(author, { action: "like", url: ORIGIN }), "action"],
    [
      "an update by a form",
      (author: Author) =>
        sendForm(author, [
          ["action", "update"],
          ["url", ORIGIN],
        ]),
      "replace",
    ],
    ["content that is a number", (author: Author) => sendEntry(author, { content: [1] }), "content.0"],
    ["no content", (author: Author) => sendEntry(author, { name: ["A title alone"] }), "content"],
    [
      "a time that is none",
      (author: Author) => sendEntry(author, { content: ["a"], published: ["soon"] }),
      "published",
    ],
    ["media without a file", (author: Author) => sendParts(author, [["file", "a"]], `${MICROPUB}/media/`), "file"],
  ])("%s is refused, and the error names the field", async (_, send, field) => {
    const { status, json } = await send(await newAuthor())
    expect([status, json.error, json.errors[0].field]).toEqual([400, "invalid_request", field])
  })

  it("a body that is no JSON, and one of another type, are refused", async () => {
    const { key } = await newAuthor()
    const errors = []
    for (const type of ["application/json", "text/plain"]) {
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": type }
      errors.push((await call("POST", MICROPUB, { headers, body: "{" })).json.error)
    }
    expect(errors).toEqual(["invalid_request", "invalid_request"])
  })

  it("two different keys are refused, and one key in both headers is taken", async () => {
    const [{ key }, other] = [await newAuthor(), await newAuthor()]
    const statuses = []
    for (const second of [other.key, key]) {
      const headers = { Authorization: `Bearer ${key}`, "X-API-KEY": second }
      statuses.push((await call("GET", `${MICROPUB}?q=config`, { headers })).status)
    }
    expect(statuses).toEqual([401, 200])
  })
})
