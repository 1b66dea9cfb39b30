// What CommonMark takes characters for (sections 2.1 to 2.3).

export const LINE_ENDING = /\r\n|\r|\n/g

/** @param pattern a global one that matches no empty text */
export const count = (text: string, pattern: RegExp): number => {
  let matches = 0
  // `match` would hold each of them, which takes eight times as long. The last test resets the pattern.
  while (pattern.test(text)) matches++
  return matches
}

/** Other whitespace than spaces and tabs is text. */
export const isBlank = (line: string): boolean => /^[ \t]*$/.test(line)

const BYTE_ORDER_MARK = "\uFEFF"

/** A document without its byte order mark, which is none of its text. */
export const withoutMark = (document: string): string =>
  document.startsWith(BYTE_ORDER_MARK) ? document.slice(1) : document

/** A parser drops one byte order mark: a second one is text. */
export const asDocument = (text: string): string => (text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text)
