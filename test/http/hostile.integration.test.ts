import { describe, expect, it } from "vitest"

import { MAX_JSON_BYTES } from "../../src/limits.ts"
import { refusal, refusedFields, WRITES } from "../posts/requests.ts"
import { API, type Author, call, fetchWorker, newAuthor, newPost, OPERATOR, ORIGIN, postInput } from "../support.ts"

const LANGUAGES = { lang_code: "en", primary_language: "en", translation_languages: [] }
const french = async (author: Author) => {
  const { slug } = await newPost(author, { translation_languages: ["fr"] })
  return `${API}/posts/${slug}/translations/fr/`
}
const account = ({ username }: Author) => `/operator/api/accounts/${username}/`

interface Target {
  name: string
  method: "POST" | "PATCH"
  path: (author: Author) => string | Promise<string>
  headers?: Record<string, string>
  /** A body that is accepted. */
  good: () => Record<string, unknown>
}

const POST: Target = { name: "create", method: "POST", path: () => `${API}/posts/`, good: postInput }
const PATCH: Target = {
  name: "PATCH",
  method: "PATCH",
  path: async (author) => `${API}/posts/${(await newPost(author)).slug}/`,
  good: () => LANGUAGES,
}
const TARGETS: Target[] = [
  POST,
  PATCH,
  { name: "retranslate", method: "POST", path: french, good: () => ({}) },
  { name: "operator PATCH", method: "PATCH", path: account, headers: OPERATOR, good: () => ({}) },
]

/** Returns a function that sends bodies to one address of a new author. */
const open = async ({ method, path, headers }: Target) => {
  const author = await newAuthor()
  const address = await path(author)
  return (body?: BodyInit, type?: string) => {
    const sent = { ...(headers ?? { "X-API-KEY": author.key }), ...(type !== undefined && { "Content-Type": type }) }
    return call(method, address, { headers: sent, ...(body !== undefined && { body }) })
  }
}

const isGood = (status: number) => status >= 200 && status < 300
const warned = (json: { warnings: { field: string }[] }) => json.warnings.map(({ field }) => field)
/** Returns bytes, written as characters up to U+00FF. */
const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

const TYPES = ["application/json", "application/json; charset=utf-8", "application/json;charset=iso-8859-1"]
const OTHER_TYPES = ["APPLICATION/JSON", "text/plain", "application/x-www-form-urlencoded", "application/octet-stream"]
const NO_TYPES = ["multipart/form-data", "nonsense", ""]

