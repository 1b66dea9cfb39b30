import { posix } from "node:path"

import { asText } from "../folder/values.ts"
import type { Tool } from "./tool.ts"

// By its documentation, support.typora.io/Images.

/** Returns the path of a link below the root that a text gives its links. One of the author's machine says nothing. */
export const pathBelowRoot: NonNullable<Tool["pathOfLink"]> = (href, _, page) => {
  const root = asText(page?.["typora-root-url"])?.replaceAll("\\", "/") ?? ""
  // Matches `/a.png`. Does not match `//e.x/a.png`.
  return /^\/(?!\/)/.test(href) && !/^(?:$|\/|[a-z]+:)/i.test(root) ? posix.join(root, href) : href
}

export const typora: Tool = {
  name: "Typora",
  isOfNotes: true,
  // `/a.png` below `typora-root-url`, if that is a path from the file.
  pathOfLink: pathBelowRoot,
  // None of them.
  comments: [],
}
