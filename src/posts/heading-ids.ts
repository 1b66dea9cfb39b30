// Ids of headings that stored HTML has, for those of a translation of it.

// Sound on the compiler's output and on what was stored: both escape every `<` of the author.
const HEADING = /<h([1-6])(?: id="([^"]*)")?/g

interface Heading {
  level: string
  id: string
}

const headingsIn = (html: string): Heading[] =>
  [...html.matchAll(HEADING)].map(([, level = "", id = ""]) => ({ level, id }))

const valuesIn = (parts: string[], attribute: RegExp): Set<string> =>
  new Set(parts.flatMap((part) => [...part.matchAll(attribute)].map(([, value = ""]) => value)))

/** Ids of the headings of stored HTML, where some parts have the like of all of them: links to them lead there, too. */
export const idsLike = (parts: string[], original: string, idPrefix: string): string[] => {
  const ids = headingsIn(original).map(({ level, id }) => ({ level, id: id.slice(idPrefix.length) }))
  const headings = parts.flatMap(headingsIn)
  if (headings.map(({ level }) => level).join() !== ids.map(({ level }) => level).join()) return []
  // Those of footnotes are theirs.
  const taken = valuesIn(parts, / id="([^"]*)"/g)
  const isFree = ids.every(({ id }, i) => !taken.has(id) || headings[i]?.id === id)
  return isFree ? ids.map(({ id }) => id) : []
}

/**
 * Of the ids of a heading's own words, those that it keeps in a translation: a table of contents by hand leads there.
 * @param ids of the headings of the original: where any link leads to one, its heading keeps that
 * @returns to be asked once for each heading without an id, in order
 */
export const keepsOwn = (parts: string[], ids: string[]): ((own: string) => boolean) => {
  if (ids.length === 0) return () => true
  const linked = valuesIn(parts, / href="#([^"]*)"/g)
  const isLinked = (id: string): boolean => linked.has(encodeURI(id.toWellFormed()))
  const others = new Set(ids)
  const headings = parts.flatMap(headingsIn)
  const anchors = ids.filter((_, i) => headings[i]?.id === "").values()
  return (own) => {
    const { value: anchor = "" } = anchors.next()
    return isLinked(own) && !isLinked(anchor) && !others.has(own)
  }
}
