import { encodeTime } from "ulid"

// Fills an account by SQL, in tests and benches: by the API it would take days.

/** The numbers of rows that an account gets. */
export interface Holdings {
  /** Published posts. */
  posts: number
  /** Labels of each published post: a category and tags, the last of which no other post has. */
  labels: number
  /** Posts that are published later. They are the newest. */
  scheduled: number
  /** Posts that were not published. They are the oldest. */
  drafts: number
  /** Posts with a translation by an engine (fr), one that waits for approval (de) and one that waits for its engine (es). */
  translated: number
  /** Images, of which each of the first posts shows one. */
  images: number
  redirects: number
  terms: number
  endpoints: number
  /** Deliveries that are due, to each endpoint. */
  deliveries: number
  /** Remembered segments, sessions, keys and passkeys. */
  segments: number
  sessions: number
  keys: number
  passkeys: number
  /** Requests with an Idempotency-Key, and entries of the audit log. */
  attempts: number
  actions: number
  /** Bytes of each body. */
  body: number
}

/** As little as a request for each route needs. */
export const SMALL: Holdings = {
  posts: 40,
  labels: 11,
  scheduled: 2,
  drafts: 4,
  translated: 40,
  images: 30,
  redirects: 2,
  terms: 2,
  endpoints: 4,
  deliveries: 2,
  segments: 2,
  sessions: 2,
  keys: 7,
  passkeys: 7,
  attempts: 2,
  actions: 2,
  body: 500,
}

/** Fills every quota. The bodies have 128 MiB together. */
export const FULL: Holdings = {
  posts: 20_000,
  labels: 11,
  scheduled: 80_000,
  drafts: 4,
  translated: 3000,
  images: 10_000,
  redirects: 5000,
  terms: 500,
  endpoints: 4,
  // What the measured requests add fits beside them: with more than 10,000 an endpoint is switched off.
  deliveries: 9500,
  segments: 50_000,
  sessions: 48,
  keys: 7,
  passkeys: 7,
  attempts: 20_000,
  actions: 10_000,
  body: 1200,
}

