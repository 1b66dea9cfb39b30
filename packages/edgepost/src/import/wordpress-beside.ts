import { textOfField, listIn, type JsonFields } from "./data.ts"
import { isImageFile } from "./images.ts"
import { linkTo } from "./wordpress-shortcodes.ts"
import { metaIn, valueIn } from "./wordpress-xml.ts"

// Reads what WordPress keeps beside the text of a post: its old addresses, and links to an episode or a film.

/** Pages of a post whose addresses are kept. */
const MAX_PAGES = 100

/**
 * Returns the addresses that WordPress answers with a post: its own, those of earlier slugs and days, and of its pages.
 * @param site `pages` has the addresses of other pages; those of earlier slugs and days are added
 */
export const oldAddresses = (item: JsonFields, { url, pages }: { url: string; pages: Set<string> }): string[] => {
  const [link, id, name] = ["link", "wp:post_id", "wp:post_name"].map((key) => valueIn(item, key)) as [
    string,
    string,
    string,
  ]
  if (valueIn(item, "wp:status") !== "publish" || link === "") return []
  const at = name === "" ? -1 : link.lastIndexOf(name)
  const slugs =
    at < 0 ? [] : metaIn(item, "_wp_old_slug").map((slug) => link.slice(0, at) + slug + link.slice(at + name.length))
  const days = metaIn(item, "_wp_old_date").flatMap((day) => {
    const [year, month, date] = day.split("-")
    // Matches the day of an address, `/2024/05/` and `/2024/05/01/`. Does not match `/2024/`.
    return [link, ...slugs].map((each) =>
      each.replace(/\/\d{4}\/\d\d(\/\d\d)?(?=\/)/, (_, own) => `/${year}/${month}${own ? `/${date}` : ""}`),
    )
  })
  const count = link.includes("?") ? 1 : textOfField(item, "content:encoded").split("<!--nextpage-->", MAX_PAGES).length
  const end = link.endsWith("/") ? "/" : ""
  // Matches the slash at the end.
  const parts = Array.from({ length: count - 1 }, (_, i) => `${link.replace(/\/$/, "")}/${i + 2}${end}`)
  // An earlier slug may be that of another post now.
  const earlier = [...slugs, ...days].filter((each) => !pages.has(each))
  for (const each of earlier) pages.add(each)
  return [...new Set([link, ...(id === "" ? [] : [`${url}/?p=${id}`]), ...earlier, ...parts])]
}

/** Matches keys of meta that hold an episode, a film or a link: `enclosure`, `_format_video_embed`, `_links_to`. Does not match `_oembed_a`, `permalink`. */
const LINKED =
  /(?:^|[_:-])(?:enclosure|video|audio|podcast|episode|film|movie|media|embed|sound|track|mp[34]|youtube|vimeo|links?|external|source)(?=$|[_:-])/i

/** Returns what themes and plugins show beside the text of a post: links to an episode, a film, a page. */
export const linksIn = (item: JsonFields, text: string): string => {
  const found = listIn(item, "wp:postmeta").flatMap((meta) => {
    const value = valueIn(meta, "wp:meta_value")
    // Matches an address alone on the first line, or that of a frame. Does not match a sentence with one.
    const [, line, frame] =
      /^(https?:\/\/[^\s<>"]+)(?:\n|$)|<(?:iframe|embed|audio|video|source)\s[^>]*src=["'](https?:[^"']+)/.exec(
        value,
      ) ?? []
    const url = line ?? frame ?? ""
    return LINKED.test(valueIn(meta, "wp:meta_key")) &&
      !isImageFile(url) &&
      !/canonical/.test(valueIn(meta, "wp:meta_key"))
      ? [url]
      : []
  })
  // Matches the scheme.
  const isNew = (url: string) =>
    !text
      .replaceAll("&amp;", "&")
      .replaceAll("\\/", "/")
      .includes(url.replace(/^https?:/, ""))
  return [...new Set(found)].filter(isNew).map(linkTo).join("")
}

/** Returns warnings of texts that a plugin keeps in fields beside a post. */
export const unreadFields = (meta: Map<string, string>): string[] => {
  const names = [...meta.keys()].filter((key) => meta.get(key) !== "" && meta.get(`_${key}`)?.startsWith("field_"))
  return names.length > 0 ? [`Its fields are left out: ${names.slice(0, 20).join(", ")}.`] : []
}
