import { parseMediaPath, sourceSet } from "../images/image.ts"
import { wordsFor } from "./words.ts"

/** Matches a tag with its attributes, `<a href="/x">` and `</a>`. Does not match `a < b`, nor a tag inside an attribute. */
const TAG = /<\/?[a-z](?:[^"<>]|"[^"]*")*>/g

/** Matches the tags that `renderBody` may change, such as `<table>`, `</table>` and `<pre>`. Does not match `<p>`. */
const CHANGING = /^<(?:\/?table|pre|math|input|a|img)\b/

/** Adds the smaller sizes of an image of the service. */
const withSizes = (tag: string): string => {
  const [, src = ""] = / src="([^"]*)"/.exec(tag) ?? []
  const [, width = ""] = / width="(\d+)"/.exec(tag) ?? []
  const path = parseMediaPath(src)
  const set = path && path.width === undefined ? sourceSet(path.username, path.imageId, Number(width)) : ""
  return set && tag.replace(/^<img/, () => `<img ${set}`)
}

/**
 * Returns the HTML of a text for its page: keyboards reach what may scroll sideways, checkboxes of tasks have a name, and links
 * between posts lead to the blog's own address at once, images have smaller sizes. The first one is loaded at once.
 * @param lang BCP 47 code of the text
 * @param username of the author
 * @param home the absolute URL of the blog
 * @param hasCover the page shows an image above the text
 */
export const renderBody = (
  content: string,
  lang: string,
  username: string,
  home: string,
  hasCover: boolean,
): string => {
  let isFirst = !hasCover
  return content.replaceAll(TAG, (tag) => {
    if (!CHANGING.test(tag)) return tag
    if (tag.startsWith("<img")) {
      const sized = withSizes(tag) || tag
      const shown = isFirst ? sized.replace(' loading="lazy"', "") : sized
      isFirst = false
      return shown
    }
    if (tag.startsWith("<a ")) return tag.replace(` href="/@${username}/`, () => ` href="${new URL(home).pathname}`)
    if (tag.startsWith("<table")) return `<div class="wide" tabindex="0">${tag}`
    if (tag === "</table>") return `${tag}</div>`
    return tag
      .replace(/^<pre\b/, '<pre tabindex="0"')
      .replace(/^<math display="block"/, '<math display="block" tabindex="0"')
      .replace(/^<input type="checkbox"/, `<input type="checkbox" aria-label="${wordsFor(lang).task}"`)
  })
}
