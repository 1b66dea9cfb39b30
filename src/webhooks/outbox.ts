import { sql, type SQL } from "drizzle-orm"
import { ulid } from "ulid"

import { listOf } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { EventType, PostRow, TranslationStatus } from "../db/schema.ts"
import { isScheduled, isVisible, isWhole } from "../db/visibility.ts"

// The statements that queue events, for the batch of the write of which they tell: neither is there without the other.

/** The condition that a delivery waits. */
const WAITING = sql`"webhook_deliveries"."due_at" is not null`

/** Returns a new `webhook-id`. */
export const newEventId = (now: Date): string => `evt_${ulid(now.getTime())}`

const isPost = (id: string | SQL): SQL => sql`"posts"."id" = ${id}`
const AT_ITS_TIME = sql`"posts"."published_at"`

interface Event {
  type: EventType
  /** An SQL condition on the rows of `posts` and `webhook_endpoints`. */
  which: SQL
  now: Date
  /** SQL for its id; by default a new one. */
  id?: SQL
  /** SQL for when it happens; by default now, or when the post was saved by a request that began later. */
  starts?: SQL
  /** BCP 47 code of the translation that it is about; by default the source language. */
  lang?: string
}

const startOf = (now: Date): SQL => sql`max(${now.getTime()}, "posts"."updated_at")`

/** Returns the statement that queues an event of posts for each endpoint of their account. */
const queueEvent = ({ type, which, now, id, starts = startOf(now), lang }: Event): SQL => {
  const language = lang === undefined ? sql`"posts"."primary_language"` : sql`${lang}`
  return sql`insert into "webhook_deliveries" ("event_id", "endpoint_id", "post_id", "type", "data", "starts_at", "due_at")
    select ${id ?? newEventId(now)}, "webhook_endpoints"."id", "posts"."id", ${type},
      json_object('id', "posts"."id", 'slug', "posts"."slug", 'title', "texts"."title", 'status', "posts"."status",
        'version', "posts"."version", 'published_at', "posts"."published_at", 'language', ${language}),
      ${starts}, ${starts}
    from "posts" join "webhook_endpoints"
      on "webhook_endpoints"."account_id" = "posts"."account_id" and "webhook_endpoints"."disabled_at" is null
    left join "texts" on "texts"."post_id" = "posts"."id" and "texts"."lang_code" = "posts"."primary_language"
    where ${which}`
}

/** Returns the statement that takes back the event of a publication that is still ahead. */
const dropScheduled = (postId: string | SQL, now: Date): SQL =>
  sql`delete from "webhook_deliveries" where "post_id" = ${postId} and ${WAITING} and "starts_at" > ${now.getTime()}`

/** Returns the statement that drops waiting updates of a post: the next one, which no endpoint gets that is off, has the same news. */
const mergeUpdates = (postId: string): SQL =>
  sql`delete from "webhook_deliveries" where "post_id" = ${postId} and ${WAITING} and "type" = 'post.updated'
    and exists (select 1 from "webhook_endpoints" where "id" = "endpoint_id" and "disabled_at" is null)`

/** Names what readers see of a saved change; null if they see none. @param before null for a new post */
const typeOf = (before: PostRow | null, after: PostRow, now: Date): EventType | null => {
  const wasVisible = before !== null && isVisible(before, now)
  if (isVisible(after, now))
    return wasVisible ? (after.version > before.version ? "post.updated" : null) : "post.published"
  return wasVisible ? "post.unpublished" : null
}

/** Returns the statements that queue the events of a saved post. They follow its write. @param before null for a new post */
export const postEvents = (before: PostRow | null, after: PostRow, now: Date): Statement[] => {
  const type = typeOf(before, after, now)
  const { id } = after
  return [
    ...(before && isScheduled(before, now) ? [dropScheduled(id, now)] : []),
    ...(type === "post.updated" ? [mergeUpdates(id)] : []),
    ...(type ? [queueEvent({ type, which: isPost(id), now })] : []),
    ...(isScheduled(after, now)
      ? [queueEvent({ type: "post.published", which: isPost(id), now, starts: AT_ITS_TIME })]
      : []),
  ]
}

/** Returns the statements that queue the end of a post. They precede its deletion. @param postId an SQL subquery */
export const deletionEvents = (postId: SQL, now: Date): Statement[] => [
  dropScheduled(postId, now),
  queueEvent({ type: "post.deleted", which: isPost(postId), now }),
]

/** Returns the statement that queues the publications that are still ahead for a new endpoint. */
export const scheduledEvents = (endpointId: string, now: Date): Statement => {
  const isAhead = sql`"posts"."status" = 'PB' and "posts"."published_at" > ${now.getTime()}`
  // That of the other endpoints, which have it already.
  const known = sql`(select "event_id" from "webhook_deliveries" as "known" where "known"."post_id" = "posts"."id"
    and "known"."due_at" is not null and "known"."starts_at" > ${now.getTime()} limit 1)`
  const id = sql`coalesce(${known}, 'evt_' || "posts"."id" || '_' || "posts"."published_at")`
  const which = sql`"webhook_endpoints"."id" = ${endpointId} and ${isAhead}`
  return queueEvent({ type: "post.published", which, now, id, starts: AT_ITS_TIME })
}

/** Returns the statement that queues the approval of the translations into a language that will be whole. It precedes their write. */
export const approveAllEvents = (postIds: string[], lang: string, condition: SQL, now: Date): Statement => {
  const isWholeThen = sql`(select count(*) from json_each(json_patch("texts"."versions", "texts"."pending_versions"))) = 3`
  const which = sql`"posts"."id" in ${listOf(postIds)} and exists
    (select 1 from "texts" where "texts"."post_id" = "posts"."id" and ${condition} and ${isWholeThen})`
  // Each event has its own id.
  return queueEvent({ type: "translation.ready", which, now, id: sql`${newEventId(now)} || '_' || "posts"."id"`, lang })
}

/** Returns the statements that queue the end of a translation. They precede its write. @param condition on the rows of `texts` */
export const translationEvents = (
  postId: string | SQL,
  { lang, status, now }: { lang: string; status: TranslationStatus | undefined; now: Date },
  condition: SQL = sql`true`,
): Statement[] => {
  if (status !== "ready" && status !== "failed") return []
  const isIt = sql`exists (select 1 from "texts" where "texts"."post_id" = ${postId} and ${condition})`
  return [queueEvent({ type: `translation.${status}`, which: sql`${isPost(postId)} and ${isIt}`, now, lang })]
}

/** Returns the statements that queue the approval of a translation, if it is whole. They follow its write. */
export const approveOneEvents = (slug: string, lang: string, now: Date): Statement[] => {
  const postId = sql`(select "id" from "posts" where "slug" = ${slug})`
  return translationEvents(postId, { lang, status: "ready", now }, sql`"texts"."lang_code" = ${lang} and ${isWhole}`)
}
