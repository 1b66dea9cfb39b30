import { parseMediaPath, sourceSet, type StoredWidths } from "../images/image.ts"
import { wordsFor } from "./words.ts"

/** Matches a tag with its attributes, `<a href="/x">` and `</a>`. Does not match `a < b`, nor a tag inside an attribute. */
const TAG = /<\/?[a-z](?:[^"<>]|"[^"]*")*>/g

/** Matches the tags that `renderBody` may change, such as `<table>`, `</table>` and `<pre>`. Does not match `<p>`. */
const CHANGING = /^<(?:\/?table|pre|math|input|a|img)\b/

/** Adds the smaller widths of an image of the service. */
const withWidths = (tag: string, images: StoredWidths[]): string => {
  const [, src = ""] = / src="([^"]*)"/.exec(tag) ?? []
  const path = parseMediaPath(src)
  const image = path && path.width === undefined && images.find(({ id }) => id === path.imageId)
  const set = image ? sourceSet(path.username, image) : ""
  return set ? tag.replace(/^<img/, () => `<img ${set}`) : tag
}

/**
 * Returns the HTML of a text for its page: keyboards reach what may scroll sideways, checkboxes of tasks have a name, and links
 * between posts lead to the blog's own address at once, images have smaller widths. The first one is loaded at once.
 * @param lang BCP 47 code of the text
 * @param username of the author
 * @param home the absolute URL of the blog
 * @param images those of the post
 * @param hasCover the page shows an image above the text
 */
export const renderBody = (
  content: string,
  {
    lang,
    username,
    home,
    images,
    hasCover,
  }: { lang: string; username: string; home: string; images: StoredWidths[]; hasCover: boolean },
): string => {
  let isFirst = !hasCover
  return content.replaceAll(TAG, (tag) => {
    if (!CHANGING.test(tag)) return tag
    if (tag.startsWith("<img")) {
      const sized = withWidths(tag, images)
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
