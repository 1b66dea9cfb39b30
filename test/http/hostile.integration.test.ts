import { describe, expect, it } from "vitest"

import { MAX_JSON_BYTES } from "../../src/limits.ts"
import { refusal, refusedFields, WRITES } from "../posts/requests.ts"
import {
  type Answer,
  API,
  type Author,
  call,
  fetchWorker,
  newAuthor,
  newPost,
  OPERATOR,
  ORIGIN,
  postInput,
} from "../support.ts"

const LANGUAGES = { lang_code: "en", primary_language: "en", translation_languages: [] }

interface Target {
  name: string
  method: "POST" | "PATCH"
  path: (author: Author) => Promise<string>
  headers: (author: Author) => Record<string, string>
  /** A body that is accepted. */
  good: () => Record<string, unknown>
}
const withKey = ({ key }: Author) => ({ "X-API-KEY": key })

const TARGETS: Target[] = [
  { name: "create", method: "POST", path: async () => `${API}/posts/`, headers: withKey, good: postInput },
  {
    name: "PATCH",
    method: "PATCH",
    path: async (author) => `${API}/posts/${(await newPost(author)).slug}/`,
    headers: withKey,
    good: () => LANGUAGES,
  },
  {
    name: "retranslate",
    method: "POST",
    path: async (author) => {
      const { slug } = await newPost(author, { translation_languages: ["fr"] })
      return `${API}/posts/${slug}/translations/fr/`
    },
    headers: withKey,
    good: () => ({}),
  },
  {
    name: "operator PATCH",
    method: "PATCH",
    path: async ({ username }) => `/operator/api/accounts/${username}/`,
    headers: () => OPERATOR,
    good: () => ({}),
  },
]

const isGood = (status: number) => status >= 200 && status < 300

