import { describe, expect, it } from "vitest"

import { type Author, call, newAuthor, newPng, ORIGIN, photo, upload } from "../support.ts"
import { addressOf, MICROPUB, query, readPage, sendEntry, sendForm, sendJson, sendParts, sourceOf } from "./client.ts"

// What the 36 server tests of micropub.rocks ask for, by their numbers.

const file = async (name: string, bytes?: Uint8Array<ArrayBuffer>): Promise<File> =>
  new File([bytes ?? (await newPng())], name)
const imageOf = async (author: Author) => `${ORIGIN}${(await upload(author)).image_url}`
const note = (author: Author, properties: Record<string, unknown> = {}) =>
  addressOf(sendEntry(author, { content: ["A note of some words."], ...properties }))
const changeOf = (url: string, change: Record<string, unknown>) => ({ action: "update", url, ...change })
const GIF = Uint8Array.from("GIF89a and more", (letter) => letter.charCodeAt(0))

/** Makes a post, changes it, and returns the status of the change with a property as it is then. */
const changed = async (
  author: Author,
  before: Record<string, unknown>,
  change: Record<string, unknown>,
  property: string,
): Promise<unknown[]> => {
  const url = await note(author, before)
  const { status } = await sendJson(author, changeOf(url, change))
  return [status, (await sourceOf(author, url))[property]]
}

/** Deletes a post and brings it back. @returns what readers get before, between and after */
const withdrawn = async (author: Author, send: (action: string, url: string) => Promise<{ status: number }>) => {
  const url = await note(author)
  const seen = [(await readPage(url)).status]
  for (const action of ["delete", "undelete"]) {
    expect((await send(action, url)).status).toBe(204)
    seen.push((await readPage(url)).status)
  }
  return seen
}
const byForm = (author: Author) => (action: string, url: string) =>
  sendForm(author, [
    ["action", action],
    ["url", url],
  ])
const byJson = (author: Author) => (action: string, url: string) => sendJson(author, { action, url })

/** The texts that the page of a new post shows; those that begin with `!` it does not. */
const shows = async (created: Promise<{ status: number }>, ...texts: string[]): Promise<void> => {
  const { html } = await readPage(await addressOf(created as Parameters<typeof addressOf>[0]))
  for (const text of texts)
    if (text.startsWith("!")) expect(html).not.toContain(text.slice(1))
    else expect(html).toContain(text)
}

