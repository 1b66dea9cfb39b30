import { type SQL, sql } from "drizzle-orm"
import {
  type AnySQLiteColumn,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core"

// A column, its property and its wire field have one name. Times are milliseconds since the epoch, UTC.
const time = () => integer({ mode: "timestamp_ms" })
const flag = () => integer({ mode: "boolean" })
const strings = () => text({ mode: "json" }).$type<string[]>()

/** The types of events of which webhooks tell. */
export const EVENT_TYPES = [
  "post.published",
  "post.updated",
  "post.unpublished",
  "post.deleted",
  "translation.ready",
  "translation.failed",
  "test",
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** The post of an event as it was then, without its texts. */
export interface EventData {
  id: string
  slug: string
  title: string | null
  status: PostStatus
  version: number
  published_at: number | null
  /** BCP 47 code of the text that it is about. */
  language: string
}

export type PaidSource = "operator" | "stripe"

/** The ways of machine translations to readers: at once, or held until the author approves them. */
export const TRANSLATION_REVIEWS = ["none", "hold"] as const
export type TranslationReview = (typeof TRANSLATION_REVIEWS)[number]

export const accounts = sqliteTable(
  "accounts",
  {
    id: text().primaryKey(),
    username: text().notNull().unique(),
    paid_until: time(),
    /** The source of the paid time; null: there is none. */
    paid_source: text().$type<PaidSource>(),
    /** The paid time that the operator set. It stays when Stripe's ends. */
    operator_paid_until: time(),
    restricted: flag().notNull().default(false),
    hidden: flag().notNull().default(false),
    primary_language: text().notNull(),
    translation_languages: strings().notNull(),
    /** By target language: how translations should sound, in one line. */
    translation_tones: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    /** Pages of machine translations say what they are. */
    shows_translation_note: flag().notNull().default(true),
    stored_bytes: integer().notNull().default(0),
    /** The sum of `text_bytes` of all posts. */
    text_bytes: integer().notNull().default(0),
    blog_title: text(),
    blog_description: text(),
    /** The author's name on pages, for posts without one. */
    author_name: text(),
    /** The host whose root is the blog, such as `blog.ann.example`; null: it is at `/@<username>/`. */
    blog_host: text().unique(),
    /** It has webhook endpoints, so that its writes queue events. */
    has_webhooks: flag().notNull().default(false),
    /** The IANA name of the zone in which the author's pages show and take times. */
    timezone: text().notNull().default("UTC"),
    translation_review: text().$type<TranslationReview>().notNull().default("none"),
    /** When its paused translations go on; null: none do. Each change by the operator or a payment sets it. */
    resumes_at: time(),
    created_at: time().notNull(),
    /** When it was erased; its rows are deleted since then. */
    erasing_at: time(),
  },
  (account) => [
    index("accounts_resuming")
      .on(account.resumes_at)
      .where(sql`${account.resumes_at} is not null`),
    index("accounts_erasing")
      .on(account.erasing_at)
      .where(sql`${account.erasing_at} is not null`),
  ],
)

/** Blogs whose lists the edge must drop: something that they named is withdrawn. Rows outlive an erased account. */
export const list_purges = sqliteTable("list_purges", {
  username: text().primaryKey(),
  /** The last withdrawal. */
  noted_at: time().notNull(),
})

/** The scopes of API keys: everything, only writing drafts, only reading published posts. */
export const SCOPES = ["publish", "draft", "read"] as const
export type Scope = (typeof SCOPES)[number]

export const api_keys = sqliteTable(
  "api_keys",
  {
    hash: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text().notNull().default("default"),
    scope: text().$type<Scope>().notNull().default("publish"),
    last_four: text().notNull(),
    created_at: time().notNull(),
    /** null: the key does not expire. */
    expires_at: time(),
    last_used_at: time(),
    revoked_at: time(),
  },
  (key) => [
    index("api_keys_account").on(key.account_id),
    uniqueIndex("api_keys_live")
      .on(key.account_id, key.name)
      .where(sql`${key.revoked_at} is null`),
  ],
)

/** One-time sign-in links, by the SHA-256 of their secret. */
export const sign_in_links = sqliteTable(
  "sign_in_links",
  {
    hash: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    expires_at: time().notNull(),
    /** The session that the link opened. */
    session_hash: text(),
  },
  (link) => [index("sign_in_links_account").on(link.account_id), index("sign_in_links_expiry").on(link.expires_at)],
)

/** Sessions, by the SHA-256 of the cookie's secret. */
export const sessions = sqliteTable(
  "sessions",
  {
    hash: text().primaryKey(),
    /** null: a session of the operator. */
    account_id: text().references(() => accounts.id, { onDelete: "cascade" }),
    /** The SHA-256 of the operator's token that opened the session; another token ends it. */
    token_hash: text(),
    user_agent: text().notNull(),
    created_at: time().notNull(),
    last_seen_at: time().notNull(),
    expires_at: time().notNull(),
  },
  (session) => [index("sessions_account").on(session.account_id), index("sessions_expiry").on(session.expires_at)],
)

/** All statuses of Stripe's subscriptions. */
export const SUBSCRIPTION_STATUSES = [
  "incomplete",
  "incomplete_expired",
  "trialing",
  "active",
  "past_due",
  "canceled",
  "unpaid",
  "paused",
] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

/** Subscriptions as Stripe reported them; each fact has the time of its newest report. */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    /** The id at Stripe. */
    id: text().primaryKey(),
    customer_id: text(),
    /** The account; null until the checkout event names it. */
    account_id: text().references(() => accounts.id, { onDelete: "cascade" }),
    status: text().$type<SubscriptionStatus>(),
    status_at: time(),
    /** The end of the last period in which it was in good standing. */
    period_end: time(),
    period_at: time(),
    /** The end of the period of the last paid invoice. */
    invoiced_until: time(),
    invoiced_at: time(),
    /** The paid time computed from these facts. */
    paid_until: time(),
    /** Rises with every write, for compare and swap. */
    revision: integer().notNull(),
    updated_at: time().notNull(),
  },
  (row) => [
    index("subscriptions_account").on(row.account_id),
    index("subscriptions_unbound")
      .on(row.updated_at)
      .where(sql`${row.account_id} is null`),
  ],
)

