import * as fc from "fast-check"
import { expect } from "vitest"

import { sign } from "../billing/stripe.ts"
import { patch } from "../calls.ts"
import { bodyOf } from "../images/parts.ts"
import {
  type Answer,
  API,
  type Author,
  call,
  newAuthor,
  newPost,
  OPERATOR,
  passSeconds,
  newPng,
  stopClock,
  unique,
  upload,
} from "../support.ts"
import { conforms, documented, type Documented, type Place, type Schema } from "./document.ts"
import { type Change, changesOf, edgesOf, ENTITIES, expand } from "./oddities.ts"
import { quieten } from "./quiet.ts"

/** A request for an operation that is correct except for these changes. */
interface Odd {
  operation: string
  changes: Change[]
}

const PATCHED = { title: "Un titre", meta_description: "De quoi il s'agit.", body: "Des *mots*." }

/** Makes an author, post, image and webhook for requests, each when first needed. */
const newWorld = () => {
  let author: Promise<Author> | undefined
  let post: Promise<string> | undefined
  let file: Promise<string> | undefined
  let token: Promise<string> | undefined
  let endpoint: Promise<string> | undefined
  const findAuthor = () => (author ??= newAuthor())
  const makePost = async () => {
    const { slug } = await newPost(await findAuthor(), { tags: "one", translation_languages: ["fr"] })
    const changes = { lang_code: "fr", translation_languages: ["fr"], ...PATCHED }
    expect((await patch(await findAuthor(), slug, changes)).status).toBe(200)
    return String(slug)
  }
  const makePreview = async () => {
    const { slug, preview_url } = await newPost(await findAuthor(), { status: "DF" })
    await patch(await findAuthor(), slug, { lang_code: "fr", translation_languages: ["fr"], ...PATCHED })
    return String(new URL(preview_url).pathname.split("/")[2])
  }
  const makeFile = async () => {
    const { image_id, image_url } = await upload(await findAuthor())
    await newPost(await findAuthor(), { body: `![](${image_url})`, image_ids: [image_id] })
    return `${image_id}.webp`
  }
  const makeEndpoint = async () => {
    const url = `https://${unique("hooks")}.example/`
    const { json } = await call("POST", `${API}/webhooks/`, { key: (await findAuthor()).key, json: { url } })
    return String(json.webhook.id)
  }
  return {
    author: findAuthor,
    slug: () => (post ??= makePost()),
    token: () => (token ??= makePreview()),
    file: () => (file ??= makeFile()),
    endpoint: () => (endpoint ??= makeEndpoint()),
  }
}
type World = ReturnType<typeof newWorld>

/** Correct values of path parameters, by their documented name. */
const PARAMETERS: Record<string, (world: World) => Promise<string> | string> = {
  slug: (world) => world.slug(),
  lang_code: () => "fr",
  username: async (world) => (await world.author()).username,
  author: async (world) => `@${(await world.author()).username}`,
  file: (world) => world.file(),
  name: () => "default",
  tag: async (world) => (await world.slug()) && "one",
  category: async (world) => (await world.slug()) && "news",
  token: (world) => world.token(),
  id: (world) => world.endpoint(),
}

/** Correct values of parameters of the query without which an operation answers 400. */
const QUERY: Record<string, string> = { source_sha256: "0".repeat(64), source: "a script" }

/** Correct values of fields of a JSON body. */
const FIELDS: Record<string, (world: World, isAbout: (parameter: string) => boolean) => unknown> = {
  title: () => "A title",
  slug: (world, isAbout) => (isAbout("slug") ? world.slug() : unique("made")),
  status: () => "PB",
  categories: () => "news",
  tags: () => "one, two",
  meta_description: () => "What it is about.",
  body: () => "Some *words*.",
  image_ids: () => [],
  cover_image_id: () => null,
  published_at: () => "2020-01-01T00:00:00Z",
  changed_at: () => "2021-01-01T00:00:00Z",
  listed: () => false,
  cover_alt: () => "A boat",
  cover_caption: () => "By Bo",
  canonical_url: () => "https://example.org/post",
  url: () => `https://${unique("hooks")}.example/`,
  redirects: () => [{ from: "/2023/apples/", to: "apples" }],
  entries: () => [{ term: "invoice", translations: { fr: "facture" } }],
  removed: () => ["bill"],
  terms: () => ["invoice"],
  blog_host: () => `${unique("host")}.example`,
  author_name: () => "Ada",
  blog_title: () => "Notes from the bay",
  blog_description: () => "Tides and boats.",
  source: () => "a script",
  lang_code: () => "en",
  primary_language: () => "en",
  translation_languages: () => ["fr"],
  translation_tones: () => ({ de: "Sie, formal" }),
  shows_translation_note: () => true,
  discard_edits: () => ["title"],
  updated_at: () => "2026-11-28T12:00:00.000Z",
  translation_review: () => "hold",
  paid_until: () => "2099-01-01T00:00:00Z",
  restricted: () => false,
  hidden: () => false,
  name: () => "default",
  scope: () => "publish",
  expires_at: () => null,
  id: () => unique("evt"),
  type: () => "none.of.ours",
  created: () => Math.floor(Date.now() / 1000),
  data: () => ({ object: {} }),
}

