import * as fc from "fast-check"

import { IDEMPOTENCY_KEY_HOURS, MAX_BODY_BYTES, MAX_JSON_BYTES } from "../../src/limits.ts"
import type { Documented, Place, Schema } from "./document.ts"

/** Pieces of text with repetition counts, so that long text prints short. */
export type Text = (string | [piece: string, times: number])[]

export const expand = (text: Text): string =>
  text.map((piece) => (typeof piece === "string" ? piece : piece[0].repeat(piece[1]))).join("")

type Values = (Text | null)[]

/** A change of a correct request, as plain data: a failing one can be printed and sent again. */
export type Change =
  /** The JSON of each occurrence of a field; `null` stands for the correct value. */
  | { in: "body"; name: string; values: Values }
  /** With `isRaw` the value is not escaped. */
  | { in: "path"; name: string; value: Text; isRaw: boolean }
  | { in: "query"; name: string; value: Text; isRaw: boolean }
  | { in: "header"; name: string; value: Text }
  /** `KEY` stands for the correct key. */
  | { in: "credentials"; headers: Record<string, string>; isRight: boolean }
  | { in: "entity"; name: string }
  | { in: "parts"; type: string; parts: OddPart[]; end: string }
  | { in: "method"; method: "HEAD" | "OPTIONS" | "PROPFIND" }

interface OddPart {
  disposition: string
  headers: string
  content: string
}

const STRINGS = [
  ["", " ", "\t\n", "\u00A0\u3000", "\0", "a\0b", "\uD800", "a\uDFFFb", "\uDC00\uD800", "e\u0301"],
  ["\u1100\u1161\u11A8", "\u202Eabc", "\u200F\u200E", "\u200D", "\uFEFF", "\uFFFF", "\u{10FFFF}", "👩‍👩‍👧‍👦", "İ", "ß"],
  ["ﬃ", "Ａ", "\u0007", "a\r\nb", "a,b", ",", ",,,", "a,,a", "-", "a--b", "posts", "One", "null", "true", "0", "-1"],
  ["101", "1e3", "99999999999", "en", "EN", "en-us", "fr", "x-private", "und", "qaa", "en-u-ca-gregory", "i-klingon"],
  ["zh-Hant", "a-b-c", "DF", "pb", "2026-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2024-02-29T23:59:60Z"],
  ["0000-01-01T00:00:00Z", "2026-01-01", "9999-12-31T23:59:59+23:59", "+010000-01-01T00:00:00Z"],
  ["2026-01-01T00:00:00.1234567890123Z", "01J00000000000000000000000", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"],
  ["ZZZZZZZZZZZZZZZZZZZZZZZZZZ", "01j00000000000000000000000", "__proto__", "constructor", "toString", "<script>"],
  ["' or 1=1 --", "%", "%00", "%zz", "{{x}}", "${x}", "../..", "\\"],
  ["![](/media/a/blog_img/01J00000000000000000000000.webp)", "![](http://example.com/a.png)", "[a]: b\n[a][a]"],
  ["title", "customer.subscription.updated", "invoice.paid", "checkout.session.completed", "Q29va2ll", "MDFK=="],
].flat()

/** Lengths at limits, and one more than each. */
const LENGTHS = [35, 64, 191, 255, 300, 1023, MAX_BODY_BYTES].flatMap((length) => [length, length + 1])

const units = fc.constantFrom("a", "a-", "é", "e\u0301", "😀", "a,", "*", " ")

const long = ({ maxLength }: Schema): fc.Arbitrary<Text> => {
  const lengths = maxLength === undefined ? LENGTHS : [maxLength, maxLength + 1, ...LENGTHS]
  return fc.tuple(units, fc.constantFrom(...lengths)).map(([unit, length]) => [[unit, length]])
}

const surrogate = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit))
const withSurrogates = fc.oneof(surrogate, fc.string({ maxLength: 1 }))

const words = (schema: Schema): fc.Arbitrary<Text> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...STRINGS).map((text) => [text]) },
    { weight: 4, arbitrary: long(schema) },
    { weight: 2, arbitrary: fc.string({ unit: "binary" }).map((text) => [text]) },
    { weight: 1, arbitrary: fc.string({ unit: withSurrogates }).map((text) => [text]) },
  )

const escape = (piece: string): string => JSON.stringify(piece).slice(1, -1)

const inQuotes = (text: Text): Text => [
  '"',
  ...text.map((piece): Text[number] => (typeof piece === "string" ? escape(piece) : [escape(piece[0]), piece[1]])),
  '"',
]