/** A tenth of each quota: what grows with an account is above its bound here as well. */
export const MANY: Holdings = {
  ...SMALL,
  posts: 2000,
  scheduled: 8000,
  translated: 300,
  images: 1000,
  redirects: 500,
  terms: 500,
  deliveries: 1000,
  segments: 5000,
  sessions: 48,
  attempts: 2000,
  actions: 1000,
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Returns the id of a post of the account with a number: a ULID, the older ones first. */
export const postId = (account: number, n: number): string =>
  `01J${String(account).padStart(3, "0")}0${String(n).padStart(19, "0")}`
export const imageId = (account: number, n: number): string =>
  `01J${String(account).padStart(3, "0")}1${String(n).padStart(19, "0")}`
/** Returns the slug of a post: the drafts have the first numbers, then come published and scheduled posts. */
export const slugOf = (username: string, n: number): string => `${username}-${n}`
export const hookId = (username: string, n: number): string => `${username}-hook-${n}`

interface Filled {
  username: string
  /** Tells the rows of the accounts apart: 0 to 999. */
  account: number
  /** In milliseconds since the epoch. */
  now: number
}

const ALL = JSON.stringify({ title: 1, meta_description: 1, body: 1 })

/** Returns the SQL of the numbers 1 to `most`. */
const count = (most: number) =>
  `with recursive number(n) as (select 1 union all select n + 1 from number where n < ${most})`

/** Returns an insert of rows with the numbers 1 to `most`, or nothing. */
const rows = (most: number, table: string, columns: Record<string, string>, rest = ""): string[] =>
  most === 0
    ? []
    : [
        `insert into "${table}" (${Object.keys(columns).join(", ")}) ${count(most)} select ${Object.values(columns).join(", ")} from number ${rest}`,
      ]

/** Returns the statements that give an account rows. Each takes no parameters. */
export const fillStatements = ({ username, account, now }: Filled, has: Holdings): string[] => {
  const owner = `(select id from accounts where username = '${username}')`
  const prefix = String(account).padStart(3, "0")
  const post = (n: string) => `printf('01J${prefix}0%019d', ${n})`
  const image = (n: string) => `printf('01J${prefix}1%019d', ${n})`
  const slug = (n: string) => `'${username}-' || ${n}`
  const { drafts, posts, scheduled, labels } = has
  const published = `n > ${drafts} and n <= ${drafts + posts}`
  const tags = Array.from({ length: Math.max(0, labels - 2) }, (_, i) => `'label ${i + 1}'`)
  const at = `case when n <= ${drafts} then null when ${published} then ${now} - (${drafts + posts} - n + 1) * ${MINUTE}
    else ${now + DAY} + (n - ${drafts + posts}) * ${MINUTE} end`
  const first = `n <= ${drafts + has.translated}`
  const text = (lang: string, more: Record<string, string> = {}): Record<string, string> => ({
    post_id: post("n"),
    lang_code: `'${lang}'`,
    title: `'Title ' || n`,
    meta_description: "'What it is about.'",
    body: `printf('Some words of post %d. %.*c', n, ${has.body}, 'x')`,
    html: `'<p>Some words of post ' || n || '.</p>'`,
    image_ids: "'[]'",
    versions: `'${ALL}'`,
    edited: "'[]'",
    status: "'ready'",
    warnings: "'[]'",
    updated_at: `${now - 1000 * MINUTE}`,
    changed_at: `${now - 1000 * MINUTE}`,
    ...more,
  })
  const translation = { engine: "'pseudo'" }
  const nothing = { title: "null", meta_description: "null", body: "null", html: "null", versions: "'{}'" }
  const held = {
    ...translation,
    ...nothing,
    pending_versions: `'${ALL}'`,
    pending_fields: `json_object('title', 'Titel', 'meta_description', 'Worum es geht.', 'body', 'Worte.', 'html', '<p>Worte.</p>')`,
  }
  const queued = { ...nothing, status: "'queued'", due_at: `${now - 10 * MINUTE}` }
  const label = (kind: string, value: string) =>
    rows(
      posts === 0 ? 0 : drafts + posts,
      "post_labels",
      { account_id: owner, kind: `'${kind}'`, label: value, post_id: post("n"), status: "'PB'", published_at: at },
      `where n > ${drafts}`,
    )
  return [
    ...rows(drafts + posts + scheduled, "posts", {
      id: post("n"),
      account_id: owner,
      slug: slug("n"),
      status: `case when n <= ${drafts} then 'DF' else 'PB' end`,
      categories: `'["news"]'`,
      tags:
        labels < 2
          ? `'[]'`
          : `case when ${published} then json_array(${[...tags, `'only ' || n`].join(", ")}) else '[]' end`,
      primary_language: "'en'",
      translation_languages: `case when ${first} then '["fr","de","es"]' else '[]' end`,
      version: "1",
      revision: "1",
      text_version: "1",
      created_at: `${now - 1000 * MINUTE}`,
      updated_at: `${now - 1000 * MINUTE}`,
      published_at: at,
      cover_image_id: `case when n <= ${has.images} then ${image("n")} end`,
      folded_titles: "'title ' || n",
      has_unfolded: "0",
      text_bytes: `${Math.min(1300, Math.floor(2 ** 27 / (drafts + posts + scheduled + 1)) - 10)}`,
    }),
    ...rows(drafts + posts + scheduled, "texts", text("en")),
    ...[text("fr", translation), text("de", held), text("es", queued)].flatMap((one) =>
      rows(has.translated === 0 ? 0 : drafts + has.translated, "texts", one),
    ),
    ...(labels > 0 ? label("category", "'news'") : []),
    ...(labels > 1 ? [...tags, "'only ' || n"].flatMap((tag) => label("tag", tag)) : []),
    ...rows(has.images, "images", {
      id: image("n"),
      account_id: owner,
      bytes: "1000",
      width: "20",
      height: "20",
      created_at: `${now}`,
      expires_at: `${now + 30 * MINUTE}`,
      stored_at: `${now}`,
      source_sha256: "printf('%064d', n)",
      cleanup_at: `case when n <= ${drafts + posts + scheduled} then null else ${now + 30 * MINUTE} end`,
    }),
    ...rows(Math.min(has.images, drafts + posts + scheduled), "post_images", {
      post_id: post("n"),
      image_id: image("n"),
      position: "-1",
    }),
    ...rows(has.redirects, "redirects", {
      account_id: owner,
      path: "'/old/' || n",
      source: "'s'",
      target: slug(`(n + ${drafts})`),
    }),
    ...rows(has.terms, "glossary_terms", {
      account_id: owner,
      term: "'words term ' || n",
      keep: "0",
      translations: `'{"fr":"mots"}'`,
    }),
    ...rows(has.endpoints, "webhook_endpoints", {
      id: `'${username}-hook-' || n`,
      account_id: owner,
      url: "'https://hook' || n || '.example/'",
      created_at: `${now}`,
    }),
    ...(has.endpoints === 0
      ? []
      : rows(
          has.deliveries,
          "webhook_deliveries",
          {
            event_id: "printf('evt_%026d', n)",
            endpoint_id: "webhook_endpoints.id",
            post_id: post("n"),
            type: "'post.updated'",
            data: `json_object('id', ${post("n")}, 'slug', ${slug("n")}, 'title', 'T', 'status', 'PB', 'version', 1, 'published_at', 0, 'language', 'en')`,
            starts_at: `${now - 60 * MINUTE} + n`,
            due_at: `${now - MINUTE}`,
          },
          `, webhook_endpoints where account_id = ${owner}`,
        )),
    ...rows(has.segments, "remembered_segments", {
      account_id: owner,
      engine: "'pseudo'",
      from_code: "'en'",
      to_code: "'fr'",
      hash: "printf('%064d', n)",
      translation: "'Des mots.'",
      made_at: `${now}`,
      used_at: `${now}`,
    }),
    ...rows(has.sessions, "sessions", {
      hash: "printf('%03d%061d', " + account + ", n)",
      account_id: owner,
      user_agent: "'A browser'",
      created_at: `${now}`,
      last_seen_at: `${now}`,
      expires_at: `${now + 10_000 * MINUTE}`,
    }),
    ...rows(has.keys, "api_keys", {
      hash: "printf('%03d%061d', " + account + ", n)",
      account_id: owner,
      name: "'key-' || n",
      last_four: "'abcd'",
      created_at: `${now - MINUTE}`,
    }),
    ...rows(has.passkeys, "passkeys", {
      id: `'${username}-' || n`,
      account_id: owner,
      public_key: "'k'",
      counter: "0",
      transports: "'[]'",
      name: "'A passkey'",
      created_at: `${now}`,
    }),
    ...rows(has.attempts, "idempotency_keys", {
      account_id: owner,
      key: "'key ' || n",
      fingerprint: "'f'",
      locked_until: `${now}`,
      status: "201",
      created_at: `${now}`,
    }),
    ...rows(has.actions, "operator_actions", {
      id: `'${encodeTime(now - DAY)}' || printf('${prefix}%013d', n)`,
      at: `${now - DAY}`,
      action: "'set_account'",
      username: `'${username}'`,
      detail: "''",
      via: "'api'",
    }),
    `update accounts set has_webhooks = ${has.endpoints > 0 ? 1 : 0}, stored_bytes = ${has.images * 1000},
      text_bytes = (select coalesce(sum(text_bytes), 0) from posts where account_id = accounts.id) where username = '${username}'`,
  ]
}
