import type { Element } from "hast"

import { idPrefix } from "./post.ts"

// Ids in a post's HTML, and links to them.

/** A link to a place on the page of a post, in its own language or in another. */
const TO_POST = /^(\/(?:@|%40)[^/?#]+\/([a-z0-9-]+)(?:\/[^/?#]*){0,2})#(.+)$/

/** A heading of another post is named by its words, as one of the same post is; or as its page has it, where it may be that. */
const prefixLink = (href: string, prefix: string): string => {
  if (href.startsWith("#") && href !== "#") return `#${prefix}${href.slice(1)}`
  const [, page, slug = "", id = ""] = TO_POST.exec(href) ?? []
  return page && !id.startsWith(idPrefix(slug)) ? `${page}#${idPrefix(slug)}${id}` : href
}

/** Ids of a post and links to them begin with its prefix, so that posts can share a page and none can name the page's own. */
export const prefixIds = ({ properties }: Element, prefix: string): void => {
  const { id, href, ariaDescribedBy } = properties
  if (typeof id === "string") properties["id"] = prefix + id
  if (Array.isArray(ariaDescribedBy)) properties["ariaDescribedBy"] = ariaDescribedBy.map((name) => `${prefix}${name}`)
  if (typeof href === "string") properties["href"] = prefixLink(href, prefix)
}