/** Ids of handled Stripe events, so that none is handled twice. */
export const stripe_events = sqliteTable(
  "stripe_events",
  { id: text().primaryKey(), handled_at: time().notNull() },
  (event) => [index("stripe_events_handled").on(event.handled_at)],
)

/** The audit log of the operator. Entries outlive the accounts that they name. */
export const operator_actions = sqliteTable(
  "operator_actions",
  {
    // A ULID of `at`, so that the primary key sorts by age.
    id: text().primaryKey(),
    at: time().notNull(),
    action: text().notNull(),
    username: text(),
    detail: text().notNull(),
    via: text().$type<"page" | "api">().notNull(),
  },
  (entry) => [index("operator_actions_username").on(entry.username, entry.id)],
)

/** Counts of refused requests, by account, day (UTC) and kind. */
export const abuse_counts = sqliteTable(
  "abuse_counts",
  {
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** RFC 3339 full-date. */
    day: text().notNull(),
    kind: text().notNull(),
    count: integer().notNull(),
  },
  (row) => [primaryKey({ columns: [row.account_id, row.day, row.kind] }), index("abuse_counts_day").on(row.day)],
)

/** Passkeys: public keys of WebAuthn credentials. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    /** The credential id, base64url. */
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** COSE, base64url. */
    public_key: text().notNull(),
    /** The signature counter. It stays 0 for passkeys on several devices. */
    counter: integer().notNull(),
    transports: strings().notNull(),
    name: text().notNull(),
    created_at: time().notNull(),
    last_used_at: time(),
  },
  (passkey) => [index("passkeys_account").on(passkey.account_id)],
)

export type ChallengePurpose = "register" | "sign_in"

/** WebAuthn challenges, by their SHA-256. Using one deletes the row. */
export const passkey_challenges = sqliteTable(
  "passkey_challenges",
  {
    hash: text().primaryKey(),
    /** null: the challenge of a sign-in. */
    account_id: text().references(() => accounts.id, { onDelete: "cascade" }),
    purpose: text().$type<ChallengePurpose>().notNull(),
    expires_at: time().notNull(),
  },
  (challenge) => [
    index("passkey_challenges_account").on(challenge.account_id),
    index("passkey_challenges_expiry").on(challenge.expires_at),
  ],
)