const OTHERS = [
  ["null", "true", "false", "0", "-0", "-1", "1.5", "1e308", "1e400", "-1e400", "9007199254740993", "8640000000000001"],
  ["123456789012345678901234567890", "[]", "{}", "[null]", "[[]]", "[{}]", '["a"]', '["fr","FR","de"]', '["a",1]'],
  ['{"a":1}', '{"length":1,"0":"a"}', '{"__proto__":{"a":1}}', '{"toString":1}', '{"object":{}}', '{"object":null}'],
].flat()

const nested = (open: string, inner: string, close: string): Text[] =>
  [10_000, 100_000].map((levels) => [[open, levels], inner, [close, levels]])
const DEEP = [...nested("[", "", "]"), ...nested('{"a":', "1", "}")]

const listOf = ({ maxItems = 1000 }: Schema): fc.Arbitrary<Text> =>
  fc
    .tuple(
      fc.constantFrom('"a"', '"en"', '"title"', '"01J00000000000000000000000"', "null", '"\\u0000"'),
      fc.constantFrom(2, maxItems, maxItems + 1),
    )
    .map(([item, length]) => ["[", [`${item},`, length - 1], item, "]"])

const json = (schema: Schema): fc.Arbitrary<Text> =>
  fc.oneof(
    { weight: 6, arbitrary: words(schema).map(inQuotes) },
    { weight: 4, arbitrary: fc.constantFrom(...OTHERS).map((text) => [text]) },
    { weight: 2, arbitrary: listOf(schema) },
    { weight: 1, arbitrary: fc.constantFrom(...DEEP) },
    { weight: 1, arbitrary: fc.jsonValue().map((value) => [JSON.stringify(value)]) },
  )

const fieldOf = ({ name, schema }: Pick<Place, "name" | "schema">): fc.Arbitrary<Change> => {
  const repeated = json(schema).chain((odd) => fc.constantFrom<Values[]>([null, odd], [odd, null], [odd, odd]))
  const values = fc.oneof<fc.MaybeWeightedArbitrary<Values>[]>(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 8, arbitrary: fc.tuple(json(schema)) },
    { weight: 1, arbitrary: repeated },
  )
  return values.map((all) => ({ in: "body", name, values: all }))
}

const IN_ADDRESSES = [
  ["", ".", "..", "%2e%2e", "%00", "%2F", "a%2Fb", "%", "%zz", "%ED%A0%80", "%FF", "é", "e\u0301", "\u202E", "@", "*"],
  ["~", "?", "#", ";a=1", "a b", "+", "%25", "%2525", ":slug", "{slug}", "a&limit=1", "=", "1&limit=2", "[]", "%0D%0A"],
  ["//", "\\"],
].flat()

const inAddress = (where: "path" | "query", { name, schema }: Pick<Place, "name" | "schema">): fc.Arbitrary<Change> =>
  fc.oneof(
    { weight: 2, arbitrary: words(schema).map((value) => ({ in: where, name, value, isRaw: false })) },
    fc.constantFrom(...IN_ADDRESSES).map((value) => ({ in: where, name, value: [value], isRaw: true })),
  )

const HEADERS = [
  ["If-Match", "If-None-Match", "If-Range", "If-Modified-Since", "Range", "Idempotency-Key"],
  ["Accept", "Accept-Language", "Accept-Encoding", "Content-Type", "Content-Encoding", "Content-Length", "Origin"],
  ["Cookie", "CF-Connecting-IP", "X-Request-Id", "X-HTTP-Method-Override", "X-Forwarded-Host", "Expect", "Prefer"],
  ["Stripe-Signature"],
].flat()

const HEADER_VALUES = [
  ["", "*", "a", '"', '""', '"1.1"', 'W/"1.1"', '"1.1", "2.1"', '"1"', '"01.1"', '"99999999999999999999.1"', "1.1"],
  ['"-1.1"', "bytes=0-0", "bytes=-1", "bytes=-0", "bytes=5-2", "bytes=0-", "bytes=999999-", "bytes=0-1,3-4", "bytes=-"],
  ["lines=1-2", "bytes=99999999999999999999999-", "bytes=-99999999999999999999999", "bytes = 0-1", "BYTES=0-1"],
  ["bytes=0-99999999999999999999", "text/html", "application/json", "*/*;q=0", "text/html;q=0, application/xml"],
  ["text/plain; charset=utf-16", "image/*", ",", "en", "fr, en;q=0.5", "*;q=0", "und", "gzip", "br, gzip;q=0"],
  ["identity", "multipart/form-data", "multipart/form-data; boundary=edge", "0", "-1", "1", "x", "1e9", "99999999"],
  ["99999999999999999999999", "GET", "DELETE", "https://example.com", "null", "100-continue", "127.0.0.1", "::1"],
  ["::ffff:1.2.3.4", "1:2:3:4:5:6:7:8:9", "Thu, 01 Jan 1970 00:00:00 GMT", "session=a; session=b", "t=1,v1=00", "a\tb"],
  ["{}", "<script>", "' or 1=1 --", String(IDEMPOTENCY_KEY_HOURS)],
].flat()

