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
 * Whether a heading keeps the id of its own words in a translation: a table of contents by hand leads there.
 * @param ids of the headings of the original
 * @returns asked with the id of the words and the original's: where any link leads to that, the heading has it
 */
export const keepsOwn = (parts: string[], ids: string[]): ((own: string, anchor: string) => boolean) => {
  const linked = ids.length > 0 ? valuesIn(parts, / href="#([^"]*)"/g) : new Set()
  const isLinked = (id: string): boolean => linked.has(encodeURI(id.toWellFormed()))
  const others = new Set(ids)
  return (own, anchor) => isLinked(own) && !isLinked(anchor) && !others.has(own)
}