const TESTS: [number: number, shown: string, check: (author: Author) => Promise<unknown>][] = [
  [
    100,
    "a form makes a post",
    (author) =>
      shows(
        sendForm(author, [
          ["h", "entry"],
          ["content", "Words of a form."],
        ]),
        "Words of a form.",
      ),
  ],
  [
    101,
    "a form makes a post with several categories",
    (author) =>
      shows(
        sendForm(author, [
          ["h", "entry"],
          ["content", "Words."],
          ["category[]", "one"],
          ["category[]", "two"],
        ]),
        "/categories/one/",
        "/categories/two/",
      ),
  ],
  [
    104,
    "a form shows the photo of an address of the media endpoint",
    async (author) => {
      const url = await imageOf(author)
      await shows(
        sendForm(author, [
          ["h", "entry"],
          ["content", "Words."],
          ["photo", url],
        ]),
        `src="${new URL(url).pathname}"`,
      )
    },
  ],
  [
    107,
    "a form makes a post with one category",
    (author) =>
      shows(
        sendForm(author, [
          ["h", "entry"],
          ["content", "Words."],
          ["category", "only"],
        ]),
        "/categories/only/",
      ),
  ],
  [200, "JSON makes a post", (author) => shows(sendEntry(author, { content: ["Words of JSON."] }), "Words of JSON.")],
  [
    201,
    "JSON makes a post with several categories",
    (author) =>
      shows(
        sendEntry(author, { content: ["Words."], category: ["one", "two"] }),
        "/categories/one/",
        "/categories/two/",
      ),
  ],
  [
    202,
    "JSON makes a post of HTML",
    (author) =>
      shows(
        sendEntry(author, { content: [{ html: "<p>This has <b>bold</b> and <i>italic</i> words.</p>" }] }),
        "<strong>bold</strong>",
        "<em>italic</em>",
        "!&lt;b",
      ),
  ],
  [
    203,
    "JSON shows the photo of an address of the media endpoint",
    async (author) => {
      const url = await imageOf(author)
      await shows(sendEntry(author, { content: ["Words."], photo: [url] }), `src="${new URL(url).pathname}"`)
    },
  ],
  [
    204,
    "a nested object that posts do not have is told, and the post is made",
    async (author) => {
      const weight = { type: ["h-measure"], properties: { num: ["70.64"], unit: ["kg"] } }
      const { status, json } = await sendEntry(author, { summary: ["Weighed 70.64 kg"], "x-weight": [weight] })
      expect([status, json.warnings]).toEqual([
        201,
        expect.arrayContaining([expect.objectContaining({ field: "x-weight", code: "unknown_field" })]),
      ])
    },
  ],
  [
    205,
    "JSON shows a photo with its alternative text",
    async (author) => {
      const value = await imageOf(author)
      await shows(sendEntry(author, { content: ["Words."], photo: [{ value, alt: "A sunset" }] }), 'alt="A sunset"')
    },
  ],
  [
    206,
    "JSON shows several photos",
    async (author) => {
      const urls = [await imageOf(author), await imageOf(author)]
      await shows(sendEntry(author, { content: ["Words."], photo: urls }), ...urls.map((url) => new URL(url).pathname))
    },
  ],
  [
    300,
    "a form with a file shows it",
    async (author) =>
      shows(
        sendParts(author, [
          ["h", "entry"],
          ["content", "Nice."],
          ["photo", await file("sunset.jpg", photo(40, 30))],
        ]),
        "Nice.",
        `/media/${author.username}/`,
      ),
  ],
  [
    301,
    "a form with two files is told to send one, and nothing is made",
    async (author) => {
      const parts: [string, string | File][] = [
        ["h", "entry"],
        ["content", "Two."],
        ["photo[]", await file("a.png")],
        ["photo[]", await file("b.png")],
      ]
      const { status, json } = await sendParts(author, parts)
      expect([status, json.error]).toEqual([400, "invalid_request"])
      expect(json.error_description).toContain("media endpoint")
    },
  ],
  [
    400,
    "an update replaces a property",
    async (author) =>
      expect(await changed(author, {}, { replace: { content: ["Other words."] } }, "content")).toEqual([
        204,
        ["Other words."],
      ]),
  ],
  [
    401,
    "an update adds a value to a property",
    async (author) =>
      expect(await changed(author, { category: ["one"] }, { add: { category: ["two"] } }, "category")).toEqual([
        204,
        ["one", "two"],
      ]),
  ],
  [
    402,
    "an update adds a property",
    async (author) =>
      expect(await changed(author, {}, { add: { category: ["one"] } }, "category")).toEqual([204, ["one"]]),
  ],
  [
    403,
    "an update removes a value of a property",
    async (author) =>
      expect(
        await changed(author, { category: ["one", "two"] }, { delete: { category: ["one"] } }, "category"),
      ).toEqual([204, ["two"]]),
  ],
  [
    404,
    "an update removes a property",
    async (author) =>
      expect(await changed(author, { category: ["one"] }, { delete: ["category"] }, "category")).toEqual([204, []]),
  ],
  [
    405,
    "an update whose values are no list is refused",
    async (author) => {
      const url = await note(author)
      const { status, json } = await sendJson(author, changeOf(url, { replace: { content: "No list." } }))
      expect([status, json.error, json.errors[0].field]).toEqual([400, "invalid_request", "replace.content"])
    },
  ],
  [
    500,
    "a form deletes a post",
    async (author) => expect((await withdrawn(author, byForm(author))).slice(0, 2)).toEqual([200, 404]),
  ],
  [
    501,
    "JSON deletes a post",
    async (author) => expect((await withdrawn(author, byJson(author))).slice(0, 2)).toEqual([200, 404]),
  ],
  [
    502,
    "a form brings a deleted post back",
    async (author) => expect(await withdrawn(author, byForm(author))).toEqual([200, 404, 200]),
  ],
  [
    503,
    "JSON brings a deleted post back",
    async (author) => expect(await withdrawn(author, byJson(author))).toEqual([200, 404, 200]),
  ],
  [
    600,
    "q=config names the media endpoint and an empty list of targets",
    async (author) =>
      expect((await query(author, "q=config")).json).toMatchObject({
        "media-endpoint": `${ORIGIN}/micropub/media/`,
        "syndicate-to": [],
      }),
  ],
  [
    601,
    "q=syndicate-to lists no targets",
    async (author) => expect((await query(author, "q=syndicate-to")).json).toEqual({ "syndicate-to": [] }),
  ],
  [
    602,
    "q=source shows all properties",
    async (author) => {
      const url = await note(author, { category: ["one"] })
      const { json } = await query(author, `q=source&url=${encodeURIComponent(url)}`)
      expect(json).toMatchObject({
        type: ["h-entry"],
        properties: { content: ["A note of some words."], category: ["one"] },
      })
    },
  ],
  [
    603,
    "q=source shows the properties that it names",
    async (author) => {
      const url = await note(author, { category: ["one"] })
      const { json } = await query(author, `q=source&url=${encodeURIComponent(url)}&properties[]=category`)
      expect(json).toEqual({ properties: { category: ["one"] } })
    },
  ],
  [
    700,
    "the media endpoint takes a JPEG",
    async (author) => {
      const url = await addressOf(
        sendParts(author, [["file", await file("a.jpg", photo(20, 20))]], `${MICROPUB}/media/`),
      )
      expect((await readPage(url)).status).toBe(200)
    },
  ],
  [
    701,
    "the media endpoint takes a PNG",
    async (author) => {
      const url = await addressOf(sendParts(author, [["file", await file("a.png")]], `${MICROPUB}/media/`))
      expect((await readPage(url)).status).toBe(200)
    },
  ],
  [
    702,
    "the media endpoint tells what to do with a GIF",
    async (author) => {
      const { status, json } = await sendParts(author, [["file", await file("a.gif", GIF)]], `${MICROPUB}/media/`)
      expect([status, json.error]).toEqual([400, "invalid_request"])
      expect(json.error_description).toContain("PNG, JPEG or WebP")
    },
  ],
  [
    800,
    "the token may stand in a header",
    (author) => shows(sendForm(author, [["content", "By a header."]]), "By a header."),
  ],
  [
    801,
    "the token may stand in the form",
    ({ key, username }) =>
      shows(
        sendForm(
          { key, username },
          [
            ["content", "By a form."],
            ["access_token", key],
          ],
          {},
        ),
        "By a form.",
      ),
  ],
  [
    802,
    "the token is not stored",
    async (author) => {
      const fields: [string, string][] = [
        ["content", "Without it."],
        ["access_token", author.key],
      ]
      const url = await addressOf(sendForm(author, fields, {}))
      expect(JSON.stringify(await sourceOf(author, url))).not.toContain(author.key)
    },
  ],
  [
    803,
    "a request without a token is refused",
    async (author) => {
      const { status, json } = await sendForm(author, [["content", "Nobody."]], {})
      expect([status, json.error]).toEqual([401, "unauthorized"])
    },
  ],
  [
    804,
    "a token that may only read makes nothing",
    async ({ username }) => {
      const { json: made } = await call("POST", `/operator/api/accounts/${username}/keys/`, {
        headers: { Authorization: "Bearer an-operator-token-of-the-test-suite" },
        json: { name: "reader", scope: "read" },
      })
      const { status, json } = await sendForm({ username, key: made.api_key }, [["content", "Not allowed."]])
      expect([status, json.error]).toEqual([403, "insufficient_scope"])
    },
  ],
  [
    805,
    "a token in the header and in the form is refused",
    async (author) => {
      const { status, json } = await sendForm(author, [
        ["content", "Twice."],
        ["access_token", author.key],
      ])
      expect([status, json.error]).toEqual([400, "invalid_request"])
    },
  ],
]

describe("micropub.rocks", () => {
  it("all 36 tests of servers are here", () => {
    expect(TESTS.length).toBe(36)
  })

  it.each(TESTS)("%i: %s", async (_number, _shown, check) => {
    await expect(check(await newAuthor())).resolves.not.toThrow()
  })
})

it("two tokens in a form are none", async () => {
  const [author, other] = [await newAuthor(), await newAuthor()]
  const fields: [string, string][] = [["content", "By two."]]
  for (const { key } of [author, other]) fields.push(["access_token", key])
  expect((await sendForm(author, fields, {})).status).toBe(401)
})
