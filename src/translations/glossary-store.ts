import { type SQL, getTableColumns, sql } from "drizzle-orm"

import { type Db, failedOn } from "../db/client.ts"
import { type RawRow, runBatch, selection, type Statement } from "../db/plain-sql.ts"
import { glossary_terms } from "../db/schema.ts"
import { isListed } from "../db/visibility.ts"
import { MAX_GLOSSARY_TERMS } from "../limits.ts"
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

/** Lists the terms of an account, sorted by their code units. */
export const listGlossary = async (db: Db, accountId: string): Promise<GlossaryEntry[]> => {
  const [rows] = await runBatch(db, [selectGlossary(accountId)])
  return toGlossary(rows)
}

/** Returns the statement that fails a batch if an account has too many terms. It violates NOT NULL of `translations`. */
const requireFew = (accountId: string): Statement =>
  sql`insert into "glossary_terms" ("account_id", "term", "keep", "translations") select ${accountId}, '', 0, null
    where (select count(*) from "glossary_terms" where "account_id" = ${accountId}) > ${MAX_GLOSSARY_TERMS}`

/**
 * Deletes the terms in `removed`, then adds or replaces `entries`, in one batch. Safe to repeat.
 * @param checks fail the batch if the caller may no longer write
 * @returns false, with nothing written, if the account would have more than `MAX_GLOSSARY_TERMS`
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
        on conflict do update set "keep" = excluded."keep", "translations" = excluded."translations", "note" = excluded."note"`,
      requireFew(accountId),
    ])
    return true
  } catch (error) {
    if (failedOn(error, "NOT NULL", "glossary_terms.translations")) return false
    throw error
  }
}

/** The condition that a source text has one of the forms of a word. */
const HAS_FORM = sql.raw(TEXT_FIELDS.map((field) => `instr("source"."${field}", "form"."value")`).join(" or "))

/** Returns the condition that a row of `posts` has all words of one of the terms in its source text. */
const hasOneOf = (terms: string[]): SQL =>
  sql`exists (select 1 from "texts" as "source", json_each(${JSON.stringify(terms.map(needlesOf))}) as "term"
    where "source"."post_id" = "posts"."id" and "source"."lang_code" = "posts"."primary_language"
      and not exists (select 1 from json_each("term"."value") as "word"
        where not exists (select 1 from json_each("word"."value") as "form" where ${HAS_FORM})))`

const isEdited = sql`exists (select 1 from json_each("texts"."edited") where "value" = "field"."key")`

/** The condition that a row of `texts` is a listed translation with a field that an engine has written, approved or not. */
const isMadeByEngine = sql`"texts"."lang_code" <> "posts"."primary_language" and ${isListed}
  and exists (select 1 from json_each(json_patch("texts"."versions", "texts"."pending_versions")) as "field"
    where not ${isEdited})`

/** Returns the versions of a row of `texts` with 0 for each field that was not edited by hand, so that it is made again. */
const outdated = (column: "versions" | "pending_versions"): SQL =>
  sql`(select json_group_object("key", case when ${isEdited} then "value" else 0 end)
    from json_each(${sql.raw(`"texts"."${column}"`)}) as "field")`

/** The posts and the translations by an engine that terms concern. */
export interface Concerned {
  posts: number
  translations: number
}

const concernedBy = (accountId: string, terms: string[]): SQL =>
  sql`from "texts" join "posts" on "posts"."id" = "texts"."post_id"
    where "posts"."account_id" = ${accountId} and ${isMadeByEngine} and ${hasOneOf(terms)}`

/**
 * Counts the translations of posts that have the words of a term. Words in other words count as well, so there may be fewer.
 * @param terms at most `MAX_SOUGHT_TERMS`
 */
export const countConcerned = async (db: Db, accountId: string, terms: string[]): Promise<Concerned> => {
  const [[row]] = await runBatch(db, [
    sql`select count(distinct "posts"."id") as "posts", count(*) as "translations" ${concernedBy(accountId, terms)}`,
  ])
  return { posts: Number(row?.["posts"]), translations: Number(row?.["translations"]) }
}

/**
 * Queues the translations that `countConcerned` counts to be made again. What their memory has is not sent again.
 * @param checks fail the batch if the caller may no longer write
 */
export const queueConcerned = async (
  db: Db,
  accountId: string,
  terms: string[],
  { now, checks }: { now: Date; checks: Statement[] },
): Promise<void> => {
  await runBatch(db, [
    ...checks,
    sql`update "posts" set "revision" = "revision" + 1 where "id" in (select "posts"."id" ${concernedBy(accountId, terms)})`,
    sql`update "texts" set "status" = 'queued', "claim" = null, "attempts" = 0, "postponed" = 0, "due_at" = ${now.getTime()},
        "error" = null, "segments_done" = 0, "segments_total" = 0, "updated_at" = ${now.getTime()},
        "versions" = ${outdated("versions")}, "pending_versions" = ${outdated("pending_versions")}
      where rowid in (select "texts".rowid ${concernedBy(accountId, terms)})`,
  ])
}
