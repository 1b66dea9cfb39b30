// What CommonMark takes characters for (sections 2.1 to 2.3).

export const LINE_ENDING = /\r\n|\r|\n/g

export const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Other whitespace than spaces and tabs is text. */
export const isBlank = (line: string): boolean => /^[ \t]*$/.test(line)

const BYTE_ORDER_MARK = "\uFEFF"

/** A document without its byte order mark, which is none of its text. */
export const withoutMark = (document: string): string =>
  document.startsWith(BYTE_ORDER_MARK) ? document.slice(1) : document

/** A parser drops one byte order mark: a second one is text. */
export const asDocument = (text: string): string => (text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text)
