import { create, patch } from "../calls.ts"
import { type Answer, type Author, newPost, rows } from "../support.ts"

type Send = (author: Author, changes: Record<string, unknown>) => Promise<Answer>
/** The two ways to send the fields of a post. */
export const WRITES: { verb: string; send: Send }[] = [
  { verb: "create", send: create },
  { verb: "PATCH", send: async (author, changes) => patch(author, (await newPost(author)).slug, changes) },
]

/** Returns the names of the refused fields, without array indexes. */
export const refusedFields = ({ json }: Answer): string[] => [
  ...new Set<string>(json.errors.map(({ field }: { field: string }) => field.replace(/\.\d+$/, ""))),
]

/** A 400 and the fields it names. */
export const refusal = (answer: Answer) => [answer.status, answer.json.code, ...refusedFields(answer)]

/** Gives a post labels as a version of before has stored them. */
export const storeLabels = async (slug: string, labels: string[]): Promise<void> => {
  await rows("update posts set categories = ?2, tags = ?2 where slug = ?1", slug, JSON.stringify(labels))
  await rows("delete from post_labels where post_id = (select id from posts where slug = ?)", slug)
  await rows(
    `insert into post_labels (account_id, kind, label, post_id, status, published_at)
      select account_id, kinds.value, labels.value, posts.id, status, published_at
      from posts, json_each('["category","tag"]') as kinds, json_each(?2) as labels where slug = ?1`,
    slug,
    JSON.stringify(labels),
  )
}
