import { sql, type SQL } from "drizzle-orm"
import { ulid } from "ulid"

import { listOf } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { EventType, PostRow, TranslationStatus } from "../db/schema.ts"
import { isScheduled, isVisible, isWhole } from "../db/visibility.ts"
import { MAX_DELIVERIES_A_RUN } from "../limits.ts"

// The statements that queue events, for the batch of the write of which they tell: neither is there without the other. Of
// what is ahead, only the first scheduled publication is stored, with the endpoint.

/** Returns a new `webhook-id`. */
export const newEventId = (now: Date): string => `evt_${ulid(now.getTime())}`

const isPost = (id: string | SQL): SQL => sql`"posts"."id" = ${id}`
const accountOf = (postId: string | SQL): SQL => sql`(select "account_id" from "posts" where "posts"."id" = ${postId})`

interface Event {
  type: EventType
  /** An SQL condition on the rows of `posts` and `webhook_endpoints`. */
  which: SQL
  now: Date
  /** SQL for its id; by default a new one. An endpoint gets no second event with an id. */
  id?: SQL
  /** SQL for when it happens; by default now, or when the post was saved by a request that began later. */
  starts?: SQL
  /** BCP 47 code of the translation that it is about; by default the source language. */
  lang?: string
}

const startOf = (now: Date): SQL => sql`max(${now.getTime()}, "posts"."updated_at")`

/**
 * Returns the statement that queues an event of posts for each endpoint of their account. The `+` keeps SQLite from reading all
 * posts of an account.
 */
const queueEvent = ({ type, which, now, id, starts = startOf(now), lang }: Event): SQL => {
  const language = lang === undefined ? sql`"posts"."primary_language"` : sql`${lang}`
  return sql`insert into "webhook_deliveries" ("event_id", "endpoint_id", "post_id", "type", "data", "starts_at", "due_at")
    select ${id ?? newEventId(now)}, "webhook_endpoints"."id", "posts"."id", ${type},
      json_object('id', "posts"."id", 'slug', "posts"."slug", 'title', "texts"."title", 'status', "posts"."status",
        'version', "posts"."version", 'published_at', "posts"."published_at", 'language', ${language}),
      ${starts}, ${starts}
    from "posts" join "webhook_endpoints"
      on "webhook_endpoints"."account_id" = +"posts"."account_id" and "webhook_endpoints"."disabled_at" is null
    left join "texts" on "texts"."post_id" = "posts"."id" and "texts"."lang_code" = "posts"."primary_language"
    where ${which} on conflict do nothing`
}

/** Returns the assignment that moves a time of an endpoint forward to another, if it is later or there is none. */
const noLater = (column: "wake_at" | "next_at", at: Date): SQL =>
  sql`${sql.identifier(column)} = min(coalesce(${sql.identifier(column)}, ${at.getTime()}), ${at.getTime()})`

/** Returns the statement that lets a run begin for the endpoints of an account, for which events are queued. @param accountId may be SQL */
export const wakeAt = (accountId: string | SQL, at: Date, events = 1): Statement =>
  sql`update "webhook_endpoints" set ${noLater("wake_at", at)}, "queued" = "queued" + ${events} where "account_id" = ${accountId} and "disabled_at" is null`

/** Returns the statement that lets the endpoints of an account know a scheduled publication. */
const expectAt = (accountId: string, at: Date): Statement =>
  sql`update "webhook_endpoints" set ${noLater("wake_at", at)}, ${noLater("next_at", at)},
    "next_post" = case when "next_at" < ${at.getTime()} then "next_post" else '' end where "account_id" = ${accountId} and "disabled_at" is null`

const TIME = sql`"posts"."published_at"`
/** The time of a publication as a ULID begins with it: ten digits of 5 bits, in Crockford's alphabet. Its end is that of the post's id. */
const ULID_TIME = [45, 40, 35, 30, 25, 20, 15, 10, 5, 0].map(
  (bits) => sql`substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (${TIME} >> ${sql.raw(`${bits}`)} & 31) + 1, 1)`,
)
const PUBLICATION_ID = sql`'evt_' || ${sql.join(ULID_TIME, sql` || `)} || substr("posts"."id", -16)`

/** Returns the statement that queues scheduled publications whose time has come, unless a run or a later write of the post has. */
const queuePublications = (which: SQL, now: Date): SQL => {
  const isUntold = sql`"posts"."status" = 'PB' and ${TIME} <= ${now.getTime()} and "posts"."updated_at" < ${TIME}
    and (${TIME}, "posts"."id") >= ("webhook_endpoints"."next_at", "webhook_endpoints"."next_post")`
  // The version of before stores what is ahead, and may still run.
  const isStored = sql`exists (select 1 from "webhook_deliveries" where "endpoint_id" = "webhook_endpoints"."id"
    and "post_id" = "posts"."id" and "due_at" is not null and "type" = 'post.published' and "starts_at" = ${TIME})`
  const isIt = sql`${which} and ${isUntold} and not ${isStored}`
  return queueEvent({ type: "post.published", which: isIt, now, id: PUBLICATION_ID, starts: TIME })
}