const rightFor = <T>(known: Record<string, T>, name: string): T => {
  const right = known[name]
  if (!right) throw new Error(`Nothing right is known for ${name}, which the document has.`)
  return right
}

const changeAt = <Where extends Change["in"]>(changes: Change[], where: Where, name?: string) =>
  changes.find(
    (change): change is Extract<Change, { in: Where }> =>
      change.in === where && (name === undefined || !("name" in change) || change.name === name),
  )

/** `@` needs no escaping in a path segment (RFC 3986 section 3.3). */
const encodeSegment = (text: string): string => encodeURIComponent(text).replaceAll("%40", "@")

const addressOf = async (world: World, { path, places }: Documented, changes: Change[]): Promise<string> => {
  let address = path
  for (const [braced, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
    const change = changeAt(changes, "path", name)
    const text = change ? expand(change.value) : await rightFor(PARAMETERS, name)(world)
    address = address.replace(braced, () => (change?.isRaw ? text : encodeSegment(text.toWellFormed())))
  }
  const required = places.filter((place) => place.in === "query" && Object.hasOwn(QUERY, place.name))
  const kept = required.filter(({ name }) => !changeAt(changes, "query", name))
  const changed = changes
    .filter((change) => change.in === "query")
    .map(
      ({ name, value, isRaw }) => `${name}=${isRaw ? expand(value) : encodeURIComponent(expand(value).toWellFormed())}`,
    )
  const query = [...kept.map(({ name }) => `${name}=${rightFor(QUERY, name)}`), ...changed]
  return query.length > 0 ? `${address}?${query.join("&")}` : address
}

const fieldsOf = async (world: World, { path, places }: Documented, changes: Change[]): Promise<string> => {
  const known = places.filter((place) => place.in === "body").map(({ name }) => name)
  const unknown = changes.filter((change) => change.in === "body" && !known.includes(change.name))
  const fields: string[] = []
  for (const name of [...known, ...unknown.map((change) => ("name" in change ? change.name : ""))]) {
    const { values } = changeAt(changes, "body", name) ?? { values: [null] }
    for (const value of values) {
      const isAbout = (parameter: string) => path.includes(`{${parameter}}`)
      const right = known.includes(name) ? await rightFor(FIELDS, name)(world, isAbout) : 1
      fields.push(`${JSON.stringify(name)}:${value ? expand(value) : JSON.stringify(right)}`)
    }
  }
  return `{${fields.join(",")}}`
}

const CONTENTS: Record<string, (image: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>> = {
  "an image": (image) => image,
  "half an image": (image) => image.slice(0, image.length / 2),
}

const RIGHT_PARTS = {
  type: "multipart/form-data; boundary=edge",
  parts: [{ disposition: 'form-data; name="file"; filename="a.png"', headers: "", content: "an image" }],
  end: "--edge--\r\n",
}

const multipartOf = async (changes: Change[]) => {
  const { type, parts, end } = changeAt(changes, "parts") ?? RIGHT_PARTS
  const image = await newPng()
  const filled = parts.map(({ content, ...part }) => ({ ...part, content: CONTENTS[content]?.(image) ?? content }))
  return { body: bodyOf(filled, { end }), headers: { "Content-Type": type } }
}

const entityOf = async (world: World, operation: Documented, changes: Change[]) => {
  const { contentType } = operation
  const change = changeAt(changes, "entity")
  if (contentType === "multipart/form-data" && !change) return multipartOf(changes)
  const json = contentType === "application/json" ? await fieldsOf(world, operation, changes) : ""
  const body = change ? (ENTITIES[change.name]?.make(json) ?? null) : json || null
  const signed = typeof body === "string" ? body : ""
  const isSigned = operation.places.some(({ name }) => name === "Stripe-Signature")
  return { body, headers: isSigned ? { "Stripe-Signature": await sign(signed) } : {} }
}

const credentialsOf = async (world: World, { credentials }: Documented, changes: Change[]) => {
  if (!credentials) return {}
  const key = credentials === "key" ? (await world.author()).key : OPERATOR.Authorization.replace("Bearer ", "")
  const right = credentials === "key" ? { "X-API-KEY": "KEY" } : { Authorization: "Bearer KEY" }
  const { headers } = changeAt(changes, "credentials") ?? { headers: right }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll("KEY", () => key)]))
}

