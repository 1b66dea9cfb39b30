// What each route may cost, and the dearest requests that it accepts. Tests and benches send them.
import { formTo } from "../author-pages/forms.ts"
import { hookId, type Holdings, imageId, postId, slugOf } from "./fill.ts"

/** The classes of the price list. Of `in portions`, a job, a cursor or the next call does the rest. */
type Cost = "constant" | "in portions" | "the owner's whole"

type Caller = "reader" | "key" | "operator" | "author" | "operator's session"

/** A request. Its texts may have the placeholders of `placed`. */
export interface PricedRequest {
  as: Caller
  method: string
  path: string
  json?: unknown
  /** The fields of a form, or those that differ from the form on the page `on`. */
  form?: Record<string, string> | [string, string][]
  on?: string
  /** The part of a form that has an image. */
  file?: string
  headers?: Record<string, string>
  /** Is made by test/prices/measure.ts. */
  special?: string
  /** Tells it from others of the same path. */
  name?: string
  /** SQL that is run before. */
  prepare?: string[]
  /** SQL that is run afterwards. */
  tidy?: string[]
  /** It ends the account. */
  isLast?: true
  /** The status of the answer, if it is none of success. */
  status?: number
}

export interface Price {
  cost: Cost
  /** The limiter that the route has alone, or the cache before it. */
  limiter?: string
  /** The bounds of rows are those of a step, a call of D1. */
  isOfSteps?: true
  /** The most posts, texts, images, terms and the like that one call shows, checks or handles. */
  shows: number | ((has: Holdings) => number)
  /** Rows of the post or of the other thing that it writes, with its texts, labels and links. */
  own: number
  /** Calls of D1, those after the answer included. */
  trips: number
  /** Bytes of the answer, in KiB. */
  kb: number
  requests: PricedRequest[]
}

interface Bounds extends Partial<Omit<Price, "cost" | "requests">> {}

const price =
  (cost: Cost, trips: number) =>
  (bounds: Bounds, ...requests: PricedRequest[]): Price => ({
    cost,
    shows: 1,
    own: 0,
    trips,
    kb: 32,
    ...bounds,
    requests,
  })

const constant = price("constant", 4)
const portions = price("in portions", 6)
const ownersWhole = price("the owner's whole", 2000)

/** The place of a `limiter` of what the edge keeps for an hour. */
export const THE_EDGE = "the edge"

/** Rows that a call in portions may show or handle. */
const MAX_PORTION = 500

/** Returns the most rows that D1 may read and write for a call. */
export const boundsOf = ({ cost, shows, own }: Price, has: Holdings): { read: number; written: number } | null => {
  if (cost === "the owner's whole") return null
  const shown = typeof shows === "number" ? shows : shows(has)
  const most = cost === "in portions" ? MAX_PORTION : Infinity
  return { read: 8 * Math.min(shown, most) + 40, written: 5 + 4 * Math.min(own, most) }
}

const get = (as: Caller, path: string, more: Partial<PricedRequest> = {}): PricedRequest => ({
  as,
  method: "GET",
  path,
  ...more,
})
const reader = (path: string) => get("reader", path)
const blog = (path: string) => reader(`/@{user}/${path}`)
const API = "/api/blogcontroller/"
const read = (path: string) => get("key", API + path)
const write = (method: string, path: string, json?: unknown, more: Partial<PricedRequest> = {}): PricedRequest => ({
  as: "key",
  method,
  path: API + path,
  ...(json !== undefined && { json }),
  ...more,
})
const operate = (method: string, path: string, json?: unknown, more: Partial<PricedRequest> = {}): PricedRequest => ({
  as: "operator",
  method,
  path: `/operator/api/accounts/{user}/${path}`,
  ...(json !== undefined && { json }),
  ...more,
})
const settings = (path: string) => get("author", `/settings/${path}`)
type Fields = NonNullable<PricedRequest["form"]>
const save = (path: string, form: Fields, on?: string, more: Partial<PricedRequest> = {}): PricedRequest => ({
  as: "author",
  method: "POST",
  path: `/settings/${path}`,
  form,
  ...(on !== undefined && { on: `/settings/${on}` }),
  ...more,
})
const watch = (path: string) => get("operator's session", `/operator/${path}`)
const decide = (path: string, form: Fields, on?: string): PricedRequest => ({
  as: "operator's session",
  method: "POST",
  path: `/operator/accounts/{user}/${path}`,
  form,
  ...(on !== undefined && { on: `/operator/accounts/{user}/${on}` }),
})
const named = (name: string, request: PricedRequest): PricedRequest => ({ ...request, name })
/** The audit log of the last minutes is that of the requests before. */
const cron = (name: string, prepare: string[] = [], more: Partial<PricedRequest> = {}): PricedRequest =>
  special(name, { ...more, prepare: ["delete from operator_actions where at >= {now}", ...prepare] })
/** Without what other jobs would do. */
const alone = (name: string, prepare: string[]): PricedRequest =>
  cron(name, [
    "delete from webhook_deliveries",
    "update texts set due_at = {now} + 3600000 where status = 'queued'",
    ...prepare,
  ])
const special = (name: string, more: Partial<PricedRequest> = {}): PricedRequest => ({
  as: "reader",
  method: "",
  path: name,
  special: name,
  ...more,
})
const upload = (as: Caller, path: string): PricedRequest => ({ as, method: "POST", path, file: "file" })

const numbered = (name: string, most: number) => Array.from({ length: most }, (_, i) => `${name} ${i + 1}`)
const ABOUT =
  "What it is about, in as many words as a search engine shows below a title, so that nobody is warned of its length here."