export type PostStatus = "DF" | "PB"

export const posts = sqliteTable(
  "posts",
  {
    // A ULID of created_at, so that the primary key sorts by age.
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    slug: text().notNull().unique(),
    status: text().$type<PostStatus>().notNull(),
    categories: strings().notNull(),
    tags: strings().notNull(),
    primary_language: text().notNull(),
    translation_languages: strings().notNull(),
    /** Rises with every effective change by a client. */
    version: integer().notNull(),
    /** Rises with every write to the post or its texts, for compare and swap. */
    revision: integer().notNull(),
    /** Rises when the source title, meta_description or body changes. */
    text_version: integer().notNull(),
    created_at: time().notNull(),
    updated_at: time().notNull(),
    /** Readers see a published post from this time on. */
    published_at: time(),
    /** An attached image, see `post_images`. */
    cover_image_id: text(),
    /** The words of the cover, which go with it: in place of it, and below it. */
    cover_alt: text(),
    cover_caption: text(),
    canonical_url: text(),
    author_name: text(),
    /** A client's own mark. */
    source: text(),
    /** null: as the account's. */
    translation_review: text().$type<TranslationReview>(),
    /** The secret of the preview's URL. null: a post of version 0.1 that was not saved since, or was never a draft. */
    preview_token: text(),
    preview_expires_at: time(),
    /** The bytes of the post, its labels and texts that count as stored text, as last counted. */
    text_bytes: integer().notNull().default(0),
    /** Some of a listed translation waits for approval, as last counted. */
    has_pending: flag().notNull().default(false),
    /** Lists and feeds show it; one that is not listed is a page at its address. */
    listed: flag().notNull().default(true),
    /** Its titles in all languages, one a line, as searches compare them. */
    folded_titles: text().notNull().default(""),
    /** The scheduled job folds them: they never were, or a title has changed by SQL since. */
    has_unfolded: flag().notNull().default(true),
  },
  (post) => [
    index("posts_account").on(post.account_id, post.id),
    index("posts_updated").on(post.account_id, post.updated_at),
    index("posts_source")
      .on(post.account_id, post.source, post.id)
      .where(sql`${post.source} is not null`),
    index("posts_drafts")
      .on(post.account_id, post.id)
      .where(sql`${post.status} = 'DF'`),
    index("posts_pending")
      .on(post.account_id, post.id)
      .where(sql`${post.has_pending} = 1`),
    index("posts_unfolded")
      .on(post.id)
      .where(sql`${post.has_unfolded} = 1`),
    index("posts_published")
      .on(post.account_id, post.published_at, post.id)
      .where(sql`${post.status} = 'PB'`),
    index("posts_listed")
      .on(post.account_id, post.published_at, post.id)
      .where(sql`${post.status} = 'PB' and ${post.listed} = 1`),
    uniqueIndex("posts_preview")
      .on(post.preview_token)
      .where(sql`${post.preview_token} is not null`),
  ],
)

export type LabelKind = "tag" | "category"

/** The tags and categories of posts, with what lists need of the post. */
export const post_labels = sqliteTable(
  "post_labels",
  {
    account_id: text().notNull(),
    kind: text().$type<LabelKind>().notNull(),
    label: text().notNull(),
    post_id: text()
      .notNull()
      .references(() => posts.id, { onDelete: "cascade" }),
    /** That of the post; `DF` for a page, which readers find by no label. */
    status: text().$type<PostStatus>().notNull(),
    published_at: time(),
  },
  (row) => [
    primaryKey({ columns: [row.account_id, row.kind, row.label, row.post_id] }),
    index("post_labels_published")
      .on(row.account_id, row.kind, row.label, row.published_at, row.post_id)
      .where(sql`${row.status} = 'PB'`),
    index("post_labels_post").on(row.post_id),
  ],
)