const sendOdd = async (world: World, operation: Documented, changes: Change[]): Promise<Answer> => {
  const method = changeAt(changes, "method")?.method ?? operation.method
  const { body, headers } = await entityOf(world, operation, changes)
  const odd = changes.filter((change) => change.in === "header").map(({ name, value }) => [name, expand(value)])
  return call(method, await addressOf(world, operation, changes), {
    headers: { ...headers, ...(await credentialsOf(world, operation, changes)), ...Object.fromEntries(odd) },
    ...(body !== null && method !== "GET" && method !== "HEAD" && { body }),
  })
}

/** Returns what a text in a query means to a generated client: its type is in the document. */
const valueInQuery = ({ type }: Schema, text: string): unknown => {
  if (type === "integer" && /^\d+$/.test(text)) return Number(text)
  return type === "boolean" && /^(?:true|false)$/.test(text) ? text === "true" : text
}

/** Returns true if the document forbids the value, or the contract does for authors: NUL and lone surrogates. */
const isForbidden = ({ schema, isRequired }: Place, change: Change, isOfAuthors: boolean): boolean => {
  if (change.in === "query")
    return !change.isRaw && !conforms(schema, valueInQuery(schema, expand(change.value).toWellFormed()))
  if (change.in === "header") return !conforms(schema, expand(change.value))
  if (change.in !== "body") return false
  if (change.values.length === 0) return isRequired
  // Of repeated fields the last one counts.
  const last = change.values.at(-1)
  const value: unknown = last ? JSON.parse(expand(last)) : undefined
  const isNoText = typeof value === "string" && (value.includes("\0") || !value.isWellFormed())
  return last ? (isNoText && isOfAuthors) || !conforms(schema, value) : false
}

/** Fields that may be named because of another field. */
const RELATED: Record<string, string[]> = {
  primary_language: ["lang_code"],
  translation_languages: ["lang_code"],
  image_ids: ["body"],
  type: ["data"],
}

const nameOf = (change: Change): string[] => ("name" in change ? [change.name] : [])

/** Returns the names that a change is about: a raw value in a query may have others in it. */
const namesIn = (change: Change): string[] =>
  change.in === "query" && change.isRaw
    ? [...new URLSearchParams(`${change.name}=${expand(change.value)}`).keys()]
    : nameOf(change)

/** Returns true if only fields decide the answer. */
const isAboutFields = (changes: Change[]): boolean =>
  changes.every(
    (change) =>
      change.in === "body" ||
      (change.in === "query" && !change.isRaw) ||
      (change.in === "header" && ["Idempotency-Key", "Accept-Language"].includes(change.name)),
  )

/** Returns true if fields may arrive changed or in another place. */
const isElsewhere = (changes: Change[]): boolean =>
  changes.some((change) => change.in === "entity" || change.in === "parts" || (change.in === "path" && change.isRaw)) ||
  ["Content-Type", "Content-Length"].some((name) => changeAt(changes, "header", name))

const FIELDLESS = new Set(["invalid_json", "invalid_multipart", "invalid_signature"])

