import { and, eq } from "drizzle-orm"

import type { Db } from "../db.ts"
import { texts } from "../tables.ts"
import type { Text } from "./text.ts"

const isText = ({ post_id, lang_code }: Pick<Text, "post_id" | "lang_code">) =>
  and(eq(texts.post_id, post_id), eq(texts.lang_code, lang_code))

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The columns that differ, or null. */
export const diffText = (before: Text, after: Text): Partial<Text> | null => {
  const changed = Object.entries(after).filter(([column, value]) => !isSame(value, before[column as keyof Text]))
  return changed.length > 0 ? Object.fromEntries(changed) : null
}

// Statements for a post's batch: whoever writes a text writes the post's revision with it.

export const insertText = (db: Db, text: Text) => db.insert(texts).values(text)

export const updateText = (db: Db, key: Pick<Text, "post_id" | "lang_code">, changes: Partial<Text>) =>
  db.update(texts).set(changes).where(isText(key))

export const deleteText = (db: Db, key: Pick<Text, "post_id" | "lang_code">) => db.delete(texts).where(isText(key))