/** Redirects from addresses that a blog had before. */
export const redirects = sqliteTable(
  "redirects",
  {
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The old path with its query, in the form of `toOldPath`. */
    path: text().notNull(),
    /** The mark of the client that keeps it. */
    source: text().notNull(),
    /** The slug of a post, or a path. */
    target: text().notNull(),
  },
  (row) => [primaryKey({ columns: [row.account_id, row.path, row.source] })],
)

/** The terms of an account whose translation its author decides. */
export const glossary_terms = sqliteTable(
  "glossary_terms",
  {
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    term: text().notNull(),
    /** It stays as it is written in every language. */
    keep: flag().notNull(),
    /** Its translations by BCP 47 code. */
    translations: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
    note: text(),
  },
  (row) => [primaryKey({ columns: [row.account_id, row.term] })],
)

/** The addresses that hear of an account's events. */
export const webhook_endpoints = sqliteTable(
  "webhook_endpoints",
  {
    id: text().primaryKey(),
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    url: text().notNull(),
    created_at: time().notNull(),
    /** The first failure since the last success; null without one. */
    failing_since: time(),
    disabled_at: time(),
    /** It has answered 410, it has failed for days, or too much was waiting for it. */
    disabled_reason: text({ enum: ["gone", "failing", "flooded"] }),
    /** Encrypted; null: it is made of the operator's token, as for endpoints of earlier versions. */
    secret: text(),
    /** The one before the last rotation, encrypted. */
    old_secret: text(),
    rotated_at: time(),
    /** The run that delivers to it, until it ends or its lease does. After a failure there is a time alone, until which none begins. */
    lease: text(),
    leased_until: time(),
    /** When the scheduled job looks at it; null: there is nothing to do. A version that does not know it wakes the endpoint. */
    wake_at: time().default(sql`0`),
    /** The first scheduled publication, by time and post, that is not among its events; null: none is ahead. */
    next_at: time(),
    next_post: text(),
    /** Events since those that wait were last counted. */
    queued: integer().notNull().default(0),
  },
  (endpoint) => [
    uniqueIndex("webhook_endpoints_url").on(endpoint.account_id, endpoint.url),
    index("webhook_endpoints_wake").on(endpoint.wake_at),
  ],
)

/** Events, once for each endpoint. Those of a post are delivered in the order of their rowids. */
export const webhook_deliveries = sqliteTable(
  "webhook_deliveries",
  {
    /** The `webhook-id`, which is the same at all endpoints; it begins with the time of the write. */
    event_id: text().notNull(),
    endpoint_id: text()
      .notNull()
      .references(() => webhook_endpoints.id, { onDelete: "cascade" }),
    /** The post, which may be deleted by now; null for a test. */
    post_id: text(),
    type: text().$type<EventType>().notNull(),
    /** Empty for a test. */
    data: text({ mode: "json" }).$type<EventData>().notNull(),
    /** When it happens. */
    starts_at: time().notNull(),
    /** The next attempt; null once it is delivered or has failed. */
    due_at: time(),
    attempts: integer().notNull().default(0),
    /** The status of the last answer; null without an answer. */
    answer_status: integer(),
    /** When it was delivered or has failed. */
    finished_at: time(),
  },
  (row) => [
    primaryKey({ columns: [row.endpoint_id, row.event_id] }),
    index("webhook_deliveries_due")
      .on(row.endpoint_id, row.due_at)
      .where(sql`${row.due_at} is not null`),
    index("webhook_deliveries_order")
      .on(row.endpoint_id, row.post_id)
      .where(sql`${row.due_at} is not null`),
    index("webhook_deliveries_finished")
      .on(row.endpoint_id, row.finished_at)
      .where(sql`${row.due_at} is null`),
  ],
)

export type TextField = "title" | "meta_description" | "body"
export type TranslationStatus = "queued" | "running" | "ready" | "failed"
export interface CodedMessage {
  code: string
  message: string
}
/** A warning about a field of a translation. */
export type FieldWarning = CodedMessage & { field: TextField }

type Versions = Partial<Record<TextField, number>>

/** The fields of a translation that wait for approval, with what belongs to a body. */
export interface PendingFields extends Partial<Record<TextField, string>> {
  body_sha256?: string
  html?: string
}

