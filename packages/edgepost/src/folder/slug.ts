import { createHash } from "node:crypto"

import { RESERVED_SLUGS } from "../limits.ts"
import { slugify } from "./slugify.ts"

/** Returns the first text that makes a slug; a text of digits only, or reserved, gets `post-` before it. @param path for the last resort */
export const makeSlug = (texts: (string | null)[], path: string): string => {
  const found = texts.map((text) => slugify(text ?? "")).find((slug) => slug !== "")
  const slug = found ?? createHash("sha256").update(path).digest("hex").slice(0, 8)
  return found === undefined || RESERVED_SLUGS.includes(slug) ? `post-${slug}` : slug
}
