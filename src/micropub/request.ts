import * as z from "zod"

import type { AppContext } from "../http/context.ts"
import { fieldError } from "../http/errors.ts"
import { readAnyBody } from "../http/read-body.ts"
import { check, type Fields, orThrow } from "../http/validate.ts"
import { MAX_MICROPUB_VALUES } from "../limits.ts"
import { hasTokenHeader } from "./guard.ts"

// Reads a request of Micropub: JSON, a form, or a form with a file.

const List = z.array(z.unknown(), "Must be a list.").max(MAX_MICROPUB_VALUES, `At most ${MAX_MICROPUB_VALUES} values.`)
/** Clients of JSON also send a value without its list; those of forms send empty ones. */
const Values = z
  .preprocess((sent) => (Array.isArray(sent) ? sent : [sent]), List)
  .transform((values) => values.filter((value) => value !== "" && value !== null))
const Lists = z.record(z.string(), List, "Must be an object of lists.").default({})

const Sent = z.object({
  action: z
    .enum(["create", "update", "delete", "undelete"], "Must be create, update, delete or undelete.")
    .default("create"),
  url: z.string("Must be the address of a post.").optional(),
  type: Values.refine(([type]) => type === "h-entry", "Must be h-entry: there are no other types here.").optional(),
  properties: z.record(z.string(), Values, "Must be an object.").default({}),
  replace: Lists,
  add: Lists,
  delete: z
    .union([z.array(z.string()).max(MAX_MICROPUB_VALUES), Lists], "Must be a list of names, or an object of lists.")
    .default([]),
})

export interface MicropubRequest extends z.output<typeof Sent> {
  /** A file that is sent with a new post, or to the media endpoint. */
  file: File | null
}

/** Adds a value of a form to the list of its property. Parts of one value, `photo[value]` and `photo[alt]`, come one after another. */
const addValue = (values: unknown[], part: string, value: string): void => {
  const last = values.at(-1)
  if (/^\d*$/.test(part)) values.push(value)
  else if (typeof last === "object" && last !== null && !Object.hasOwn(last, part))
    Object.assign(last, { [part]: value })
  else values.push({ [part]: value })
}

const fromForm = (form: Iterable<[string, string | File]>): { sent: Fields; file: File | null } => {
  const properties = new Map<string, unknown[]>()
  const files: File[] = []
  for (const [name, value] of form) {
    // Matches `category[]`, `category[0]` and `photo[alt]`. Does not match `category`.
    const [, property = name, part = ""] = /^([^[\]]+)\[([\w-]*)\]$/.exec(name) ?? []
    const values = properties.get(property) ?? []
    if (typeof value === "string") addValue(properties.set(property, values).get(property) ?? [], part, value)
    // An empty field of a browser's form has no file.
    else if (value.size > 0 || value.name !== "") files.push(value)
  }
  const [file = null, ...others] = files
  const message = "One file a request. Send the others to the media endpoint, and name their addresses as photo."
  if (others.length > 0) throw fieldError("photo", "validation_error", message)
  const { action, url, h, ...rest } = Object.fromEntries(properties)
  const sent = {
    ...(action && { action: action[0] }),
    ...(url && { url: url[0] }),
    ...(h && { type: [`h-${h[0] as string}`] }),
  }
  return { sent: { ...sent, properties: rest }, file }
}

/** Reads a request, without its token and without empty values. @throws ApiError 400, also for two tokens */
export const readMicropub = async (c: AppContext): Promise<MicropubRequest> => {
  const body = await readAnyBody(c)
  const { sent, file } = "json" in body ? { sent: body.json as Fields, file: null } : fromForm(body.form)
  const { access_token: own, properties, ...request } = orThrow(check(Sent.loose(), sent)).value
  const { access_token: ofForm, ...rest } = properties
  if ((own ?? ofForm) !== undefined && hasTokenHeader(c))
    throw fieldError("access_token", "validation_error", "Send the token once: in Authorization, or in the form.")
  return { ...request, properties: rest, file }
}
