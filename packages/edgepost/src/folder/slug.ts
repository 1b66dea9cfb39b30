import { createHash } from "node:crypto"

import { slugOf } from "./slugify.ts"

/** Returns the first text that makes a slug, else a slug of the path. */
export const makeSlug = (texts: (string | null)[], path: string): string =>
  texts.map((text) => slugOf(text ?? "")).find((slug) => slug !== "") ??
  `post-${createHash("sha256").update(path).digest("hex").slice(0, 8)}`