const headerNamed = (name: string): fc.Arbitrary<Change> => {
  const lengths = fc.constantFrom<Text>([["a", 255]], [["a", 256]], [["a", 8000]], [['"1.1",', 1000]])
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...HEADER_VALUES).map((text) => [text]) },
    { weight: 1, arbitrary: lengths },
  )
  return value.map((text) => ({ in: "header", name, value: text }))
}

const CREDENTIALS: Record<"key" | "operator", [headers: Record<string, string>, isRight: boolean][]> = {
  key: [
    [{}, false],
    [{ Authorization: "Api-Key KEY" }, true],
    [{ Authorization: "api-key   KEY " }, true],
    [{ Authorization: "Api-Key" }, false],
    [{ Authorization: "Api-Key " }, false],
    [{ Authorization: "Bearer KEY" }, false],
    [{ Authorization: "KEY" }, false],
    [{ Authorization: "Api-Key KEY", "X-API-KEY": "KEY" }, true],
    [{ Authorization: "Api-Key KEY", "X-API-KEY": "KEYa" }, false],
    [{ Authorization: "Basic YTpi", "X-API-KEY": "KEY" }, true],
    [{ "X-API-KEY": " KEY " }, true],
    [{ "X-API-KEY": "KEYa" }, false],
    [{ "X-API-KEY": "KEY, KEY" }, false],
    [{ "X-API-KEY": "" }, false],
    [{ "X-API-KEY": "~" }, false],
    [{ "X-API-KEY": "bpa_".padEnd(8000, "a") }, false],
    [{ Cookie: "api_key=KEY" }, false],
  ],
  operator: [
    [{}, false],
    [{ Authorization: "bearer KEY" }, true],
    [{ Authorization: "Bearer   KEY" }, true],
    [{ Authorization: "Bearer" }, false],
    [{ Authorization: "Bearer KEY KEY" }, false],
    [{ Authorization: "Bearer KEYa" }, false],
    [{ Authorization: "Api-Key KEY" }, false],
    [{ Authorization: "Basic KEY" }, false],
    [{ "X-API-KEY": "KEY" }, false],
    [{ Authorization: "Bearer \u007e" }, false],
  ],
}

const utf16 = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Uint16Array.from(text, (char) => char.charCodeAt(0)).buffer)
const bytesOf = (text: string, ...more: number[]) => Uint8Array.of(...new TextEncoder().encode(text), ...more)

/** Changes of a JSON body in transit, and whether the result is invalid JSON. */
export const ENTITIES: Record<string, { make: (body: string) => BodyInit | null; isRefused: boolean }> = {
  nothing: { make: () => null, isRefused: false },
  blanks: { make: () => " \n", isRefused: true },
  half: { make: (body) => body.slice(0, body.length / 2) || "{", isRefused: true },
  "all but its end": { make: (body) => body.slice(0, -1) || "{", isRefused: true },
  twice: { make: (body) => `${body || "{}"}${body || "{}"}`, isRefused: true },
  "an array of it": { make: (body) => `[${body}]`, isRefused: true },
  null: { make: () => "null", isRefused: true },
  "a string": { make: (body) => JSON.stringify(body), isRefused: true },
  "a form": { make: () => "title=a&slug=b", isRefused: true },
  "in UTF-16": { make: utf16, isRefused: true },
  "a byte that is no UTF-8": { make: () => bytesOf('{"a":"', 0xff, 0x22, 0x7d), isRefused: true },
  "a surrogate in UTF-8": { make: () => bytesOf('{"a":"', 0xed, 0xa0, 0x80, 0x22, 0x7d), isRefused: true },
  gzip: { make: () => Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0), isRefused: true },
  "a byte order mark before it": { make: (body) => `\uFEFF${body}`, isRefused: false },
  "blanks around it": { make: (body) => `\r\n ${body}\t`, isRefused: false },
  "a NUL behind it": { make: (body) => `${body}\0`, isRefused: true },
  "a comment behind it": { make: (body) => `${body}//`, isRefused: true },
  "as long as it may be": { make: (body) => body.padEnd(MAX_JSON_BYTES), isRefused: false },
  "broken off": { make: (body) => brokenOff(body.slice(0, -1) || "{", "Network connection lost."), isRefused: true },
  "too long": { make: (body) => body.padEnd(MAX_JSON_BYTES + 1), isRefused: true },
}

/** Returns a body that its sender aborts. */
export const brokenOff = (beginning: string, error: string): ReadableStream =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(beginning))
      controller.error(new Error(error))
    },
  })

