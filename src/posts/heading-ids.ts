// Ids of headings that stored HTML has, for those of a translation of it.

// Sound on the compiler's output and on what was stored: both escape every `<` of the author.
const HEADING = /<h([1-6])(?: id="([^"]*)")?/g

interface Heading {
  level: string
  id: string
}

const headingsIn = (html: string): Heading[] =>
  [...html.matchAll(HEADING)].map(([, level = "", id = ""]) => ({ level, id }))

/** Ids of the headings of stored HTML, where some parts have the like of all of them: links to them lead there, too. */
export const idsLike = (parts: string[], original: string, idPrefix: string): string[] => {
  const headings = headingsIn(original)
  const levels = parts.flatMap(headingsIn).map(({ level }) => level)
  const isAlike = levels.join() === headings.map(({ level }) => level).join()
  return isAlike ? headings.map(({ id }) => id.slice(idPrefix.length)) : []
}