describe.each(TARGETS)("hostile JSON body to $name", (target) => {
  const { good } = target

  it.each<[string, ...BodyInit[]]>([
    ["half an object, a trailing comma, single quotes or a comment", "{", '{"a": 1,}', "{'a': 1}", "{} // done"],
    ["two objects, NaN, a form or blanks", "{}{}", '{"a": NaN}', "title=x&slug=y", "  "],
    ["a control character or a bad escape in a string", '{"a": "\n"}', '{"a": "\\x"}'],
    ["JSON but no object", "null", "[]", `[${JSON.stringify(good())}]`, '"title"', "1", "true"],
    ["100 000 arrays", "[".repeat(100_000) + "]".repeat(100_000), "[".repeat(100_000)],
    ["100 000 open objects", '{"a":'.repeat(100_000)],
    [
      "a byte, an overlong NUL or a surrogate that is no UTF-8",
      ...["\xff", "\xc0\x80", "\xed\xa0\x80"].map((odd) => bytes(`{"${odd}":1}`)),
    ],
    ["UTF-16 or gzip", bytes("\xff\xfe{\0}\0"), bytes("\x1f\x8b\b\0\0\0\0\0")],
  ])("a request body that is not a JSON object answers 400 invalid_json: %s", async (_, ...bodies) => {
    const send = await open(target)
    for (const [i, body] of bodies.entries()) {
      const { status, json } = await send(body)
      expect([status, json.code, json.title], `body ${i}`).toEqual([400, "invalid_json", "ValidationError"])
    }
  })

  it("a request with a JSON body is accepted with any Content-Type", async () => {
    const send = await open(target)
    for (const type of [...TYPES, ...OTHER_TYPES, ...NO_TYPES])
      expect(isGood((await send(JSON.stringify(good()), type)).status), type).toBe(true)
  })

  it("a byte order mark before the JSON of a request body is ignored", async () => {
    expect(isGood((await (await open(target))(`\ufeff${JSON.stringify(good())}`)).status)).toBe(true)
  })

  it("a request body with a field named like a property of objects gets only the warning about an unknown field", async () => {
    const send = await open(target)
    for (const name of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
      const fields = [JSON.stringify(good()).slice(1, -1), `"${name}":{"restricted":true,"title":"x"}`]
      const { status, json } = await send(`{${fields.filter(Boolean).join(",")}}`)
      expect([isGood(status), warned(json)]).toEqual([true, [name]])
      expect(({} as Record<string, unknown>)["restricted"]).toBeUndefined()
    }
  })

  it("an unknown field nested 100 000 levels deep in a request body gets only a warning", async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`
    const text = JSON.stringify({ ...good(), deep: 1 }).replace('"deep":1', () => `"deep":${deep}`)
    const { status, json } = await (await open(target))(text)
    expect([isGood(status), warned(json)]).toEqual([true, ["deep"]])
  })

  it("a JSON request body of 2 MiB is accepted, and one byte more answers 400 and names the limit", async () => {
    const send = await open(target)
    expect(isGood((await send(JSON.stringify(good()).padEnd(2_097_152))).status)).toBe(true)
    const { status, json } = await send(JSON.stringify(good()).padEnd(2_097_153))
    expect([status, json.code, json.detail]).toEqual([400, "invalid_json", expect.stringContaining("2097152")])
  })
})

it.each([POST, PATCH])("a $name of a post with an empty or missing body answers 400", async (target) => {
  const send = await open(target)
  expect([(await send()).status, (await send("")).status]).toEqual([400, 400])
})

it.each([POST, PATCH])(
  "a $name of a post whose fields are arrays 100 000 levels deep answers 400 and names each field",
  async (target) => {
    const fields = ["title", "status", "meta_description", "body", "categories", "tags", "image_ids"]
    const deep = "[".repeat(100_000) + "]".repeat(100_000)
    const named = [...fields, "translation_languages"]
    const answer = await (await open(target))(`{${named.map((field) => `"${field}":${deep}`).join(",")}}`)
    expect(answer.status).toBe(400)
    expect(refusedFields(answer)).toEqual(expect.arrayContaining(named))
  },
)

const post = async (body: BodyInit, headers: Record<string, string> = {}) => {
  const { key } = await newAuthor()
  const init = { method: "POST", body, headers: { "X-API-KEY": key, ...headers } }
  const response = await fetchWorker(new Request(`${ORIGIN}${API}/posts/`, init))
  const { code, detail } = await response.json<{ code: string; detail: string }>()
  return [response.status, code, detail.includes(String(MAX_JSON_BYTES))]
}
const CHUNK = 65_536
const endless = () => {
  const seen = { pulled: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      seen.pulled += 1
      controller.enqueue(new Uint8Array(CHUNK).fill(0x20))
    },
    cancel: () => {
      seen.cancelled = true
    },
  })
  return { body, seen }
}

it("a request body whose Content-Length is over the limit answers 400 before it is read", async () => {
  const { body, seen } = endless()
  expect(await post(body, { "Content-Length": "3000000" })).toEqual([400, "invalid_json", true])
  expect(seen.pulled).toBeLessThan(3)
})

it.each([
  ["without Content-Length", {}],
  ["with a small Content-Length", { "Content-Length": "10" }],
])("a request body over the limit, sent %s, is read only up to the limit and answers 400", async (_, headers) => {
  const { body, seen } = endless()
  expect(await post(body, headers)).toEqual([400, "invalid_json", true])
  expect(seen.pulled * CHUNK).toBeLessThan(MAX_JSON_BYTES + 4 * CHUNK)
  expect(seen.cancelled).toBe(true)
})

it.each(["-1", "x", "1e9x", "99999999999999999999999"])(
  "a request with the invalid Content-Length %s is answered like any other",
  async (length) => {
    expect((await post("{}", { "Content-Length": length }))[0]).toBe(400)
  },
)

const NO_TEXT: unknown[] = [null, 0, 1, -1.5, true, false, [], {}, ["a"], { toString: "a" }, [["a"]]]
const NO_LABELS = [null, 0, true, {}, { 0: "a", length: 1 }, [1], [null], ["a", {}], [["a"]]]
const NO_IDS = [null, 0, true, "", "x", {}, { length: 0 }, [1], [null], [{}], [["01J00000000000000000000000"]]]
const WRONG: Record<string, unknown[]> = {
  title: NO_TEXT,
  slug: NO_TEXT,
  status: NO_TEXT,
  meta_description: NO_TEXT,
  body: NO_TEXT,
  primary_language: NO_TEXT,
  categories: NO_LABELS,
  tags: NO_LABELS,
  image_ids: NO_IDS,
  translation_languages: [null, 0, true, "fr", "", {}, [1], [null], ["fr", {}], [["fr"]]],
}

describe.each(WRITES)("$verb with a value of the wrong type", ({ send }) => {
  it.each(Object.entries(WRONG))(
    "creating or changing a post with a wrong type in the field %s answers 400",
    async (field, values) => {
      const author = await newAuthor()
      for (const value of values) {
        const answer = await send(author, { translation_languages: ["en"], body: "b", [field]: value })
        expect(refusal(answer), JSON.stringify(value)).toEqual([400, "validation_error", field])
      }
    },
  )

  it("creating or changing a post with null fields answers 400 and names every one of them", async () => {
    const fields = Object.keys(WRONG)
    const answer = await send(await newAuthor(), Object.fromEntries(fields.map((field) => [field, null])))
    expect(answer.status).toBe(400)
    expect(refusedFields(answer)).toEqual(expect.arrayContaining(fields))
  })
})

it("a request to translate again with an invalid discard_edits answers 400", async () => {
  const author = await newAuthor()
  const path = await french(author)
  for (const discard_edits of [null, "title", 1, {}, ["slug"], [null], ["title", 1], [["title"]]]) {
    const answer = await call("POST", path, { key: author.key, json: { discard_edits } })
    expect(refusal(answer), JSON.stringify(discard_edits)).toEqual([400, "validation_error", "discard_edits"])
  }
})

it.each<[string, ...unknown[]]>([
  ["paid_until", "tomorrow", "2030-01-01", 1, "9999-12-31T23:59:59-12:00", "0000-01-01T00:00:00+12:00"],
  ["restricted", null, "false"],
  ["hidden", 0],
  ["primary_language", "qaa", null],
  ["translation_languages", "fr", [1]],
])("an operator PATCH of an account with an invalid %s answers 400", async (field, ...values) => {
  const path = account(await newAuthor())
  for (const value of values) {
    const answer = await call("PATCH", path, { headers: OPERATOR, json: { [field]: value } })
    expect(refusal(answer), JSON.stringify(value)).toEqual([400, "validation_error", field])
    expect(answer.json.errors[0].message).toMatch(/^(?!Invalid input)[A-Z].*\.$/)
  }
})

it.each([
  ["2030-06-30t10:00:00z", "2030-06-30T10:00:00.000Z"],
  ["9999-12-31T23:59:59-00:00", "9999-12-31T23:59:59.000Z"],
  ["2030-06-30T10:00:00.5+05:45", "2030-06-30T04:15:00.500Z"],
])("an operator PATCH of an account accepts the paid_until %s and shows it in UTC", async (paid_until, shown) => {
  const answer = await call("PATCH", account(await newAuthor()), { headers: OPERATOR, json: { paid_until } })
  expect(answer.json.account).toMatchObject({ paid_until: shown })
})

it("the JSON key __proto__ in a request body does not set fields of the request", async () => {
  const answer = await (await open(POST))(`{"__proto__": ${JSON.stringify(postInput())}}`)
  expect([answer.status, refusedFields(answer).length]).toEqual([400, 6])
})

it("of two JSON keys with the same name in a request body, the last one counts", async () => {
  const body = JSON.stringify(postInput({ title: "first" })).replace(/\}$/, ',"title":"last"}')
  expect((await (await open(POST))(body)).json.post.title).toBe("last")
})

const ODD = ["%00 %FF %E0%A4%A % %2F %2e%2e ..%2f.. ' a%20b SLUG 名前".split(" "), "x".repeat(4000)].flat()
type Request = [
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  options: Parameters<typeof call>[2],
  code: string,
]

it.each(ODD)("a malformed path segment answers 404, or 400 to an operator's PATCH: %s", async (odd) => {
  const author = await newAuthor()
  const { key } = author
  const own = `${API}/posts/${odd}/`
  const pages = [`/@${odd}/slug/`, `/@nobody/${odd}/`, `/@nobody/slug/${odd}/`, `/@nobody/tags/${odd}/`]
  const files = [`/media/${odd}/blog_img/01J00000000000000000000000.webp`, `/media/nobody/blog_img/${odd}`]
  const requests: Request[] = [
    ["GET", own, { key }, "not_found"],
    ["PATCH", own, { key, json: LANGUAGES }, "not_found"],
    ["DELETE", own, { key }, "not_found"],
    // Two dots may lead to the page of the service, before the Worker sees them.
    ...[...pages, ...files]
      .filter((path) => new URL(path, ORIGIN).pathname !== "/")
      .map((path): Request => ["GET", path, {}, "not_found"]),
  ]
  const translation = (await french(author)).replace("fr/", `${odd}/`)
  const operator = account({ username: odd, key })
  const below: Request[] = [
    ["POST", translation, { key, json: {} }, "not_found"],
    ["DELETE", translation, { key }, "not_found"],
    ["GET", operator, { headers: OPERATOR }, "not_found"],
    ["PATCH", operator, { headers: OPERATOR, json: {} }, "validation_error"],
  ]
  // URL parsers resolve %2e%2e, so it never reaches the Worker.
  for (const [method, path, options, code] of [...requests, ...(odd === "%2e%2e" ? [] : below)])
    expect([method, path, (await call(method, path, options)).json.code]).toEqual([method, path, code])
})
