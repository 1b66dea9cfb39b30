import { and, eq, sql } from "drizzle-orm"

import { builtForColumns, builtOnce, type Db, placeholders } from "../db.ts"
import { texts } from "../tables.ts"
import { changedNames, type Text } from "./text.ts"

/** The columns that differ, or null. */
export const diffText = (before: Text, after: Text): Partial<Text> | null => {
  const changed = changedNames(before, after)
  return changed.length > 0 ? Object.fromEntries(changed.map((name) => [name, after[name]])) : null
}

// Statements for a post's batch: whoever writes a text writes the post's revision with it.

export const insertText = builtOnce((db) => [db.insert(texts).values(placeholders(texts))])

const update = builtForColumns(texts, (db, columns) => [
  db
    .update(texts)
    .set(columns)
    .where(and(eq(texts.post_id, sql.placeholder("postId")), eq(texts.lang_code, sql.placeholder("lang")))),
])

export const updateText = (
  db: Db,
  { post_id, lang_code }: Pick<Text, "post_id" | "lang_code">,
  changes: Partial<Text>,
) => update(db, changes, { postId: post_id, lang: lang_code })

export const deleteText = (db: Db, { post_id, lang_code }: Pick<Text, "post_id" | "lang_code">) =>
  db.delete(texts).where(and(eq(texts.post_id, post_id), eq(texts.lang_code, lang_code)))
