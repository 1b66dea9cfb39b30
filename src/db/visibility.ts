import { type SQL, sql } from "drizzle-orm"

import type { PostRow } from "./schema.ts"

// Every read checks whether readers see a post, in TypeScript or in SQL. So a scheduled post appears without a job.

/** Tells whether readers see a post at `now`: it is published, and its time has come. Posts of hidden accounts are not seen at all. */
export const isVisible = ({ status, published_at }: Pick<PostRow, "status" | "published_at">, now: Date): boolean =>
  status === "PB" && published_at !== null && published_at <= now

/** Returns the SQL condition that readers see a row of `posts` at `now`, as `isVisible`. */
export const visibleAt = (now: Date): SQL =>
  sql`("posts"."status" = 'PB' and "posts"."published_at" <= ${now.getTime()})`

/** Returns the SQL condition that readers' lists show a row of `posts` at `now`. SQLite uses the index `posts_listed` only for exactly this. */
export const listedAt = (now: Date): SQL => sql`(${visibleAt(now)} and "posts"."listed" = 1)`

/** The SQL condition that a row of `texts` has its title, meta_description and body. */
export const isWhole = sql`(select count(*) from json_each("texts"."versions")) = 3`

/** The SQL condition that some of a row of `texts` waits for approval. SQLite uses the index `texts_pending` only for exactly this. */
export const isPending = sql`"texts"."pending_versions" <> '{}'`

/** The SQL condition that a row of `accounts` is not being erased. */
export const isKept = sql`"accounts"."erasing_at" is null`

/** The SQL condition that the language of a row of `texts` is among the translations of its row of `posts`. */
export const isListed = sql`exists (select 1 from json_each("posts"."translation_languages") where "value" = "texts"."lang_code")`

/** Tells whether a published post appears only after `now`. */
export const isScheduled = ({ status, published_at }: Pick<PostRow, "status" | "published_at">, now: Date): boolean =>
  status === "PB" && published_at !== null && published_at > now
