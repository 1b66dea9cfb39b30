import { emojiOf } from "../html/emoji.ts"
import { readHtml } from "./html.ts"
import { foreign, MAX_TAG_CHARS, type Reader, replace, type Step } from "./reader.ts"
import { escapeHtml } from "./write.ts"

// Reads the attributes of JSX: the paths of images that stand in them as plain texts, and what only lays out an element.

/** Matches a name for a file: `import boat from "./boat.png"`, `const a = require('./a.png')`. Does not match `import A from "./A"`. */
const NAMED =
  /^(?:import[ \t]+([\w$]+)[ \t]+from[ \t]+|(?:export[ \t]+)?const[ \t]+([\w$]+)[ \t]*=[ \t]*\w+\([ \t]*)(["'])([^"'\n]+\.\w+(?:\?[^"'\n]*)?)\3/gm
/** Matches `"a"`, `require('./a.png').default` and `useBaseUrl("/a.png")`. Does not match `"a" + b` and `` `${a}` ``. */
const TEXT =
  /^(?:(?:require|useBaseUrl|await\s+import)\(\s*(["'`])([^"'`\n{}]*)\1\s*\)|(["'`])([^"'`\n{}]*)\3)(?:\.default)?(?:\.src)?$/
/** Matches `boat`, `boat.src` and `boat.default`. Does not match `a.boat`. */
const NAME = /^([\w$]+?)(?:\.(?:default|src))?$/
/** Matches `300` and `0.5`. Does not match `a`. */
const NUMBER = /^[\d.]+$/
/** Matches what `{{` begins in JSX: ` width: 300`. Does not match ` site.title `. */
const OBJECT = /^\{\s*(?:["']?[\w-]+["']?\s*:|\.\.\.|\})/
/** Matches the width of `{ maxWidth: 9, width: "50%" }`. Does not match `{ maxWidth: 9 }`. */
const WIDTH = /(?:^|[{,\s])width["']?\s*:\s*["']?(\d+%?)/

/** An attribute, with a value in braces if it has one of JSX: `a="b"`, `a={b}`, `{...b}`. */
const ATTRIBUTE = String.raw`\s+(?:[a-z_@:][\w:.@-]*(?:=(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|[^\s"'{}<>=]+))?|\{\s*\.\.\.[^{}]*\})`
/** Matches `<img a="b" c={d} />`. Does not match `<img a="b` and `<Img>`. */
const ELEMENT = new RegExp(String.raw`^<([a-z][\w-]*)((?:${ATTRIBUTE})+)\s*\/?>`, "i")
/** Matches ` a={b}` and ` {...b}`, with the name and the value. Does not match ` a="b"`. */
const IN_BRACES =
  /\s+(?:([a-z_@:][\w:.@-]*)=\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}|\{\s*\.\.\.[^{}]*\})|"[^"]*"|'[^']*'/gi
/** Names of attributes that readers see, on elements of HTML. */
const SEEN = /^(?:alt|height|href|src|title|width)$/
/** Names of attributes that only lay out a component of an image. */
const LAYOUT =
  /^(?:class(?:name)?|densities|fit|formats|height|inferSize|layout|loading|placeholder|position|priority|quality|sizes|style|widths?|on[A-Z]\w*)$/i

const named = new WeakMap<Reader, Map<string, string>>()

/** Returns the paths of files by the names that a text imports them under. */
const filesOf = (reader: Reader): Map<string, string> => {
  const found =
    named.get(reader) ??
    new Map(
      Array.from(reader.text.matchAll(NAMED), ([, name, constant, , path = ""]) => [name ?? constant ?? "", path]),
    )
  named.set(reader, found)
  return found
}

/** Returns the text that an expression stands for; null if only its tool knows. */
const textOf = (reader: Reader, expression: string): string | null => {
  const value = expression.trim()
  const [, , path, , text] = TEXT.exec(value) ?? []
  if (path !== undefined || text !== undefined) return path ?? text ?? null
  if (NUMBER.test(value)) return value
  return filesOf(reader).get(NAME.exec(value)?.[1] ?? "") ?? null
}

/** Writes the attributes of a component with the texts that stand for expressions, and without those that only lay it out. */
export const plainAttributes = (reader: Reader, list: string): string =>
  list.includes("{")
    ? list.replaceAll(IN_BRACES, (whole, name?: string, value?: string) => {
        if (name === undefined || value === undefined) return whole
        const text = textOf(reader, value)
        if (text !== null && !text.includes('"')) return ` ${name}="${text}"`
        return LAYOUT.test(name) ? "" : whole
      })
    : list

/** Replaces an image of a character by that. Returns null for other images. */
const scanEmoji = ({ text }: Reader, at: number): Step | null => {
  // Matches the tag of an image. Does not match `<image>`.
  const [tag] = (text.startsWith("<img", at) && /^<img\s[^<>]*>/.exec(text.slice(at, at + 1000))) || []
  const [part] = tag === undefined ? [] : readHtml(tag)
  const emoji = part && emojiOf(part.attributes.get("class") ?? "", part.attributes.get("alt") ?? "")
  return emoji ? replace(at, at + (tag ?? "").length, emoji) : null
}

/** Writes the attributes of JSX as those of HTML. An image or a link whose address only its tool knows is foreign. Returns null for HTML. */
const scanExpressions = (reader: Reader, at: number): Step | null => {
  const brace = reader.find(/\{/g, at)
  if (!brace || brace.start > at + MAX_TAG_CHARS) return null
  const [whole, name = "", list = ""] = ELEMENT.exec(reader.text.slice(at, at + MAX_TAG_CHARS)) ?? []
  if (whole === undefined || !list.includes("{")) return null
  let isChanged = false
  let isKnown = true
  const written = list.replaceAll(IN_BRACES, (part, attribute?: string, value = "") => {
    // Another tool's braces: Liquid, and what is a text in HTML.
    if (/^["']/.test(part)) {
      if (part.includes("{{") || part.includes("{%")) isKnown = false
      return part
    }
    if (attribute === undefined) {
      isChanged = true
      return ""
    }
    if (value.startsWith("{") && !OBJECT.test(value)) isKnown = false
    const width = attribute === "style" && name === "img" ? WIDTH.exec(value)?.[1] : undefined
    const isSeen = SEEN.test(attribute)
    // A value without blanks and quotes is one of HTML as well.
    if (isSeen || /[\s"'`=<>]/.test(value)) isChanged = true
    if (width !== undefined) return ` width="${width}"`
    if (!isSeen) return ""
    const text = textOf(reader, value)
    return text === null ? part : ` ${attribute}="${escapeHtml(text)}"`
  })
  if (!isChanged || !isKnown) return null
  const end = at + whole.length
  // Matches an attribute that stays in braces. Does not match `"{a}"`.
  if (/=\{/.test(written)) return foreign(reader.text, at, end)
  return replace(
    at,
    end,
    whole.replace(list, () => written),
  )
}

/** Reads an element of HTML: an image of a character, or attributes of JSX. Returns null for one that stays as it is. */
export const scanHtmlElement = (reader: Reader, at: number): Step | null =>
  scanEmoji(reader, at) ?? scanExpressions(reader, at)