const MULTIPART_TYPES = [
  ["multipart/form-data; boundary=edge", 'multipart/form-data; boundary="edge"', "Multipart/Form-Data; Boundary=edge"],
  ["multipart/form-data; charset=utf-16; boundary=edge", "multipart/form-data; boundary=other", "multipart/form-data"],
  ["multipart/form-data; boundary=", "multipart/form-data; boundary=edge; boundary=other"],
  ["multipart/mixed; boundary=edge", "application/json", "image/png", "application/x-www-form-urlencoded", ""],
].flat()

const DISPOSITIONS = [
  'form-data; name="file"; filename="a.png"',
  "form-data; name=file; filename=a.png",
  'form-data; name="file"; filename=""',
  'form-data; name="file"',
  'form-data; name="other"; filename="a.png"',
  'form-data; name="File"; filename="a.png"',
  'form-data; name=""; filename="a.png"',
  'form-data; name="__proto__"',
  'form-data; filename="a.png"',
  'attachment; name="file"; filename="a.png"',
  'form-data; name="file"; filename="../../\u00FF\u0000"',
  "form-data; name=\"file\"; filename*=UTF-8''%ff%fe",
  'form-data; name="file"; name="other"; filename="a.png"',
  'form-data; name="fi\r\n le"; filename="a.png"',
  `form-data; name="file"; filename="${"a".repeat(5000)}"`,
  "",
]

const part = fc.record<OddPart>({
  disposition: fc.constantFrom(...DISPOSITIONS),
  headers: fc
    .constantFrom("", "Content-Type: text/html", "Content-Transfer-Encoding: base64", "no header", "\0")
    .map((line) => line && `${line}\r\n`),
  content: fc.constantFrom("an image", "half an image", "", "text", "<svg/>", "--edge", "GIF89a"),
})

const parts = fc.record({
  in: fc.constant("parts" as const),
  type: fc.oneof(
    { weight: 2, arbitrary: fc.constant("multipart/form-data; boundary=edge") },
    fc.constantFrom(...MULTIPART_TYPES),
  ),
  parts: fc.array(part, { maxLength: 3 }),
  end: fc.constantFrom("--edge--\r\n", "--edge--", "--edge\r\n", ""),
})

/** Returns the changes that every seed tries at a place: nothing, null, other types, lengths at and over limits, invalid text. */
export const edgesOf = ({ in: where, name, schema }: Place): Change[] => {
  const { maxLength, maxItems } = schema
  const lengths = maxLength === undefined ? [] : [maxLength, maxLength + 1]
  const sized = lengths.map((length): Text => [["a", length]])
  if (where === "header") return [[""], ...sized].map((value) => ({ in: where, name, value }))
  if (where !== "body") return [[""], ["\0"], ...sized].map((value) => ({ in: where, name, value, isRaw: false }))
  const lists = maxItems === undefined ? [] : [maxItems, maxItems + 1]
  const full = lists.map((length): Text => ["[", ['"en",', length - 1], '"en"]'])
  const odd = ["null", "1", "{}", "[1]", '""', '"\\ud800"', '"a\\u0000"'].map((value): Text => [value])
  const all = [...odd, ...sized.map(inQuotes), ...full]
  return [[], ...all.map((value) => [value])].map((values) => ({ in: where, name, values }))
}

const changeAt = (place: Place): fc.Arbitrary<Change> => {
  if (place.in === "header") return headerNamed(place.name)
  return place.in === "body" ? fieldOf(place) : inAddress(place.in, place)
}

const UNKNOWN = ["surprise", "__proto__", "html"].map((name) => ({ name, schema: {} }))

/** Returns every possible change of a request for an operation, by name. */
export const changesOf = (operation: Documented): Record<string, fc.Arbitrary<Change>> => {
  const { method, places, credentials, contentType } = operation
  const isJson = contentType === "application/json"
  return {
    ...Object.fromEntries(places.map((place) => [`${place.in} ${place.name}`, changeAt(place)])),
    "other headers": fc.constantFrom(...HEADERS).chain(headerNamed),
    "unknown parameters": fc.constantFrom(...UNKNOWN).chain((place) => inAddress("query", place)),
    method: fc.constantFrom("HEAD", "OPTIONS", "PROPFIND").map((other) => ({ in: "method", method: other }) as const),
    ...(credentials && {
      credentials: fc
        .constantFrom(...CREDENTIALS[credentials])
        .map(([headers, isRight]) => ({ in: "credentials", headers, isRight }) as const),
    }),
    ...(isJson && { "unknown fields": fc.constantFrom(...UNKNOWN).chain(fieldOf) }),
    ...(method !== "GET" && {
      entity: fc.constantFrom(...Object.keys(ENTITIES)).map((name) => ({ in: "entity", name }) as const),
    }),
    ...(contentType === "multipart/form-data" && { parts }),
  }
}
