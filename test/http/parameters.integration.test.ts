import { beforeAll, describe, expect, it } from "vitest"

import type { Operation } from "../../src/http/operation.ts"
import { routes } from "../../src/routes.ts"
import { patch } from "../calls.ts"
import { dumpStorage } from "../storage.ts"
import { type Author, API, call, fileForm, newAuthor, newPng, newPost, OPERATOR, recordWakeUps } from "../support.ts"

const CALLS = routes
  .map(({ operation }): Operation => operation)
  .filter(({ path }) => /^\/(?:api\/blogcontroller|operator\/api)\//.test(path))

/** Right values of the parameters of paths, by name. */
let right: Record<string, string>
let author: Author
let other: Author
let image: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  ;[author, other, image] = await Promise.all([newAuthor(), newAuthor(), newPng()])
  const { slug } = await newPost(author, { translation_languages: ["fr"] })
  await patch(author, slug, { lang_code: "fr", translation_languages: ["fr"], title: "Un titre" })
  const url = "https://hooks.example/"
  const { id } = (await call("POST", `${API}/webhooks/`, { key: author.key, json: { url } })).json.webhook
  right = { slug, lang_code: "fr", username: author.username, name: "default", id }
})

const pathOf = ({ path }: Operation, wrong: Record<string, string> = {}): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = wrong[name] ?? right[name]
    if (value === undefined) throw new Error(`Nothing right is known for ${name} in ${path}.`)
    return value
  })

const knownOf = ({ query }: Operation): string[] => Object.keys(query?.shape ?? {})

/** Returns the parameters of the query that an operation's document shows, which may be required. */
const shownOf = ({ query }: Operation): string[] =>
  Object.entries(query?.shape ?? {}).flatMap(([name, schema]) => {
    const { example } = schema.meta() ?? {}
    return example === undefined ? [] : [`${name}=${String(example)}`]
  })

/** Returns a body that the operation takes: its documented example. */
const bodyOf = ({ body, contentType, example, path }: Operation) => {
  if (contentType === "multipart/form-data") return { body: fileForm(image) }
  const ofPath = path.endsWith("/:slug/") ? { slug: right.slug } : {}
  return body && { json: { ...example, ...ofPath } }
}

const { queue, sent } = recordWakeUps()
const env = { TRANSLATIONS: queue, WEBHOOK_EVENTS: queue, UPLOADS_PER_MINUTE: "1000" } as Partial<Env>

interface Sent {
  query: string[]
  key?: string
  /** Values of the path that name nothing. */
  wrong?: Record<string, string>
}

const send = (operation: Operation, { query, key, wrong = {} }: Sent) => {
  const authors = { "X-API-KEY": key ?? author.key }
  const headers = operation.access === "operator" && key === undefined ? OPERATOR : authors
  const path = `${pathOf(operation, wrong)}?${[...shownOf(operation), ...query].join("&")}`
  return call(operation.method, path, { ...bodyOf(operation), headers, env })
}

const fieldsOf = ({ json }: { json: { errors: { field: string }[] } }): string[] =>
  json.errors.map(({ field }) => field)

/** These make what their path names, if it is missing. */
const MAKING = new Set(["PUT /api/blogcontroller/posts/:slug/", "PATCH /operator/api/accounts/:username/"])

/** Returns queries with names that an operation does not know, or knows and gets twice, and what is wrong of each. */
const queriesOf = (operation: Operation): [query: string[], wrong: string[]][] => {
  const known = knownOf(operation)
  const unknown = ["dry_run", "dryRun", "dry-run", "no_such_name"].filter((name) => !known.includes(name))
  return [
    ...unknown.map((name): [string[], string[]] => [[`${name}=true`], [name]]),
    ...known.map((name): [string[], string[]] => [[`${name}=true`, `${name}=true`], [name]]),
    [
      ["a=1", "b=2", "b=3", "%20"],
      ["a", "b", " "],
    ],
  ]
}