/** One row for each language of a post. `versions[field]` is the text_version of the field; it is absent without the field. */
export const texts = sqliteTable(
  "texts",
  {
    post_id: text()
      .notNull()
      .references(() => posts.id, { onDelete: "cascade" }),
    lang_code: text().notNull(),
    title: text(),
    meta_description: text(),
    /** Ids of the account's images that the body shows. */
    image_ids: strings().notNull(),
    versions: text({ mode: "json" }).$type<Versions>().notNull(),
    edited: text({ mode: "json" }).$type<TextField[]>().notNull(),
    status: text().$type<TranslationStatus>().notNull(),
    /** The run that translates this text; null without a run, or after a client's change. */
    claim: text(),
    /** Failed attempts, without failures of the engine, which are postponed. */
    attempts: integer().notNull().default(0),
    postponed: integer().notNull().default(0),
    /** When the author asked for another translation; older segments are not reused. */
    retranslate_after: time(),
    due_at: time(),
    error: text({ mode: "json" }).$type<CodedMessage>(),
    warnings: text({ mode: "json" }).$type<FieldWarning[]>().notNull(),
    segments_done: integer().notNull().default(0),
    segments_total: integer().notNull().default(0),
    engine: text(),
    updated_at: time().notNull(),
    /** When title, meta_description or body last changed; `updated_at` also moves with the work of the engine. */
    changed_at: time().notNull(),
    /** The SHA-256 of the body in UTF-8, in hex; null without a body, or for one of version 0.1. */
    body_sha256: text(),
    // After the columns of lists, because SQLite reads a long row only as far as needed. What waits was added later.
    body: text(),
    html: text(),
    /** The `text_version` of each field that waits for approval; readers see only the fields of `versions`. */
    pending_versions: text({ mode: "json" }).$type<Versions>().notNull().default({}),
    /** The `image_ids` of a body that waits. */
    pending_image_ids: strings().notNull().default([]),
    pending_fields: text({ mode: "json" }).$type<PendingFields>(),
  },
  (row) => [
    primaryKey({ columns: [row.post_id, row.lang_code] }),
    index("texts_waiting")
      .on(row.due_at)
      .where(sql`${row.status} in ('queued', 'running')`),
    index("texts_pending")
      .on(row.post_id, row.lang_code)
      .where(sql`${row.pending_versions} <> '{}'`),
  ],
)

/** Requests with an Idempotency-Key, and their answers. */
export const idempotency_keys = sqliteTable(
  "idempotency_keys",
  {
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    key: text().notNull(),
    /** The SHA-256 of the request. */
    fingerprint: text().notNull(),
    // Two columns keep their first names: while a deployment renames one, the version before it still writes.
    /** The newest attempt. */
    attempt_id: text("try_id").notNull().default(""),
    /** The attempt may run until this time. */
    locked_until: time().notNull(),
    /** The id of the created post or image. */
    result_id: text("made"),
    /** The status of the answer; null until there is one. */
    status: integer(),
    headers: text({ mode: "json" }).$type<Record<string, string>>(),
    created_at: time().notNull(),
  },
  (row) => [primaryKey({ columns: [row.account_id, row.key] }), index("idempotency_keys_age").on(row.created_at)],
)

/** Translations of segments, by the SHA-256 of their tagged text. */
export const remembered_segments = sqliteTable(
  "remembered_segments",
  {
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    engine: text().notNull(),
    from_code: text().notNull(),
    to_code: text().notNull(),
    hash: text().notNull(),
    translation: text(),
    /** Failures since the last usable translation: 1 in a batch, 2 also alone. Then the segment is not retried. */
    failures: integer().notNull().default(0),
    made_at: time().notNull(),
    used_at: time().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.account_id, row.engine, row.from_code, row.to_code, row.hash] }),
    index("remembered_segments_used").on(row.used_at),
    index("remembered_segments_account").on(row.account_id, row.used_at),
    // An account may have many segments.
    index("remembered_failures")
      .on(row.account_id, row.to_code)
      .where(sql`${row.failures} > 0`),
  ],
)

/** Translated characters, by account and day (UTC). */
export const translated_characters = sqliteTable(
  "translated_characters",
  {
    account_id: text()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** RFC 3339 full-date. */
    day: text().notNull(),
    characters: integer().notNull(),
  },
  (row) => [primaryKey({ columns: [row.account_id, row.day] }), index("translated_characters_day").on(row.day)],
)