/** A post with as many labels, images and languages as one may have. */
const LARGE = {
  title: "A large post",
  meta_description: ABOUT,
  body: "Some *words*. {long}",
  categories: numbered("category", 10),
  tags: numbered("tag", 20),
  image_ids: ["{image21}", "{image22}", "{image23}", "{image24}", "{image25}", "{image26}", "{image27}", "{image28}"],
  translation_languages: [
    "fr",
    "de",
    "es",
    "it",
    "pt",
    "nl",
    "sv",
    "da",
    "fi",
    "pl",
    "cs",
    "sk",
    "hu",
    "ro",
    "bg",
    "el",
    "tr",
    "uk",
    "lt",
    "lv",
  ],
}
/** Its rows: the post, 21 texts, 30 labels, 8 links and 8 images. An event goes to each of five endpoints. */
const LARGE_ROWS = 1 + 21 + 30 + 8 + 8 + 5
/** The rows of a post of the account: the post, four texts, 11 labels, a link and an image, and five events. */
const POST_ROWS = 1 + 4 + 11 + 1 + 1 + 5
const LANGUAGES = { lang_code: "en", primary_language: "en", translation_languages: ["fr", "de", "es"] }
const NEW_POST = { title: "New {new}", meta_description: ABOUT, body: "Some words.", categories: "news" }
/** A post with its texts and images, and its neighbours with theirs. */
const PAGE = 12
/** Posts of a list with a text and an image each. */
const list = (posts: number) => 3 * posts

const SOME_REDIRECTS = (target: string) =>
  Array.from({ length: 5000 }, (_, i) => ({ from: `/old/${i + 1}/`, to: target }))
const TERMS = numbered("words term", 500)
const ENTRIES = TERMS.map((term) => ({ term, translations: { fr: "des mots" } }))

const FOUR_ENDPOINTS = ["delete from webhook_endpoints where url = 'https://another.example/'"]

/** The SQL of many numbers. */
const MANY_NUMBERS = "with recursive number(n) as (select 1 union all select n + 1 from number where n < 5000)"