describe.each(CALLS.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  "%s",
  (_, operation) => {
    it("with a name in its query that it does not know, or gets twice, answers 400 and writes nothing", async () => {
      const before = await dumpStorage()
      const asked: string[] = []
      for (const [query, wrong] of queriesOf(operation)) {
        const answer = await send(operation, { query })
        expect([answer.status, answer.json.code, fieldsOf(answer)], query.join()).toEqual([
          400,
          "unknown_parameter",
          wrong,
        ])
        asked.push(answer.json.detail)
      }
      const isDry = knownOf(operation).includes("dry_run")
      const spellings = asked.filter((detail) => detail.endsWith("did you mean dry_run?"))
      expect(spellings.map((detail) => detail.split(":")[0])).toEqual(isDry ? ["dryRun", "dry-run"] : [])
      expect(await dumpStorage()).toEqual(before)
      expect(sent).toEqual([])
    })

    it("tells a caller without a right to it, or without such a target, before it tells of its query", async () => {
      const before = await dumpStorage()
      const query = ["dryRun=true"]
      const outcomes = [(await send(operation, { query, key: "bpa_wrong" })).json.code]
      const named = [...operation.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name)
      if (named.includes("slug")) outcomes.push((await send(operation, { query, key: other.key })).json.code)
      const targets = MAKING.has(`${operation.method} ${operation.path}`) ? [] : named
      for (const name of targets) outcomes.push((await send(operation, { query, wrong: { [name]: "de" } })).json.code)
      const ofOthers = named.includes("slug") ? ["not_the_author"] : []
      expect(outcomes).toEqual(["unauthorized", ...ofOthers, ...targets.map(() => "not_found")])
      expect(await dumpStorage()).toEqual(before)
    })
  },
)

const KNOWN = "This call knows limit, cursor, status, tag, category, source, updated_since."
const ROWS: [what: string, path: string, told: [name: string, words: string][]][] = [
  ["a page by number", "posts/?page=2", [["page", KNOWN]]],
  [
    "filters of other lists",
    "posts/?slug=none&offset=5",
    [
      ["slug", KNOWN],
      ["offset", KNOWN],
    ],
  ],
  ["another spelling", "posts/?updatedSince=2030-01-01T00:00:00Z", [["updatedSince", "did you mean updated_since?"]]],
  ["the name of a field", "posts/?tags=x", [["tags", "did you mean tag?"]]],
  ["a filter twice", "posts/?status=PB&status=DF", [["status", "Sent 2 times."]]],
  ["a filter twice, once escaped", "posts/?status=PB&stat%75s=DF", [["status", "Sent 2 times."]]],
  ["a part of a name", "posts/{slug}/?lang=fr", [["lang", "did you mean lang_code?"]]],
  ["the end of two names", "images/?sha256=a", [["sha256", "did you mean source_sha256?"]]],
  ["any name where there is none", "account/?dry_run=false", [["dry_run", "This call knows none."]]],
  ["a name of every object", "posts/?__proto__=a", [["__proto__", KNOWN]]],
  ["an empty name", "posts/?=1", [["", KNOWN]]],
]

it.each(ROWS)("a GET with %s in its query answers 400 and says what the call knows", async (_, path, told) => {
  const answer = await call("GET", `${API}/${path.replace("{slug}", right["slug"] ?? "")}`, { key: author.key })
  expect([answer.status, answer.json.code]).toEqual([400, "unknown_parameter"])
  expect(fieldsOf(answer)).toEqual(told.map(([name]) => name))
  for (const [i, [, words]] of told.entries()) expect(answer.json.errors[i].message).toContain(words)
})

it("a page of readers, a feed, an image, Micropub and sign-in take a name in a query that they do not know", async () => {
  const page = `/@${author.username}/`
  const [list, feed, micropub, signIn] = await Promise.all([
    call("GET", `${page}?utm_source=a&utm_source=b`),
    call("GET", `${page}feed.atom?category=Nope`),
    call("GET", "/micropub/?q=config&dry_run=true", { key: author.key }),
    call("GET", "/sign-in/?next=a", { headers: { Accept: "text/html" } }),
  ])
  expect([list, feed, micropub, signIn].map(({ status }) => status)).toEqual([200, 200, 200, 200])
})
