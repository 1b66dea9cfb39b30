import { type SQL, getTableColumns, sql } from "drizzle-orm"

import { type Db, failedOn } from "../db/client.ts"
import { type RawRow, runBatch, selection, type Statement } from "../db/plain-sql.ts"
import { glossary_terms } from "../db/schema.ts"
import {
  MAX_GLOSSARY_BYTES,
  MAX_GLOSSARY_TERMS,
  MAX_SOUGHT_BYTES,
  MAX_REQUEUED_POSTS,
  MAX_SOUGHT_POSTS,
} from "../limits.ts"
import { isMadeByEngine, requeueTexts } from "../posts/store.ts"
import { TEXT_FIELDS } from "../posts/text.ts"
import { needlesOf } from "./endings.ts"
import type { GlossaryEntry } from "./glossary.ts"

const { account_id: _account, ...entryColumns } = getTableColumns(glossary_terms)
const ENTRY = selection(entryColumns)

/** Returns the SQL select of an account's glossary, which `toGlossary` decodes. @param accountId a value or an SQL subquery */
export const selectGlossary = (accountId: string | SQL): SQL =>
  sql`select ${ENTRY.columns} from "glossary_terms" where "account_id" = ${accountId} order by "term"`

/** Decodes the rows of `selectGlossary`. */
export const toGlossary = (rows: RawRow[]): GlossaryEntry[] => rows.map(ENTRY.toRow)

/** Lists the terms of an account, sorted by their bytes. */
export const listGlossary = async (db: Db, accountId: string): Promise<GlossaryEntry[]> => {
  const [rows] = await runBatch(db, [selectGlossary(accountId)])
  return toGlossary(rows)
}

const BYTES = sql.raw(
  ["term", "translations", "note"].map((column) => `coalesce(octet_length("${column}"), 0)`).join(" + "),
)

/** Returns the statement that fails a batch if an account has too many terms or bytes. It violates NOT NULL of `translations`. */
const requireFew = (accountId: string): Statement =>
  sql`insert into "glossary_terms" ("account_id", "term", "keep", "translations") select ${accountId}, '', 0, null
    from (select count(*) as "terms", sum(${BYTES}) as "bytes" from "glossary_terms" where "account_id" = ${accountId})
    where "terms" > ${MAX_GLOSSARY_TERMS} or "bytes" > ${MAX_GLOSSARY_BYTES}`

/**
 * Deletes the terms in `removed`, then adds or replaces `entries`, in one batch. Safe to repeat.
 * @param checks fail the batch if the caller may no longer write
 * @returns false, with nothing written, if the account would have more than `MAX_GLOSSARY_TERMS` or `MAX_GLOSSARY_BYTES`
 */
export const changeGlossary = async (
  db: Db,
  accountId: string,
  { entries, removed }: { entries: GlossaryEntry[]; removed: string[] },
  checks: Statement[],
): Promise<boolean> => {
  const written = entries.map(({ term, keep, translations, note }) => [
    term,
    Number(keep),
    JSON.stringify(translations),
    note,
  ])
  try {
    await runBatch(db, [
      ...checks,
      sql`delete from "glossary_terms" where "account_id" = ${accountId}
        and "term" in (select "value" from json_each(${JSON.stringify(removed)}))`,
      sql`insert into "glossary_terms" ("account_id", "term", "keep", "translations", "note")
        select ${accountId}, "value" ->> 0, "value" ->> 1, "value" ->> 2, "value" ->> 3
        from json_each(${JSON.stringify(written)}) where true
        on conflict do update set "keep" = excluded."keep", "translations" = excluded."translations", "note" = excluded."note"
        where ("glossary_terms"."keep", "glossary_terms"."translations", "glossary_terms"."note")
          is not (excluded."keep", excluded."translations", excluded."note")`,
      requireFew(accountId),
    ])
    return true
  } catch (error) {
    if (failedOn(error, "NOT NULL", "glossary_terms.translations")) return false
    throw error
  }
}

/** The condition that a source text has one of the needles. */
const HAS_NEEDLE = sql.raw(TEXT_FIELDS.map((field) => `instr("source"."${field}", "needle"."value")`).join(" or "))

/** Returns an SQL select of an account's next posts after one, up to `MAX_SOUGHT_POSTS` and so many bytes; at least one. */
const portionOf = (accountId: string, after: string, bytes: number): SQL =>
  sql`select "id" from (select "id", sum("text_bytes") over (order by "id") - "text_bytes" as "before" from
      (select "id", "text_bytes" from "posts" where "account_id" = ${accountId} and "id" > ${after} order by "id" limit ${MAX_SOUGHT_POSTS}))
    where "before" < ${bytes}`

/** The posts of a portion, and the number of their translations by an engine, that terms concern. */
export interface Concerned {
  postIds: string[]
  translations: number
  /** The last post of the portion; null if the account has no more. */
  next: string | null
}

/**
 * Finds the translated posts that have the longest word of a term, in a portion of the account's posts. Words in other words count as
 * well.
 * @param terms at most `MAX_SOUGHT_TERMS`
 * @param after the post after which the portion begins; "" for the first one
 * @param checks fail the batch if the caller may not write
 */
export const findConcerned = async (
  db: Db,
  accountId: string,
  { terms, after = "", checks = [] }: { terms: string[]; after?: string | undefined; checks?: Statement[] },
): Promise<Concerned> => {
  const portion = portionOf(accountId, after, Math.floor(MAX_SOUGHT_BYTES / Math.max(10, terms.length)))
  const [rows, [end]] = await runBatch(db, [
    sql`select "posts"."id", count(*) as "translations" from "posts" join "texts" on "texts"."post_id" = "posts"."id"
      join "texts" as "source" on "source"."post_id" = "posts"."id" and "source"."lang_code" = "posts"."primary_language"
      where "posts"."id" in (${portion}) and ${isMadeByEngine}
        and exists (select 1 from json_each(${JSON.stringify([...new Set(terms.flatMap(needlesOf))])}) as "needle" where ${HAS_NEEDLE})
      group by "posts"."id" order by "posts"."id" limit ${MAX_REQUEUED_POSTS}`,
    sql`with "end" as (select max("id") as "last" from (${portion}))
      select "last" from "end" where exists (select 1 from "posts" where "account_id" = ${accountId} and "id" > "last")`,
    ...checks,
  ])
  const postIds = rows.map(({ id }) => String(id))
  const endOfPortion = end && String(end["last"])
  return {
    postIds,
    translations: rows.reduce((sum, row) => sum + Number(row["translations"]), 0),
    next: (postIds.length === MAX_REQUEUED_POSTS ? postIds.at(-1) : endOfPortion) ?? null,
  }
}

/**
 * Queues the translations of posts to be made again. What their memory has is not sent again.
 * @param checks fail the batch if the caller may no longer write
 */
export const requeueConcerned = async (
  db: Db,
  { postIds }: Concerned,
  { now, checks }: { now: Date; checks: Statement[] },
): Promise<void> => {
  await runBatch(db, [...checks, ...requeueTexts(postIds, now)])
}
