import { type SQL, sql } from "drizzle-orm"

import type { Statement } from "../db/plain-sql.ts"
import type { LabelKind } from "../db/schema.ts"
import type { Post } from "./post.ts"

// The rows of `post_labels`, by which lists find the posts with a tag or in a category.

type Labelled = Pick<Post, "id" | "account_id" | "categories" | "tags" | "status" | "published_at" | "listed">

/** Returns the status of a post's labels: readers find a page by none, as if it were a draft. */
const statusOf = ({ status, listed }: Labelled) => (listed ? status : "DF")

const namesOf = ({ categories, tags }: Labelled): Record<LabelKind, string[]> => ({ category: categories, tag: tags })

const KINDS = ["category", "tag"] as const

type Label = [kind: LabelKind, label: string]

/** Lists the labels of `post` that `other` lacks. */
const labelsBeside = (post: Labelled, other: Labelled | null): Label[] =>
  KINDS.flatMap((kind) => {
    const there = new Set(other && namesOf(other)[kind])
    const labels = namesOf(post)[kind].filter((label) => !there.has(label))
    return labels.map((label): Label => [kind, label])
  })

/** Returns the statements that make the label rows of a post those of `after`. Rows that stay the same are not written. */
export const labelRows = (before: Labelled | null, after: Labelled): Statement[] => {
  const { id, account_id } = after
  const status = statusOf(after)
  const published_at = after.published_at?.getTime() ?? null
  const removed = before ? labelsBeside(before, after) : []
  const added = labelsBeside(after, before)
  const isStatusOrTimeChanged =
    before !== null && (statusOf(before) !== status || (before.published_at?.getTime() ?? null) !== published_at)
  return [
    ...(removed.length > 0
      ? [
          sql`delete from "post_labels" where "account_id" = ${account_id} and "post_id" = ${id}
            and ("kind", "label") in (select value ->> 0, value ->> 1 from json_each(${JSON.stringify(removed)}))`,
        ]
      : []),
    ...(isStatusOrTimeChanged
      ? [sql`update "post_labels" set "status" = ${status}, "published_at" = ${published_at} where "post_id" = ${id}`]
      : []),
    ...(added.length > 0
      ? [
          sql`insert into "post_labels" ("account_id", "kind", "label", "post_id", "status", "published_at")
            select ${account_id}, value ->> 0, value ->> 1, ${id}, ${status}, ${published_at}
            from json_each(${JSON.stringify(added)})`,
        ]
      : []),
  ]
}

/** Returns the SQL condition that a row of `post_labels` is one of an account's with this label. */
export const hasLabel = (account: string | SQL, kind: LabelKind, label: string | SQL): SQL =>
  sql`"post_labels"."account_id" = ${account} and "post_labels"."kind" = ${kind} and "post_labels"."label" = ${label}`
