import { sha256 } from "../hash.ts"
import { slugOf } from "./slugify.ts"

/** Returns the first text that makes a slug, else a slug of the path. */
export const makeSlug = (texts: (string | null)[], path: string): string =>
  texts.map((text) => slugOf(text ?? "")).find((slug) => slug !== "") ?? `post-${sha256(path).slice(0, 8)}`