/** Checks an answer against the document and the contract for these changes; `call` has checked its schema. */
const judge = ({ places, credentials }: Documented, changes: Change[], { status, json, text }: Answer): void => {
  expect(status, text).toBeLessThan(500)
  expect(text).not.toMatch(/SQLITE|D1_ERROR|constraint failed|node_modules|\.ts:\d/)
  const named: string[] = (json?.errors ?? []).map(({ field }: { field: string }) => field.split(".")[0])
  const changed = changes.flatMap(namesIn)
  if (json && status === 400 && !FIELDLESS.has(json.code)) expect(named, "a 400 names fields").not.toEqual([])
  if (!isElsewhere(changes))
    expect([...changed, ...changed.flatMap((name) => RELATED[name] ?? [])], "only what is odd is refused").toEqual(
      expect.arrayContaining(named),
    )
  if (!isAboutFields(changes)) {
    const isRight = changeAt(changes, "credentials")?.isRight ?? true
    if (changes.length === 1 && credentials && !isRight) expect(status).toBe(401)
    const { isRefused = false } = ENTITIES[changeAt(changes, "entity")?.name ?? ""] ?? {}
    if (changes.length === 1 && isRefused && places.some((place) => place.in === "body")) expect(status).toBe(400)
    return
  }
  const isUnknown = (change: Change) =>
    change.in === "query" && !places.some(({ in: where, name }) => where === "query" && name === change.name)
  if (credentials && changes.some(isUnknown)) expect([status, json?.code], text).toEqual([400, "unknown_parameter"])
  const forbidden = places.filter((place) => {
    const change = changes.find((one) => one.in === place.in && "name" in one && one.name === place.name)
    return change && isForbidden(place, change, credentials === "key")
  })
  if (forbidden.length === 0) return
  // There is no page of readers with such a number.
  const refusals = credentials ? [400] : [400, 404]
  expect(refusals, `${forbidden.map(({ name }) => name).join()} is forbidden: ${text}`).toContain(status)
  // All fields are refused at once; headers are refused before or after them.
  const answered = new Set(places.filter(({ name }) => named.includes(name)).map((place) => place.in))
  const missing = forbidden.filter((place) => answered.has(place.in) && !named.includes(place.name))
  expect(
    missing.map(({ name }) => name),
    "is forbidden, and not named",
  ).toEqual([])
}

const targetOf = (change: Change): string => [change.in, ...nameOf(change)].join(" ")

/** Keeps one change per place. */
const distinct = (changes: Change[]): Change[] => [
  ...new Map(changes.toReversed().map((change) => [targetOf(change), change])).values(),
]

interface Size {
  seed: number
  /** The number of random requests for each place, in addition to those of `edgesOf`. */
  runs: number
  /** The operations to call; all of them by default. */
  operations?: Documented[]
  /** The output of a failure: only that request is sent. */
  only?: { operation: string; change: string; path: string }
}

/**
 * Sends odd requests for operations, with a change at each place and at up to two others.
 * @returns the number of requests sent
 */
export const sendOddRequests = async ({ seed, runs, operations = documented, only }: Size): Promise<number> => {
  let sent = 0
  let world = newWorld()
  stopClock()
  quieten()

  const probe = async ({ operation: id, changes }: Odd): Promise<void> => {
    const operation = documented.find((one) => one.id === id)
    if (!operation) throw new Error(`The document has no ${id}.`)
    // Keeps within ten uploads a minute.
    passSeconds(7)
    const answer = await sendOdd(world, operation, changes)
    sent += 1
    judge(operation, changes, answer)
    // Each request needs an unchanged initial state.
    if (operation.method !== "GET" && answer.status < 400) world = newWorld()
  }

  const failures: string[] = []
  for (const operation of operations) {
    // The unchanged request must succeed, or its changes prove nothing.
    const { status, text } = await sendOdd(world, operation, [])
    if (status >= 400) failures.push(`${operation.id}, unchanged: ${status} ${text}`)
    if (operation.method !== "GET") world = newWorld()
    const kinds = changesOf(operation)
    for (const [change, arbitrary] of Object.entries(kinds)) {
      if (only && (only.operation !== operation.id || only.change !== change)) continue
      const others = fc.array(fc.oneof(...Object.values(kinds)), { maxLength: 2 })
      const odd = fc.record({
        operation: fc.constant(operation.id),
        changes: fc.tuple(arbitrary, others).map(([first, more]) => distinct([first, ...more])),
      })
      const property = fc.asyncProperty(odd, probe)
      const place = operation.places.find((one) => `${one.in} ${one.name}` === change)
      const edges = place ? edgesOf(place).map((edge): [Odd] => [{ operation: operation.id, changes: [edge] }]) : []
      const numRuns = edges.length + runs
      const path = only && { path: only.path }
      const parameters = { seed, numRuns, examples: edges, includeErrorInReport: true, ...path }
      await fc.assert(property, parameters).catch((error: unknown) => {
        failures.push(`${operation.id}, ${change}: ${String(error)}`)
      })
    }
  }
  expect(failures, failures.join("\n\n")).toEqual([])
  return sent
}