/** Every route, by its name in src/routes.ts, and the jobs. */
export const PRICES: Record<string, Price> = {
  "GET /docs/": constant({ shows: 0, trips: 0, kb: 256 }, reader("/docs/")),
  "GET /docs/errors/": constant({ shows: 0, trips: 0, kb: 64 }, reader("/docs/errors/")),
  "GET /docs/markdown/": constant({ shows: 0, trips: 0, kb: 64 }, reader("/docs/markdown/")),
  "GET /robots.txt": constant({ shows: 0, trips: 0 }, reader("/robots.txt")),
  "GET /": constant({ shows: 1, trips: 1 }, reader("/")),
  "GET /sitemap.xml": constant({ shows: 2, trips: 1 }, reader("/sitemap.xml")),
  "GET /healthz/": constant(
    { shows: 2, trips: 2 },
    { ...reader("/healthz/"), prepare: ["update accounts set paid_until = 0 where username = '{user}'"] },
  ),

  "GET /:author{(?:@|%40)[^/]+}/": constant(
    { shows: list(20), trips: 2 },
    blog(""),
    blog("?lang=fr"),
    { ...blog("?page=999999"), status: 404 },
    blog("?page=2&after={after1}"),
  ),
  "GET /:author{(?:@|%40)[^/]+}/tags/": ownersWhole({ trips: 1, kb: 256, limiter: THE_EDGE }, blog("tags/")),
  "GET /:author{(?:@|%40)[^/]+}/tags/:tag/": constant(
    { shows: list(20), trips: 1 },
    blog("tags/label%201/"),
    blog("tags/label%201/?lang=fr"),
    { ...blog("tags/label%201/?page=999999"), status: 404 },
    blog("tags/only%205/"),
  ),
  "GET /:author{(?:@|%40)[^/]+}/categories/:category/": constant(
    { shows: list(20), trips: 1 },
    blog("categories/news/"),
    blog("categories/news/?lang=es"),
    { ...blog("categories/news/?page=999999"), status: 404 },
  ),
  "GET /:author{(?:@|%40)[^/]+}/feed.atom": constant(
    { shows: list(30), trips: 1, kb: 1280 },
    blog("feed.atom"),
    blog("feed.atom?lang=fr"),
  ),
  "GET /:author{(?:@|%40)[^/]+}/feed.rss": constant({ shows: list(30), trips: 1, kb: 1280 }, blog("feed.rss?lang=de")),
  "GET /:author{(?:@|%40)[^/]+}/feed.json": constant(
    { shows: list(30), trips: 1, kb: 1280 },
    blog("feed.json?lang=es"),
  ),
  "GET /:author{(?:@|%40)[^/]+}/sitemap.xml": constant(
    {
      shows: ({ posts, translated }) => 2 * Math.min(50_000, posts + translated),
      trips: 1,
      kb: 10_000,
      limiter: THE_EDGE,
    },
    blog("sitemap.xml"),
  ),
  "GET /:author{(?:@|%40)[^/]+}/:slug/": constant({ shows: PAGE, trips: 2 }, blog("{p20}/"), {
    ...reader("http://blog.{user}.example/old/1/"),
    prepare: ["update accounts set blog_host = 'blog.{user}.example' where username = '{user}'"],
  }),
  "GET /:author{(?:@|%40)[^/]+}/:slug/:lang_code/": constant({ shows: PAGE, trips: 1 }, blog("{p20}/fr/")),
  "GET /:author{(?:@|%40)[^/]+}/:rest{.+}": constant({ shows: PAGE, trips: 1 }, { ...blog("a/b/c/d/"), status: 404 }),
  "GET /preview/:token/": constant({ shows: PAGE, trips: 2 }, special("preview")),
  "GET /preview/:token/:lang_code/": constant({ shows: PAGE, trips: 2 }, special("preview in another language")),
  "GET /media/:username/blog_img/:file": constant({ shows: 3, trips: 1 }, special("image")),

  "GET /api/blogcontroller/account/": constant({ shows: 1, trips: 1 }, read("account/")),
  "GET /api/blogcontroller/account/redirects/": constant(
    { shows: ({ redirects }) => redirects, trips: 2, kb: 1024, limiter: "EXPENSIVE_CALL_LIMITER" },
    read("account/redirects/"),
  ),
  "PUT /api/blogcontroller/account/redirects/": ownersWhole(
    { trips: 2, limiter: "EXPENSIVE_CALL_LIMITER" },
    named("5,000", write("PUT", "account/redirects/?source=s", { redirects: SOME_REDIRECTS("{p1}") })),
    named("the same", write("PUT", "account/redirects/?source=s", { redirects: SOME_REDIRECTS("{p1}") })),
    named("all changed", write("PUT", "account/redirects/?source=s", { redirects: SOME_REDIRECTS("{p2}") })),
    named("none", write("PUT", "account/redirects/?source=s", { redirects: [] })),
  ),
  "GET /api/blogcontroller/account/glossary/": constant(
    { shows: ({ terms }) => terms, trips: 2, kb: 1024 },
    read("account/glossary/"),
  ),
  "PATCH /api/blogcontroller/account/glossary/": portions(
    { shows: 500, own: 500, trips: 3, kb: 64, limiter: "EXPENSIVE_CALL_LIMITER" },
    named("500", write("PATCH", "account/glossary/", { entries: ENTRIES })),
    named("the same", write("PATCH", "account/glossary/", { entries: ENTRIES })),
    named("all removed", write("PATCH", "account/glossary/", { removed: TERMS })),
  ),
  "POST /api/blogcontroller/account/glossary/retranslate/": portions(
    { shows: 500, own: 500, trips: 6, limiter: "EXPENSIVE_CALL_LIMITER" },
    write("POST", "account/glossary/retranslate/?dry_run=true", { terms: numbered("zzz", 50) }),
    write("POST", "account/glossary/retranslate/", { terms: ["words"] }),
  ),
  "GET /api/blogcontroller/webhooks/": constant({ shows: 5, trips: 2 }, read("webhooks/")),
  "GET /api/blogcontroller/webhooks/deliveries/": constant(
    // Of each of five endpoints.
    { shows: 250, trips: 2, kb: 64 },
    read("webhooks/deliveries/"),
  ),
  "POST /api/blogcontroller/webhooks/": constant(
    { shows: 5, own: 1 },
    write("POST", "webhooks/", { url: "https://another.example/" }, { tidy: FOUR_ENDPOINTS }),
  ),
  // With what waits for it.
  "DELETE /api/blogcontroller/webhooks/:id/": ownersWhole(
    { trips: 4, limiter: "EXPENSIVE_CALL_LIMITER" },
    write("DELETE", "webhooks/{hook1}/"),
  ),

  "POST /api/blogcontroller/image-upload/": constant(
    { shows: 1, own: 1, trips: 5 },
    upload("key", `${API}image-upload/`),
  ),
  "GET /api/blogcontroller/images/": constant(
    { shows: 100, trips: 2, kb: 64 },
    read(`images/?source_sha256=${Array.from({ length: 100 }, (_, i) => String(i + 1).padStart(64, "0")).join(",")}`),
  ),
  "GET /api/blogcontroller/posts/": portions(
    { shows: 500, trips: 24, kb: 512, limiter: "READ_LIMITER", isOfSteps: true },
    read("posts/?limit=100"),
    read("posts/?limit=100&updated_since={ahead}"),
    read("posts/?limit=100&status=DF"),
    read("posts/?limit=100&status=PB"),
    read("posts/?limit=100&source=none"),
    read("posts/?limit=100&tag=label%201&category=none"),
    read("posts/?limit=100&tag=label%201&updated_since={ahead}"),
    read("posts/?limit=100&cursor={after40}&status=DF"),
    named("with a read key", { ...read("posts/?limit=100"), headers: { "X-API-KEY": "{readkey}" } }),
  ),
  "GET /api/blogcontroller/posts/:slug/": constant(
    { shows: PAGE, trips: 1 },
    read("posts/{p20}/"),
    read("posts/{p20}/?lang_code=fr"),
  ),
  "POST /api/blogcontroller/posts/": constant(
    { shows: LARGE_ROWS, own: LARGE_ROWS, trips: 5 },
    named("large", write("POST", "posts/", { ...LARGE, slug: "{new}", status: "PB" })),
    named("scheduled", write("POST", "posts/", { ...NEW_POST, slug: "{new}", status: "PB", published_at: "{ahead}" })),
    named(
      "with an Idempotency-Key",
      write(
        "POST",
        "posts/",
        { ...NEW_POST, slug: "{new}", status: "PB" },
        { headers: { "Idempotency-Key": "{new}" } },
      ),
    ),
  ),
  "PUT /api/blogcontroller/posts/:slug/": constant(
    { shows: LARGE_ROWS, own: LARGE_ROWS },
    named("large", write("PUT", "posts/{p1}/", { ...LARGE, status: "PB" })),
    named("a new post", write("PUT", "posts/{new}/", { ...LARGE, image_ids: [], status: "PB" })),
  ),
  "PATCH /api/blogcontroller/posts/:slug/": constant(
    { shows: LARGE_ROWS, own: LARGE_ROWS },
    named("large", write("PATCH", "posts/{p2}/", { ...LARGE, lang_code: "en", primary_language: "en" })),
    named("withdrawn", write("PATCH", "posts/{p3}/", { ...LANGUAGES, status: "DF" })),
    named(
      "another time",
      write("PATCH", "posts/{s1}/", { ...LANGUAGES, translation_languages: [], published_at: "{ahead}" }),
    ),
    named("a translation", write("PATCH", "posts/{p4}/", { ...LANGUAGES, lang_code: "fr", body: "Des mots." })),
  ),
  "PATCH /api/blogcontroller/:slug/": constant(
    { shows: LARGE_ROWS, own: LARGE_ROWS },
    write("PATCH", "{p5}/", { ...LANGUAGES, title: "Another" }),
  ),
  "DELETE /api/blogcontroller/posts/:slug/": constant(
    { shows: POST_ROWS, own: POST_ROWS },
    write("DELETE", "posts/{p6}/"),
    write("DELETE", "posts/{s2}/"),
  ),
  "POST /api/blogcontroller/posts/:slug/preview/": constant(
    { shows: PAGE, own: 1 },
    write("POST", "posts/{d1}/preview/"),
  ),
  "GET /api/blogcontroller/posts/:slug/translations/": constant(
    { shows: PAGE, trips: 1 },
    read("posts/{p20}/translations/"),
  ),
  "POST /api/blogcontroller/posts/:slug/translations/:lang_code/": constant(
    { shows: PAGE, own: 2 },
    write("POST", "posts/{p7}/translations/fr/", { discard_edits: ["title"] }),
  ),
  "POST /api/blogcontroller/posts/:slug/translations/:lang_code/approve/": constant(
    { shows: PAGE, own: 7 },
    write("POST", "posts/{p7}/translations/de/approve/", {}),
  ),
  "DELETE /api/blogcontroller/posts/:slug/translations/:lang_code/": constant(
    { shows: PAGE, own: 7 },
    write("DELETE", "posts/{p7}/translations/es/"),
  ),

  "GET /micropub/": portions(
    { shows: 1000, trips: 24, kb: 512, limiter: "READ_LIMITER", isOfSteps: true },
    get("key", "/micropub/?q=config"),
    get("key", "/micropub/?q=category"),
    get("key", "/micropub/?q=source&url={origin}/@{user}/{p20}/"),
    get("key", "/micropub/?q=source"),
    get("key", "/micropub/?q=source&post-status=draft&limit=1"),
    get("key", "/micropub/?q=source&post-status=published&after={after40}"),
    get("key", "/micropub/?q=source&post-status=draft&before={after40}"),
  ),
  "POST /micropub/": constant(
    { shows: POST_ROWS, own: POST_ROWS, trips: 8 },
    { as: "key", method: "POST", path: "/micropub/", form: { content: "Words of an app {new}." } },
    named("update", {
      as: "key",
      method: "POST",
      path: "/micropub/",
      json: { action: "update", url: "{origin}/@{user}/{p8}/", replace: { content: ["Other words."] } },
    }),
    named("delete", {
      as: "key",
      method: "POST",
      path: "/micropub/",
      json: { action: "delete", url: "{origin}/@{user}/{p8}/" },
    }),
    named("undelete", {
      as: "key",
      method: "POST",
      path: "/micropub/",
      json: { action: "undelete", url: "{origin}/@{user}/{p8}/" },
    }),
  ),
  "POST /micropub/media/": constant({ shows: 1, own: 1, trips: 5 }, upload("key", "/micropub/media/")),
  "POST /webhooks/stripe/": constant({ shows: 2, own: 3, trips: 6 }, special("stripe")),

  "GET /operator/api/accounts/:username/": constant({ shows: 10 }, operate("GET", "")),
  "PATCH /operator/api/accounts/:username/": constant(
    { shows: 10, own: 2 },
    named("restricted", operate("PATCH", "", { restricted: true })),
    named("hidden", operate("PATCH", "", { hidden: true })),
    named("blog_host", operate("PATCH", "", { blog_host: "blog.{user}.example" })),
    named("paid_until", operate("PATCH", "", { paid_until: "2098-01-01T00:00:00Z" })),
  ),
  "POST /operator/api/accounts/:username/keys/": constant(
    { shows: 10, own: 3 },
    operate("POST", "keys/", { name: "key-1" }),
  ),
  "DELETE /operator/api/accounts/:username/keys/:name/": constant(
    { shows: 10, own: 2 },
    operate("DELETE", "keys/key-1/"),
  ),
  "POST /operator/api/accounts/:username/sign-in-links/": constant(
    { shows: 2, own: 3 },
    operate("POST", "sign-in-links/"),
  ),

  "GET /operator/sign-in/": constant({ shows: 0, trips: 0 }, watch("sign-in/")),
  "POST /operator/sign-in/": constant({ shows: 50, own: 3 }, special("operator's sign-in")),
  "POST /operator/sign-out/": constant(
    { shows: 1, own: 1 },
    { as: "operator's session", method: "POST", path: "/operator/sign-out/", form: {} },
  ),
  "GET /operator/": constant({ shows: 50, kb: 64 }, watch(""), watch("?prefix=a")),
  "POST /operator/accounts/": constant(
    { shows: 1, own: 2 },
    {
      as: "operator's session",
      method: "POST",
      path: "/operator/accounts/",
      form: { username: "{new}", paid_until: "" },
    },
  ),
  "GET /operator/accounts/:username/": constant({ shows: 80, trips: 11, kb: 64 }, watch("accounts/{user}/")),
  "POST /operator/accounts/:username/sign-in-links/": constant(
    { shows: 80, own: 3, trips: 12, kb: 64 },
    decide("sign-in-links/", {}, ""),
  ),
  "POST /operator/accounts/:username/keys/": constant(
    { shows: 80, own: 3, trips: 13, kb: 64 },
    decide("keys/", { name: "key-2", scope: "publish", expires_at: "", replaced: "{keytime}" }),
  ),
  "POST /operator/accounts/:username/keys/revoke/": constant(
    { shows: 10, own: 2 },
    decide("keys/revoke/", { name: "key-3", replaced: "{keytime}" }),
  ),
  "POST /operator/accounts/:username/paid-until/": constant(
    { shows: 10, own: 2 },
    decide("paid-until/", { seen: String(Date.parse("2099-01-01")), months: "1" }),
  ),
  "POST /operator/accounts/:username/blog-host/": constant(
    { shows: 10, own: 2 },
    decide("blog-host/", { seen: "", blog_host: "blog.{user}.example" }),
  ),
  "POST /operator/accounts/:username/restricted/": constant(
    { shows: 10, own: 2 },
    decide("restricted/", { value: "true" }),
  ),
  "POST /operator/accounts/:username/hidden/": constant({ shows: 10, own: 2 }, decide("hidden/", { value: "true" })),
  "POST /operator/accounts/:username/unpublish/": constant(
    { shows: POST_ROWS, own: POST_ROWS, trips: 6 },
    decide("unpublish/", { slug: "{p9}" }),
  ),
  "POST /operator/accounts/:username/posts/unpublish/": constant(
    { shows: POST_ROWS, own: POST_ROWS, trips: 6 },
    decide("posts/unpublish/", { slug: "{p10}" }),
  ),
  "GET /operator/accounts/:username/posts/": constant(
    { shows: 500, trips: 24, kb: 64, isOfSteps: true },
    watch("accounts/{user}/posts/"),
    watch("accounts/{user}/posts/?state=published"),
    watch("accounts/{user}/posts/?q=nothinghere"),
    watch("accounts/{user}/posts/?state=draft"),
  ),
  "GET /operator/audit-log/": constant(
    { shows: 50, kb: 64 },
    watch("audit-log/"),
    watch("audit-log/?username={user}"),
    watch("audit-log/?username=nothing"),
  ),

  "GET /sign-in/": constant({ shows: 0, trips: 0 }, reader("/sign-in/")),
  "GET /sign-in/:secret/": constant({ shows: 1, trips: 1 }, special("sign-in link")),
  "POST /sign-in/:secret/": constant({ shows: 50, own: 3 }, special("sign-in")),
  "POST /sign-in/passkey/options/": constant({ shows: 1, own: 1 }, special("options of a sign-in")),
  "POST /sign-in/passkey/verify/": constant({ shows: 50, own: 4 }, special("sign-in by a passkey")),
  "POST /settings/passkeys/options/": constant({ shows: 10, own: 1 }, special("options of a passkey")),
  "POST /settings/passkeys/verify/": constant({ shows: 10, own: 2 }, special("new passkey")),
  "POST /settings/passkeys/remove/": constant({ shows: 10, own: 1 }, save("passkeys/remove/", { passkey: "{user}-1" })),
  "POST /sign-out/": constant({ shows: 1, own: 1 }, { as: "author", method: "POST", path: "/sign-out/", form: {} }),

  // It checks whether the first 501 posts with their images fit one archive.
  "GET /settings/": constant({ shows: 620, trips: 8, kb: 128 }, settings("")),
  "GET /settings/keys/": constant({ shows: 10 }, settings("keys/")),
  "POST /settings/keys/": constant(
    { shows: 10, own: 3 },
    save("keys/", { name: "key-4", scope: "publish", expires_at: "", replaced: "{keytime}" }),
  ),
  "GET /settings/keys/again/": constant({ shows: 1 }, settings("keys/again/")),
  "POST /settings/keys/revoke/": constant(
    { shows: 10, own: 2 },
    save("keys/revoke/", { name: "key-5", replaced: "{keytime}" }),
  ),
  "POST /settings/languages/": constant(
    { shows: 2, own: 2 },
    save("languages/", { primary_language: "de", translation_languages: "fr, it" }, ""),
  ),
  "POST /settings/blog/": constant({ shows: 2, own: 2 }, save("blog/", { blog_title: "The bay" }, "")),
  "POST /settings/sessions/end/": constant({ shows: 2, own: 1 }, save("sessions/end/", { session: "{session1}" })),
  "GET /settings/sessions/end-all/": constant({ shows: 20 }, settings("sessions/end-all/")),
  "POST /settings/sessions/end-all/": constant(
    { shows: 70, own: 70 },
    save("sessions/end-all/", [
      ["key", "key-6"],
      ["key", "key-7"],
      ["passkey", "{user}-2"],
    ]),
  ),
  "GET /settings/export/parts/": ownersWhole(
    { trips: 3, limiter: "EXPENSIVE_CALL_LIMITER" },
    settings("export/parts/"),
    settings("export/parts/?cursor={after1}&part=2"),
  ),
  "GET /settings/export/": ownersWhole(
    { shows: 500, kb: 1_000_000, limiter: "EXPENSIVE_CALL_LIMITER" },
    settings("export/"),
  ),
  "GET /settings/erase/": constant({ shows: 15 }, settings("erase/")),
  "GET /settings/translations/": constant({ shows: 1 }, settings("translations/")),
  "POST /settings/translations/tones/": constant(
    { shows: 1, own: 2 },
    save("translations/tones/", { "translation_tones.de": "Sie, formal" }, "translations/", {
      prepare: ["update accounts set translation_languages = '[\"de\"]' where username = '{user}'"],
    }),
  ),
  "POST /settings/translations/review/": constant(
    { shows: 1, own: 2 },
    save("translations/review/", { translation_review: "hold" }, "translations/"),
  ),
  "POST /settings/translations/note/": constant(
    { shows: 1, own: 2 },
    save("translations/note/", { shows_translation_note: "" }, "translations/"),
  ),
  "GET /settings/posts/new/": constant({ shows: PAGE }, settings("posts/new/")),
  "POST /settings/posts/new/": constant(
    { shows: POST_ROWS, own: POST_ROWS, trips: 6 },
    save("posts/new/", { title: "New {new}", body: "Some words.", action: "publish" }, "posts/new/"),
  ),
  "POST /settings/posts/new/preview/": constant(
    { shows: POST_ROWS, trips: 6 },
    save("posts/new/preview/", { title: "New {new}", body: "Some words." }, "posts/new/"),
  ),
  "GET /settings/posts/new/preview/": constant({ shows: PAGE }, settings("posts/new/preview/")),
  "POST /settings/images/": constant({ shows: 1, own: 1, trips: 6 }, upload("author", "/settings/images/")),
  "GET /settings/posts/:slug/images/": constant({ shows: PAGE }, settings("posts/{p20}/images/")),
  "POST /settings/posts/:slug/images/": constant(
    { shows: POST_ROWS, own: POST_ROWS, trips: 12 },
    upload("author", "/settings/posts/{p11}/images/"),
  ),
  "GET /settings/posts/": portions(
    { shows: 500, trips: 26, kb: 64, limiter: "READ_LIMITER", isOfSteps: true },
    settings("posts/"),
    settings("posts/?state=draft"),
    settings("posts/?state=scheduled"),
    settings("posts/?state=scheduled&cursor={scheduled}"),
    settings("posts/?state=published"),
    settings("posts/?q=nothinghere"),
    settings("posts/?q=Title"),
    named("before titles are folded", {
      ...settings("posts/?q=no%20such%20words%20in%20a%20title"),
      prepare: ["update posts set has_unfolded = 1 where account_id = {account}"],
      tidy: ["update posts set has_unfolded = 0 where account_id = {account}"],
    }),
  ),
  "GET /settings/posts/:slug/": constant(
    { shows: PAGE, trips: 6, kb: 64 },
    settings("posts/{p20}/"),
    settings("posts/{p20}/?lang=de"),
    settings("posts/{p20}/?done=saved"),
  ),
  "POST /settings/posts/:slug/": constant(
    { shows: POST_ROWS, own: POST_ROWS, trips: 8 },
    save("posts/{p12}/", { title: "Another", action: "publish" }, "posts/{p12}/"),
  ),
  "POST /settings/posts/:slug/preview/": constant(
    { shows: POST_ROWS, trips: 6 },
    save("posts/{p13}/preview/", { title: "Another" }, "posts/{p13}/"),
  ),
  "GET /settings/posts/:slug/preview/": constant({ shows: 1 }, settings("posts/{p20}/preview/")),
  "GET /settings/posts/:slug/schedule/": constant({ shows: PAGE }, settings("posts/{d2}/schedule/")),
  "POST /settings/posts/:slug/schedule/": constant(
    { shows: POST_ROWS, own: POST_ROWS, trips: 6 },
    save("posts/{d2}/schedule/", { published_at: "{aheadlocal}" }, "posts/{d2}/schedule/"),
  ),
  "GET /settings/posts/:slug/delete/": constant({ shows: PAGE }, settings("posts/{p20}/delete/")),
  "POST /settings/posts/:slug/delete/": constant(
    { shows: POST_ROWS, own: POST_ROWS, trips: 6 },
    save("posts/{p14}/delete/", {}, "posts/{p14}/delete/"),
  ),
  "POST /settings/posts/:slug/translations/:lang_code/": constant(
    { shows: PAGE, own: 2, trips: 6 },
    save("posts/{p15}/translations/fr/", {}, undefined, {
      prepare: [
        "update texts set status = 'failed', error = '{\"code\":\"x\",\"message\":\"x\"}' where post_id = '{id15}' and lang_code = 'fr'",
      ],
    }),
  ),
  "GET /settings/posts/:slug/translations/:lang_code/": constant(
    { shows: 1 },
    settings("posts/{p20}/translations/fr/"),
  ),
  "POST /settings/posts/:slug/translations/:lang_code/approve/": constant(
    { shows: PAGE, own: 7, trips: 6 },
    save("posts/{p16}/translations/de/approve/", {}, "posts/{p16}/?lang=de"),
  ),
  "GET /settings/posts/:slug/translations/:lang_code/approve/": constant(
    { shows: 1 },
    settings("posts/{p20}/translations/de/approve/"),
  ),
  "POST /settings/translations/approve/": portions(
    // The text and its post, and an event for each of four endpoints.
    { shows: 500, own: 500, limiter: "EXPENSIVE_CALL_LIMITER" },
    save("translations/approve/", { lang_code: "de", seen: "{now}" }),
    named("of a language that none has", save("translations/approve/", { lang_code: "it", seen: "{now}" })),
  ),
  "GET /settings/translations/approve/": constant({ shows: 1 }, settings("translations/approve/")),
  "GET /settings/webhooks/": constant({ shows: 255, kb: 64 }, settings("webhooks/")),
  "POST /settings/webhooks/": constant(
    { shows: 5, own: 1 },
    save("webhooks/", { url: "https://another.example/" }, undefined, { tidy: FOUR_ENDPOINTS }),
  ),
  "GET /settings/webhooks/again/": constant({ shows: 1 }, settings("webhooks/again/")),
  "POST /settings/webhooks/rotate/": constant(
    { shows: 5, own: 1 },
    save("webhooks/rotate/", { id: "{hook3}", seen: "0" }),
  ),
  "POST /settings/webhooks/delete/": ownersWhole(
    { trips: 4, limiter: "EXPENSIVE_CALL_LIMITER" },
    save("webhooks/delete/", { id: "{hook2}" }),
  ),
  "POST /settings/webhooks/test/": constant({ shows: 5, own: 1 }, save("webhooks/test/", { id: "{hook3}" })),
  "POST /settings/webhooks/send-again/": constant(
    { shows: 5, own: 2 },
    save("webhooks/send-again/", { id: "{hook3}", event: "evt_00000000000000000000000001" }, undefined, {
      prepare: [
        "update webhook_deliveries set due_at = null, finished_at = {now} where endpoint_id = '{hook3}' and event_id = 'evt_00000000000000000000000001'",
      ],
    }),
  ),
  "GET /settings/glossary/": portions(
    { shows: 500, trips: 4, limiter: "EXPENSIVE_CALL_LIMITER", kb: 1024 },
    settings("glossary/?term=words&find=on"),
  ),
  "POST /settings/glossary/": constant(
    { shows: ({ terms }) => terms, own: 1 },
    save("glossary/", { term: "words term 1", replaced: "words term 1", translations: "fr: d'autres mots" }),
  ),
  "POST /settings/glossary/retranslate/": portions(
    { shows: 500, own: 500, trips: 6, limiter: "EXPENSIVE_CALL_LIMITER" },
    save("glossary/retranslate/", { sought: "words", after: "" }),
  ),
  "job: the minute's, what is due": portions(
    { shows: 500, own: 100, trips: 120 },
    cron("cron", ["delete from passkey_challenges"]),
  ),
  "job: the minute's, of a lapsed account": portions(
    // It leaves what waits alone, ten posts a step.
    { shows: 20, own: 20, trips: 240 },
    cron("cron", ["delete from passkey_challenges", "update accounts set paid_until = 0 where username = '{user}'"]),
  ),
  "queue: a translation": constant(
    { shows: ({ terms }) => terms + PAGE, own: 12, trips: 12 },
    special("a translation"),
  ),
  "queue: webhooks that fail": portions({ shows: 60, own: 100, trips: 60 }, special("webhooks")),
  "queue: webhooks, more than an endpoint may have": portions(
    { shows: 500, own: 500, trips: 60 },
    special("webhooks", {
      prepare: [
        `insert into webhook_deliveries (event_id, endpoint_id, post_id, type, data, starts_at, due_at) with recursive
          number(n) as (select 1 union all select n + 1 from number where n < 10000)
          select 'more ' || n, '{hook3}', null, 'test', '{}', {now} - 1, {now} - 1 from number`,
      ],
    }),
  ),
  "job: the minute's, expired sessions": portions(
    { shows: 500, own: 500, trips: 40 },
    alone("cron", ["update sessions set expires_at = 1 where account_id = {account}"]),
  ),
  "job: the minute's, expired challenges": portions(
    { shows: 500, own: 500, trips: 40 },
    alone("cron", [
      `insert into passkey_challenges (hash, purpose, expires_at) ${MANY_NUMBERS} select 'c' || n, 'sign_in', 1 from number`,
    ]),
  ),
  "job: the minute's, old counts of refusals": portions(
    { shows: 500, own: 500, trips: 40 },
    alone("cron", [
      `insert into abuse_counts (account_id, day, kind, count) ${MANY_NUMBERS} select {account}, '2020-01-01', n, 1 from number`,
    ]),
  ),
  "job: the minute's, titles to be folded": portions(
    { shows: 500, own: 500, trips: 60 },
    {
      ...alone("cron", ["update posts set has_unfolded = 1 where account_id = {account}"]),
      tidy: ["update posts set has_unfolded = 0 where account_id = {account}"],
    },
  ),
  "job: the minute's, old segments": portions(
    { shows: 500, own: 500, trips: 60 },
    alone("cron", ["update remembered_segments set used_at = 1 where account_id = {account}"]),
  ),
  "job: the minute's, old attempts": portions(
    { shows: 500, own: 500, trips: 60 },
    alone("cron", ["update idempotency_keys set created_at = 1 where account_id = {account}"]),
  ),
  "job: the minute's, old entries of the audit log": portions(
    { shows: 500, own: 500, trips: 60 },
    alone("cron", [
      "update operator_actions set at = 1, id = '00' || substr(id, 3) where username = '{user}' and action = 'set_account'",
    ]),
  ),
  "job: the minute's, expired images": portions(
    { shows: 500, own: 500, trips: 60 },
    alone("cron", [
      "delete from post_images where post_id in (select id from posts where account_id = {account})",
      "update images set cleanup_at = 1 where account_id = {account}",
    ]),
  ),
  // All that it remembers, once a day.
  "job: the daily ones, too many segments": ownersWhole(
    { trips: 60 },
    alone("daily cron", [
      "insert or ignore into translated_characters (account_id, day, characters) values ({account}, '{today}', 1)",
      `insert into remembered_segments (account_id, engine, from_code, to_code, hash, made_at, used_at) ${MANY_NUMBERS}
        select {account}, 'pseudo', 'en', 'de', 'more ' || n, {now}, {now} - n from number`,
    ]),
  ),
  // The first steps of the job come after the answer.
  "POST /settings/erase/": constant(
    { shows: 500, own: 500, trips: 80, isOfSteps: true },
    save("erase/", { username: "{user}" }, undefined, { isLast: true }),
  ),
  "DELETE /operator/api/accounts/:username/": constant(
    { shows: 500, own: 500, trips: 80, isOfSteps: true },
    operate("DELETE", "", undefined, { isLast: true }),
  ),
  "job: the minute's, an erased account": portions(
    { shows: 500, own: 500, trips: 120 },
    cron("cron", [], { isLast: true }),
  ),
}

