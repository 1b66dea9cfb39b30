import { create, patch } from "../calls.ts"
import { type Answer, type Author, newPost } from "../support.ts"

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