describe.each(TARGETS)("hostile JSON body to $name", ({ method, path, headers, good }) => {
  const send = async (body: BodyInit, type?: string): Promise<Answer> => {
    const author = await newAuthor()
    const sent = { ...headers(author), ...(type !== undefined && { "Content-Type": type }) }
    return call(method, await path(author), { headers: sent, body })
  }

  const padded = (length: number) => JSON.stringify(good()).padEnd(length)

  describe("a body that is not a JSON object", () => {
    it.each([
      ["half an object", "{"],
      ["a trailing comma", '{"a": 1,}'],
      ["single quotes", "{'a': 1}"],
      ["a comment", "{} // done"],
      ["two objects", "{}{}"],
      ["NaN", '{"a": NaN}'],
      ["a form", "title=x&slug=y"],
      ["a control character in a string", '{"a": "\n"}'],
      ["a bad escape", '{"a": "\\x"}'],
      ["blanks", "  "],
      ["null", "null"],
      ["an array", "[]"],
      ["an array of objects", `[${JSON.stringify(good())}]`],
      ["a string", '"title"'],
      ["a number", "1"],
      ["a boolean", "true"],
      ["100 000 arrays", "[".repeat(100_000) + "]".repeat(100_000)],
      ["100 000 open arrays", "[".repeat(100_000)],
      ["100 000 open objects", '{"a":'.repeat(100_000)],
      ["a byte that is no UTF-8", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
      ["an overlong NUL", Uint8Array.of(0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d)],
      ["a surrogate in UTF-8", Uint8Array.of(0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d)],
      ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
      ["gzip", Uint8Array.of(0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0)],
    ])("a request body that is not a JSON object answers 400 invalid_json: %s", async (_, body) => {
      const { status, json } = await send(body)
      expect([status, json.code, json.title]).toEqual([400, "invalid_json", "ValidationError"])
    })
  })

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=iso-8859-1",
    "APPLICATION/JSON",
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
    "multipart/form-data",
    "nonsense",
    "",
  ])("a request with a JSON body is accepted with the Content-Type %j", async (type) => {
    expect(isGood((await send(JSON.stringify(good()), type)).status)).toBe(true)
  })

  it("a byte order mark before the JSON of a request body is ignored", async () => {
    expect(isGood((await send(`\ufeff${JSON.stringify(good())}`)).status)).toBe(true)
  })

  it.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"])(
    "a request body with a field named %s gets only the warning about an unknown field",
    async (name) => {
      const fields = [JSON.stringify(good()).slice(1, -1), `"${name}":{"restricted":true,"title":"x"}`]
      const { status, json } = await send(`{${fields.filter(Boolean).join(",")}}`)
      expect([isGood(status), json.warnings.map(({ field }: { field: string }) => field)]).toEqual([true, [name]])
      expect(({} as Record<string, unknown>)["restricted"]).toBeUndefined()
    },
  )

  it("an unknown field nested 100 000 levels deep in a request body gets only a warning", async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`
    const text = JSON.stringify({ ...good(), deep: 1 }).replace('"deep":1', () => `"deep":${deep}`)
    const { status, json } = await send(text)
    expect([isGood(status), json.warnings.map(({ field }: { field: string }) => field)]).toEqual([true, ["deep"]])
  })

  describe("body size limit", () => {
    it("a JSON request body of 2 MiB is accepted", async () => {
      expect(isGood((await send(padded(2_097_152))).status)).toBe(true)
    })

    it("a JSON request body of 2 MiB and one byte answers 400 and names the limit", async () => {
      const { status, json } = await send(padded(2_097_153))
      expect([status, json.code, json.detail]).toEqual([400, "invalid_json", expect.stringContaining("2097152")])
    })
  })
})

const post = async (body: BodyInit, headers: Record<string, string> = {}) => {
  const { key } = await newAuthor()
  const init = { method: "POST", body, headers: { "X-API-KEY": key, ...headers } }
  const response = await fetchWorker(new Request(`${ORIGIN}${API}/posts/`, init))
  const { code, detail } = await response.json<{ code: string; detail: string }>()
  return [response.status, code, detail.includes(String(MAX_JSON_BYTES))]
}

describe("reading a body that is too long", () => {
  const CHUNK = 65_536
  const stream = (chunks: number) => {
    let pulled = 0
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1
        if (pulled > chunks) controller.close()
        else controller.enqueue(new Uint8Array(CHUNK).fill(0x20))
      },
      cancel: () => {
        cancelled = true
      },
    })
    return { body, pulled: () => pulled, cancelled: () => cancelled }
  }

  it("a request body whose Content-Length is over the limit answers 400 before it is read", async () => {
    const { body, pulled } = stream(10_000)
    expect(await post(body, { "Content-Length": "3000000" })).toEqual([400, "invalid_json", true])
    expect(pulled()).toBeLessThan(3)
  })

  it("a request body over the limit, sent without Content-Length, is read only up to the limit and answers 400", async () => {
    const { body, pulled, cancelled } = stream(10_000)
    expect(await post(body)).toEqual([400, "invalid_json", true])
    expect(pulled() * CHUNK).toBeLessThan(MAX_JSON_BYTES + 4 * CHUNK)
    expect(cancelled()).toBe(true)
  })

  it("a request body over the limit, sent with a small Content-Length, is read only up to the limit and answers 400", async () => {
    const { body, pulled } = stream(10_000)
    expect(await post(body, { "Content-Length": "10" })).toEqual([400, "invalid_json", true])
    expect(pulled() * CHUNK).toBeLessThan(MAX_JSON_BYTES + 4 * CHUNK)
  })

  it.each(["-1", "x", "1e9x", "99999999999999999999999"])(
    "a request with the invalid Content-Length %s is answered like any other",
    async (length) => {
      const [status] = await post("{}", { "Content-Length": length })
      expect(status).toBe(400)
    },
  )
})

describe("a request with an empty body", () => {
  it("creating a post with an empty or missing body answers 400", async () => {
    const { key } = await newAuthor()
    for (const options of [{ key }, { key, body: "" }])
      expect((await call("POST", `${API}/posts/`, options)).status).toBe(400)
  })

  it("PATCH of a post with an empty or missing body answers 400", async () => {
    const author = await newAuthor()
    const { slug } = await newPost(author)
    for (const options of [{ key: author.key }, { key: author.key, body: "" }])
      expect((await call("PATCH", `${API}/posts/${slug}/`, options)).status).toBe(400)
  })
})

const TEXT = ["title", "status", "meta_description", "body"]
const LABELS = ["categories", "tags"]
const WRONG: [string, unknown[]][] = [
  ...["title", "slug", "status", "meta_description", "body", "primary_language"].map((field): [string, unknown[]] => [
    field,
    [null, 0, 1, -1.5, true, false, [], {}, ["a"], { toString: "a" }, [["a"]]],
  ]),
  ...LABELS.map((field): [string, unknown[]] => [
    field,
    [null, 0, true, {}, { 0: "a", length: 1 }, [1], [null], ["a", {}], [["a"]]],
  ]),
  ["image_ids", [null, 0, true, "", "x", {}, { length: 0 }, [1], [null], [{}], [["01J00000000000000000000000"]]]],
  ["translation_languages", [null, 0, true, "fr", "", {}, [1], [null], ["fr", {}], [["fr"]]]],
]

describe.each(WRITES)("$verb with a value of the wrong type", ({ send }) => {
  const cases = WRONG.flatMap(([field, values]) => values.map((value) => [field, value] as const))
  it.each(cases)(
    "creating or changing a post with a wrong type in the field %s answers 400: %j",
    async (field, value) => {
      const answer = await send(await newAuthor(), { translation_languages: ["en"], body: "b", [field]: value })
      expect(refusal(answer)).toEqual([400, "validation_error", field])
    },
  )

  it("creating or changing a post with null fields answers 400 and names every one of them", async () => {
    const fields = [...TEXT, ...LABELS, "slug", "image_ids", "primary_language", "translation_languages"]
    const answer = await send(await newAuthor(), Object.fromEntries(fields.map((field) => [field, null])))
    expect(answer.status).toBe(400)
    expect(refusedFields(answer)).toEqual(expect.arrayContaining(fields))
  })
})

it.each(TARGETS.filter(({ name }) => name === "create" || name === "PATCH"))(
  "$name of a post whose fields are arrays 100 000 levels deep answers 400 and names each field",
  async ({ method, path, headers }) => {
    const author = await newAuthor()
    const fields = [...TEXT, ...LABELS, "image_ids", "translation_languages"]
    const deep = "[".repeat(100_000) + "]".repeat(100_000)
    const body = `{${fields.map((field) => `"${field}":${deep}`).join(",")}}`
    const answer = await call(method, await path(author), { headers: headers(author), body })
    expect(answer.status).toBe(400)
    expect(refusedFields(answer)).toEqual(expect.arrayContaining(fields))
  },
)

it.each([
  ["lang_code", null],
  ["lang_code", 1],
  ["lang_code", ["en"]],
  ["lang_code", {}],
  ["slug", null],
  ["slug", 1],
  ["slug", []],
])("PATCH of a post with a wrong type in the field %s answers 400: %j", async (field, value) => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const json = { ...LANGUAGES, [field]: value }
  const answer = await call("PATCH", `${API}/posts/${slug}/`, { key: author.key, json })
  expect(refusal(answer)).toEqual([400, "validation_error", field])
})

it.each([null, "title", 1, {}, ["slug"], [null], ["title", 1], [["title"]]])(
  "a request to translate again with the invalid discard_edits %j answers 400",
  async (discard_edits) => {
    const author = await newAuthor()
    const { slug } = await newPost(author, { translation_languages: ["fr"] })
    const path = `${API}/posts/${slug}/translations/fr/`
    const answer = await call("POST", path, { key: author.key, json: { discard_edits } })
    expect(refusal(answer)).toEqual([400, "validation_error", "discard_edits"])
  },
)

it.each([
  ["paid_until", "tomorrow"],
  ["paid_until", "2030-01-01"],
  ["paid_until", 1],
  ["paid_until", "9999-12-31T23:59:59-12:00"],
  ["paid_until", "0000-01-01T00:00:00+12:00"],
  ["restricted", null],
  ["restricted", "false"],
  ["hidden", 0],
  ["primary_language", "qaa"],
  ["primary_language", null],
  ["translation_languages", "fr"],
  ["translation_languages", [1]],
])("an operator PATCH of an account with an invalid %s answers 400: %j", async (field, value) => {
  const { username } = await newAuthor()
  const path = `/operator/api/accounts/${username}/`
  const answer = await call("PATCH", path, { headers: OPERATOR, json: { [field]: value } })
  expect(refusal(answer)).toEqual([400, "validation_error", field])
  expect(answer.json.errors[0].message).toMatch(/^(?!Invalid input)[A-Z].*\.$/)
})

it.each([
  ["2030-06-30t10:00:00z", "2030-06-30T10:00:00.000Z"],
  ["9999-12-31T23:59:59-00:00", "9999-12-31T23:59:59.000Z"],
  ["2030-06-30T10:00:00.5+05:45", "2030-06-30T04:15:00.500Z"],
])("an operator PATCH of an account accepts the paid_until %s and shows it in UTC", async (paid_until, shown) => {
  const { username } = await newAuthor()
  const path = `/operator/api/accounts/${username}/`
  expect((await call("PATCH", path, { headers: OPERATOR, json: { paid_until } })).json.account).toMatchObject({
    paid_until: shown,
  })
})

it("the JSON key __proto__ in a request body does not set fields of the request", async () => {
  const { key } = await newAuthor()
  const body = `{"__proto__": ${JSON.stringify(postInput())}}`
  const answer = await call("POST", `${API}/posts/`, { key, body })
  expect([answer.status, refusedFields(answer).length]).toEqual([400, 6])
})

it("of two JSON keys with the same name in a request body, the last one counts", async () => {
  const { key } = await newAuthor()
  const body = JSON.stringify(postInput({ title: "first" })).replace(/\}$/, ',"title":"last"}')
  expect((await call("POST", `${API}/posts/`, { key, body })).json.post.title).toBe("last")
})

describe("a malformed path segment", () => {
  const ODD = [
    "%00",
    "%FF",
    "%E0%A4%A",
    "%",
    "%2F",
    "%2e%2e",
    "..%2f..",
    "'",
    "a%20b",
    "SLUG",
    "名前",
    "x".repeat(4000),
  ]
  it.each(ODD)("a malformed path segment in place of a post's slug answers 404: %s", async (slug) => {
    const { key } = await newAuthor()
    const codes = []
    for (const method of ["GET", "PATCH", "DELETE"] as const) {
      const json = method === "PATCH" ? LANGUAGES : undefined
      codes.push((await call(method, `${API}/posts/${slug}/`, { key, json })).json.code)
    }
    expect(codes).toEqual(["not_found", "not_found", "not_found"])
  })

  // URL parsers resolve %2e%2e, so it never reaches the Worker.
  const KEPT = ODD.filter((name) => name !== "%2e%2e")
  it.each(KEPT)("a malformed path segment in place of a translation's language answers 404: %s", async (lang) => {
    const author = await newAuthor()
    const { slug } = await newPost(author)
    const path = `${API}/posts/${slug}/translations/${lang}/`
    const codes = [
      (await call("POST", path, { key: author.key, json: {} })).json.code,
      (await call("DELETE", path, { key: author.key })).json.code,
    ]
    expect(codes).toEqual(["not_found", "not_found"])
  })

  it.each(ODD)("a malformed path segment in the URL of a public page or image answers 404: %s", async (name) => {
    const paths = [
      `/@${name}/slug/`,
      `/@nobody/${name}/`,
      `/@nobody/slug/${name}/`,
      `/@nobody/tags/${name}/`,
      `/media/${name}/blog_img/01J00000000000000000000000.webp`,
      `/media/nobody/blog_img/${name}`,
    ]
    // Two dots may lead to the page of the service, before the Worker sees them.
    const others = paths.filter((path) => new URL(path, ORIGIN).pathname !== "/")
    const statuses = await Promise.all(others.map(async (path) => (await call("GET", path)).status))
    expect(new Set(statuses)).toEqual(new Set([404]))
  })

  it.each(KEPT)(
    "a malformed account name in an operator's path answers 404 to GET and 400 to PATCH: %s",
    async (name) => {
      const path = `/operator/api/accounts/${name}/`
      expect((await call("GET", path, { headers: OPERATOR })).status).toBe(404)
      expect((await call("PATCH", path, { headers: OPERATOR, json: {} })).status).toBe(400)
    },
  )
})

it.each(["x", '"x"', '"', "W/", '"1', "1.1", "9".repeat(5000), '"-1.1"', '"2.1"', '"1e0.1"', '"1x.1"'])(
  "a PATCH of a post whose If-Match is not the post's ETag answers 412: %s",
  async (tag) => {
    const author = await newAuthor()
    const { slug } = await newPost(author)
    const options = { key: author.key, headers: { "If-Match": tag } }
    const { status } = await call("PATCH", `${API}/posts/${slug}/`, {
      ...options,
      json: { ...LANGUAGES, title: "New" },
    })
    expect(status).toBe(412)
  },
)