/** An account, and what its requests need. */
export interface Scene {
  origin: string
  username: string
  /** As in `fillStatements`. */
  account: number
  has: Holdings
  now: number
  key: string
  readKey: string
  /** The headers of the operator's API. */
  operator: Record<string, string>
  /** The values of the header `Cookie`. */
  cookies: { author: string; operator: string }
  image: Uint8Array<ArrayBuffer>
}

let news = 0

/** Returns a text with its placeholders replaced: `{user}`; `{p1}`, `{d1}`, `{s1}` for the slugs of posts; `{new}` for a new name. */
export const placed = (text: string, scene: Scene): string => {
  const { username, account, has, now } = scene
  const { drafts, posts } = has
  const cursorOf = (n: number) => btoa(postId(account, n)).replaceAll("=", "")
  const values: Record<string, (n: number) => string> = {
    user: () => username,
    origin: () => scene.origin,
    account: () => `(select id from accounts where username = '${username}')`,
    readkey: () => scene.readKey,
    p: (n) => slugOf(username, drafts + n),
    d: (n) => slugOf(username, n),
    s: (n) => slugOf(username, drafts + posts + n),
    id: (n) => postId(account, drafts + n),
    after: (n) => cursorOf(drafts + n),
    scheduled: () => cursorOf(drafts + posts + 1),
    image: (n) => imageId(account, n),
    hook: (n) => hookId(username, Math.min(n, has.endpoints)),
    session: (n) => `${String(account).padStart(3, "0")}${String(n).padStart(61, "0")}`,
    now: () => String(now),
    today: () => new Date(now).toISOString().slice(0, 10),
    keytime: () => String(now - 60_000),
    ahead: () => new Date(now + 3_600_000).toISOString(),
    aheadlocal: () => new Date(now + 3_600_000).toISOString().slice(0, 16),
    long: () => "word ".repeat(2000),
    new: () => `new-${username}-${(news += 1)}`,
  }
  // Matches `{p12}` and `{user}`. Does not match `{"title":…}`.
  return text.replaceAll(/\{([a-z]+)(\d*)\}/g, (whole, name: string, n: string) => values[name]?.(Number(n)) ?? whole)
}