/** Returns the statements that queue the next publications whose time has come for the endpoints of a condition. */
export const nextPublications = (which: SQL, now: Date): Statement[] => {
  const step = sql`(select "published_at", "id" from "posts" where "account_id" = "webhook_endpoints"."account_id" and "status" = 'PB'
    and ("published_at", "id") >= ("webhook_endpoints"."next_at", "webhook_endpoints"."next_post")
    order by "published_at", "id" limit ${MAX_DELIVERIES_A_RUN + 1})`
  return [
    queuePublications(sql`${which} and "posts"."id" in (select "id" from ${step} limit ${MAX_DELIVERIES_A_RUN})`, now),
    sql`update "webhook_endpoints" set "queued" = "queued" + ${MAX_DELIVERIES_A_RUN},
      ("next_at", "next_post") = (select "published_at", "id" from
        (select *, row_number() over (order by "published_at", "id") as "place" from ${step})
        where "place" > ${MAX_DELIVERIES_A_RUN} or "published_at" > ${now.getTime()} order by "place" limit 1)
      where ${which} and "next_at" <= ${now.getTime()}`,
  ]
}

/** Returns the statement that drops the last delivery of a post that waits for each endpoint that is on, if it is of a type and after a time. */
const dropLast = (postId: string | SQL, type: EventType, after = 0): Statement =>
  sql`delete from "webhook_deliveries" where "type" = ${type} and "starts_at" > ${after} and rowid in (
    select (select rowid from "webhook_deliveries" as "last" where "last"."endpoint_id" = "webhook_endpoints"."id"
      and "last"."post_id" = ${postId} and "last"."due_at" is not null order by rowid desc limit 1)
    from "webhook_endpoints" where "account_id" = ${accountOf(postId)} and "disabled_at" is null)`

/** Names what readers see of a saved change; null if they see none. @param before null for a new post */
const typeOf = (before: PostRow | null, after: PostRow, now: Date): EventType | null => {
  const wasVisible = before !== null && isVisible(before, now)
  if (isVisible(after, now))
    return wasVisible ? (after.version > before.version ? "post.updated" : null) : "post.published"
  return wasVisible ? "post.unpublished" : null
}

/** Returns the statement that queues the publication of a post whose time has come, if no run has. It precedes a write of it. */
export const publicationEvents = (before: PostRow | null, now: Date): Statement[] =>
  before?.published_at && before.updated_at < before.published_at && isVisible(before, now)
    ? [queuePublications(isPost(before.id), now)]
    : []

/** Returns the statements that queue the events of a saved post. They follow its write. @param before null for a new post */
export const postEvents = (before: PostRow | null, after: PostRow, now: Date): Statement[] => {
  const { id, account_id, published_at } = after
  // Of a request that began earlier than the one before it.
  const then = now > after.updated_at ? now : after.updated_at
  const type = typeOf(before, after, then)
  return [
    // By the version of before, which stores it ahead.
    ...(before && isScheduled(before, then) ? [dropLast(id, "post.published")] : []),
    // The next one has the same news and more.
    ...(type === "post.updated" ? [dropLast(id, type)] : []),
    ...(type ? [queueEvent({ type, which: isPost(id), now: then }), wakeAt(account_id, then)] : []),
    ...(published_at && isScheduled(after, then) ? [expectAt(account_id, published_at)] : []),
  ]
}

/** Returns the statements that queue the end of a post. They precede its deletion. @param postId an SQL subquery */
export const deletionEvents = (postId: SQL, now: Date): Statement[] => [
  queuePublications(isPost(postId), now),
  dropLast(postId, "post.published", now.getTime()),
  queueEvent({ type: "post.deleted", which: isPost(postId), now }),
  wakeAt(accountOf(postId), now),
]

/** Returns the statements that queue the approval of the translations into a language that will be whole. They precede their write. */
export const approveAllEvents = (postIds: string[], lang: string, condition: SQL, now: Date): Statement[] => {
  const isWholeThen = sql`(select count(*) from json_each(json_patch("texts"."versions", "texts"."pending_versions"))) = 3`
  const which = sql`"posts"."id" in ${listOf(postIds)} and exists
    (select 1 from "texts" where "texts"."post_id" = "posts"."id" and ${condition} and ${isWholeThen})`
  return [
    // Each event has its own id.
    queueEvent({ type: "translation.ready", which, now, id: sql`${newEventId(now)} || '_' || "posts"."id"`, lang }),
    wakeAt(accountOf(postIds[0] ?? ""), now, postIds.length),
  ]
}

/** Returns the statements that queue the end of a translation. They precede its write. @param condition on the rows of `texts` */
export const translationEvents = (
  postId: string | SQL,
  { lang, status, now }: { lang: string; status: TranslationStatus | undefined; now: Date },
  condition: SQL = sql`true`,
): Statement[] => {
  if (status !== "ready" && status !== "failed") return []
  const isIt = sql`exists (select 1 from "texts" where "texts"."post_id" = ${postId} and ${condition})`
  const which = sql`${isPost(postId)} and ${isIt}`
  return [queueEvent({ type: `translation.${status}`, which, now, lang }), wakeAt(accountOf(postId), now)]
}

/** Returns the statements that queue the approval of a translation, if it is whole. They follow its write. */
export const approveOneEvents = (slug: string, lang: string, now: Date): Statement[] => {
  const postId = sql`(select "id" from "posts" where "slug" = ${slug})`
  return translationEvents(postId, { lang, status: "ready", now }, sql`"texts"."lang_code" = ${lang} and ${isWhole}`)
}
