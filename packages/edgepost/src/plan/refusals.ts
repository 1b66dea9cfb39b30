import type { EdgepostError } from "../client/index.ts"

/** Codes of errors that every post would have. */
const ENDING = new Set(["insufficient_scope", "subscription_required", "account_restricted"])

/** Tells whether no other post can succeed either: without the service, or with a key that it refuses. */
export const endsRun = ({ status, code }: EdgepostError): boolean => status === 401 || status === 0 || ENDING.has(code)

/** Says what to do about an error, if the service's message does not. A slug belongs to one post of the whole service. */
export const adviceOn = ({ code }: EdgepostError): string =>
  code === "not_the_author" ? "Set another `slug` in the post." : ""