/** Sends a request to the service, without following redirects. */
export type Send = (path: string, init: RequestInit) => Promise<Response>

const credentialsOf = ({ as, method }: PricedRequest, scene: Scene): Record<string, string> => {
  if (as === "key") return { "X-API-KEY": scene.key }
  if (as === "operator") return scene.operator
  if (as === "reader") return { Accept: "text/html" }
  const Cookie = as === "author" ? scene.cookies.author : scene.cookies.operator
  return {
    Cookie,
    Accept: "text/html",
    ...(method === "POST" && { Origin: scene.origin, "Sec-Fetch-Site": "same-origin" }),
  }
}

/** Returns what `send` needs for a request. A form that a page shows is read from there first. @param open reads the page */
export const initOf = async (
  request: PricedRequest,
  scene: Scene,
  open: Send,
): Promise<[path: string, RequestInit]> => {
  const { method, json, form, on, file, headers = {} } = request
  const path = placed(request.path, scene)
  const credentials = credentialsOf(request, scene)
  const all = Object.fromEntries(
    Object.entries({ ...credentials, ...headers }).map(([name, value]) => [name, placed(value, scene)]),
  )
  if (json !== undefined)
    return [
      path,
      { method, headers: { ...all, "Content-Type": "application/json" }, body: placed(JSON.stringify(json), scene) },
    ]
  if (file !== undefined) {
    const body = new FormData()
    body.append(file, new File([scene.image], "image.png"))
    return [path, { method, headers: all, body }]
  }
  if (form === undefined) return [path, { method, headers: all }]
  const typed = (Array.isArray(form) ? form : Object.entries(form)).map(([name, value]) => [name, placed(value, scene)])
  if (on === undefined) return [path, { method, headers: all, body: new URLSearchParams(typed) }]
  const page = await open(placed(on, scene), {
    method: "GET",
    headers: credentialsOf({ ...request, method: "GET" }, scene),
  })
  const shown = formTo(await page.text(), path.replace(/preview\/$/, ""))
  return [path, { method, headers: all, body: new URLSearchParams({ ...shown, ...Object.fromEntries(typed) }) }]
}
