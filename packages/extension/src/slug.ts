import { RESERVED_SLUGS } from "../../../src/limits.ts"
import { slugify } from "../../edgepost/src/folder/slugify.ts"

/** Makes the slug of a title, as the command line does. Returns an empty text for a title without letters or digits. */
export const slugOf = (title: string): string => {
  const slug = slugify(title)
  return RESERVED_SLUGS.includes(slug) ? `post-${slug}` : slug
}