/** Leases: at most one translation run for each post. */
export const leases = sqliteTable(
  "leases",
  {
    post_id: text()
      .primaryKey()
      .references(() => posts.id, { onDelete: "cascade" }),
    token: text().notNull(),
    expires_at: time().notNull(),
  },
  (lease) => [index("leases_expiry").on(lease.expires_at)],
)

/** Posts with texts that wait without a `due_at`, until their account is served again or has characters left. */
export const paused_posts = sqliteTable(
  "paused_posts",
  {
    post_id: text()
      .primaryKey()
      .references(() => posts.id, { onDelete: "cascade" }),
    account_id: text().notNull(),
  },
  (row) => [index("paused_posts_account").on(row.account_id, row.post_id)],
)

/** Returns the SQL of the hash by which clients know an image: of the original, or of the uploaded bytes if none is known. */
export const originalOf = (image: Record<"original_sha256" | "source_sha256", AnySQLiteColumn>): SQL =>
  // drizzle-kit splits an index at the comma of `coalesce`.
  sql`case when ${image.original_sha256} is null then ${image.source_sha256} else ${image.original_sha256} end`

export const images = sqliteTable(
  "images",
  {
    id: text().primaryKey(),
    // No foreign key: rows outlive an erased account until their files are deleted.
    account_id: text().notNull(),
    bytes: integer().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    /** The smaller widths (pixels) in which it is also stored. */
    smaller_widths: text({ mode: "json" }).$type<number[]>().notNull().default([]),
    created_at: time().notNull(),
    expires_at: time().notNull(),
    /** The SHA-256 of the uploaded bytes, in hex; null for an image of version 0.1. */
    source_sha256: text(),
    /** The SHA-256 of the file from which the client made the uploaded bytes, in hex; null if it did not say. */
    original_sha256: text(),
    /** When its file was stored; null before, and for an image of version 0.1. */
    stored_at: time(),
    /** When the cleanup may delete it; null while a post shows it. */
    cleanup_at: time(),
    /** Set once: from then on it cannot be attached, and its file and row are deleted. */
    deleting_at: time(),
  },
  (image) => [
    index("images_cleanup")
      .on(image.cleanup_at)
      .where(sql`${image.cleanup_at} is not null`),
    index("images_account").on(image.account_id),
    index("images_kept")
      .on(image.account_id)
      .where(sql`${image.deleting_at} is null`),
    index("images_source")
      .on(image.account_id, image.source_sha256)
      .where(sql`${image.deleting_at} is null and ${image.source_sha256} is not null`),
    // The same bytes, made of the same file, are one image of an account.
    uniqueIndex("images_original")
      .on(image.account_id, originalOf(image), image.source_sha256)
      .where(sql`${image.deleting_at} is null and ${image.source_sha256} is not null`),
  ],
)

export const post_images = sqliteTable(
  "post_images",
  {
    post_id: text()
      .notNull()
      .references(() => posts.id, { onDelete: "cascade" }),
    image_id: text()
      .notNull()
      .references(() => images.id),
    /** The place among the listed images and those of the texts, from 0 on; -1 for an image that is only the cover. */
    position: integer().notNull(),
  },
  (link) => [primaryKey({ columns: [link.post_id, link.image_id] }), index("post_images_image").on(link.image_id)],
)

export type Account = typeof accounts.$inferSelect
export type Subscription = typeof subscriptions.$inferSelect
export type ApiKey = typeof api_keys.$inferSelect
export type Session = typeof sessions.$inferSelect
export type OperatorAction = typeof operator_actions.$inferSelect
export type AbuseCount = typeof abuse_counts.$inferSelect
export type Passkey = typeof passkeys.$inferSelect
export type PasskeyChallenge = typeof passkey_challenges.$inferSelect
/** Without what is read by searches alone. */
export type PostRow = Omit<typeof posts.$inferSelect, "folded_titles" | "has_unfolded">
export type TextRow = typeof texts.$inferSelect
export type Image = typeof images.$inferSelect
