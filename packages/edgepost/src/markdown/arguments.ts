// Reads the arguments of shortcodes, Liquid tags and JSX tags.

/** The arguments of a tag. */
export interface Arguments {
  positional: string[]
  /** By name in lower case. */
  named: Map<string, string>
  /** All of them as the tag has them. */
  text?: string
}

/** Matches `a="b c"`, `a: 'b'`, `a={"b"}`, `"b \"c\""`, `` `b` `` and `https://e.x`. Does not match `,` or ` `. */
const ARGUMENT =
  /(?:([a-z_][\w.-]*)\s*(?:=\s*|:\s*(?=["'`])))?(?:"((?:\\[^]|[^"\\])*)"|'((?:\\[^]|[^'\\])*)'|`([^`]*)`|\{(["'`])([^"'`{}]*)\5\}|([^\s,"'`]+))/gi

/** Matches `\"` and `\\`. Does not match `\n`. */
const ESCAPE = /\\(["'\\])/g
/** Matches `"a"` and `"a" "b"`: arguments in single quotes. Does not match `a "b"`. */
const QUOTED_AGAIN = /^\s*"[^"]*"(?:\s+"[^"]*")*\s*$/

/** Reads positional and named arguments, with quotes of all kinds, or without. */
export const readArguments = (text: string): Arguments => {
  const positional: string[] = []
  const named = new Map<string, string>()
  for (const [, name, double, single, back, , braced, bare] of text.matchAll(ARGUMENT)) {
    const value = double?.replaceAll(ESCAPE, "$1") ?? single?.replaceAll(ESCAPE, "$1") ?? back ?? braced ?? bare ?? ""
    if (name !== undefined) named.set(name.toLowerCase(), value)
    else if (single !== undefined && QUOTED_AGAIN.test(single)) positional.push(...readArguments(single).positional)
    else positional.push(value)
  }
  return { positional, named, text }
}

/** Returns the first of the named arguments that the tag has. */
export const pick = ({ named }: Arguments, ...names: string[]): string | undefined =>
  names.map((name) => named.get(name)).find((value) => value !== undefined && value !== "")
