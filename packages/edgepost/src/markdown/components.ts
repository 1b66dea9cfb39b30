import { type Arguments, pick, readArguments } from "./arguments.ts"
import { hasMoreThanTitle, hasWords, titleOf } from "./elements.ts"
import { withoutComments } from "./hidden.ts"
import { isComponent } from "./html.ts"
import { plainAttributes } from "./jsx-attributes.ts"
import { escapeName, leaveOut, MAX_TAG_CHARS, type Reader, type Step, type Tag } from "./reader.ts"
import type { Conversion } from "./shortcodes.ts"

// Reads containers between `:::`, components of JSX and Vue, and elements with own names.

/** Matches `:::note Title`, `::: tip[Title]{.a}`, `:::{.callout-note}`, `::: {a=b}`, `:::{note} Title` and `:::`. Does not match `:::a:b`. */
const DIRECTIVE =
  /^(?<colons>:{3,})[ \t]*(?:\{[ \t]*\.(?:callout-)?(?<byClass>[\w-]+)(?<more>[^{}]*)\}|\{(?<own>[a-z][\w-]*)\}(?<given>.*)|(?<word>[a-z][\w-]*))?(?:\[(?<label>.*)\])?(?:[ \t]+(?<rest>[^{}]*))?(?:\{(?<list>[^{}]*)\})?$/i
const MAX_LINE_CHARS = 500
/** Matches the lines of options after the first line of MyST's containers: `:alt: A boat`. Does not match `a: b`. */
const OPTIONS = /^(?:\r?\n[ \t>]*:[\w-]+:[^\n]*)+/
/** Matches the end of a container without content. Does not match one after text. */
const EMPTY_END = /^[\s>]*\n[ \t>]*(:{3,})[ \t]*(?=\r?\n|$)/

/** Writes a tag that needs no end as one around its content. */
const aroundContent = (conversion: Extract<Conversion, { as: "text" }>): Conversion => ({
  as: "template",
  write: (call) => [`${conversion.write(call, false, "") ?? ""}\n`, ""],
})

export const scanDirective = (reader: Reader, at: number): Step | null => {
  const { text, lines, names } = reader
  if (lines.markersBefore(at) === null) return null
  let end = lines.end(at)
  // Matches colons after a name, which say nothing: ` :::` of `::: note :::`.
  const line = (withoutComments(text.slice(at, Math.min(end, at + MAX_LINE_CHARS))) ?? "").replace(/[ \t]:{3,}$/, "")
  const { groups } = DIRECTIVE.exec(line) ?? {}
  if (!groups) return null
  const { colons = "", byClass, more = "", own, given = "", word, label, rest = "", list = "" } = groups
  // A container with attributes alone is one of HTML.
  const name = byClass ?? own ?? word ?? (list === "" ? "" : "div")
  if (name === "" && line !== colons) return null
  const [options = ""] = own === undefined ? [] : (OPTIONS.exec(text.slice(end, end + MAX_TAG_CHARS)) ?? [])
  end += options.length
  // Matches `:alt: A`, with both parts.
  const pairs = [...options.matchAll(/:([\w-]+):[ \t]*([^\r\n]*)/g)].map(
    ([, key = "", value = ""]) => [key, value.trim()] as const,
  )
  const { named } = readArguments(more + list)
  const title = label ?? pick({ positional: [], named }, "title", "label") ?? (own === undefined ? rest : given).trim()
  const call: Arguments = { positional: [], named: new Map([...named, ...pairs, ["title", title]]) }
  call.named.delete("label")
  if (own === "figure" || own === "image") call.named.set("src", title).delete("title")
  const [empty = "", sign] = name === "" ? [] : (EMPTY_END.exec(text.slice(end, end + 200)) ?? [])
  const isEmpty = sign === colons
  const known = names.elementOf(name, call) ?? (isEmpty && own === undefined ? titleOf(list, call) : undefined)
  if (isEmpty && !known && own === undefined && !hasWords(list, call))
    return leaveOut(at, end + empty.length, `${colons}${name}`)
  if (isEmpty && known?.as === "text") end += empty.length
  // A container around Markdown that is not known is removed, and its content stays.
  const isRemoved = own === undefined && !isEmpty && !hasMoreThanTitle(list, call)
  const other: Conversion | undefined = isRemoved ? { as: "content" } : undefined
  const conversion = known?.as === "text" && !isEmpty ? aroundContent(known) : (known ?? other)
  const tag: Tag = {
    start: at,
    end,
    syntax: "directive",
    name,
    shown: `:::${name}`,
    isClose: name === "",
    colons: colons.length,
    arguments: call,
    conversion,
    hasEnd: true,
  }
  // Matches the colons that close the container. Does not match `:::note`.
  const close = name === "v-pre" ? reader.find(new RegExp(`^[ \\t>]*:{${colons.length}}[ \\t]*$`, "gm"), end) : null
  if (close) reader.literalUntil = Math.max(reader.literalUntil, close.start)
  return { item: { tag }, end }
}

/** Matches `<Name a="b" :c="d">`, `<a-b/>` and `</Name>`. Does not match `<Name {`. */
const TAG =
  /^<(\/?)[a-z][\w.-]*((?:\s+[\w:.@#-]+(?:=(?:"[^"]*"|'[^']*'|\{[^{}]*\}|\{\{[^{}]*\}\}))?|\s+\{[^{}]*\})*)\s*(\/?)>/i
/** Matches elements with own names, and not those of MathML. Does not match `<b>`. */
const OWN_ELEMENT = /^(?!annotation-)[a-z]\w*-[\w-]+$/

export const scanElement = (reader: Reader, at: number, isMdx: boolean): Step | null => {
  const { text, names } = reader
  // Matches `<Tabs`, `</A.B` and `<a-b`, before ` `, `/` or `>`. Does not match `<tabs`.
  const [start, name = ""] = /^<\/?([A-Z][\w.]*|[a-z]\w*-[\w-]+)(?=[\s/>])/.exec(text.slice(at, at + 100)) ?? []
  // `List<String>` is prose. Matches `t`. Does not match ` `.
  if (start === undefined || (!isMdx && start[1] !== "/" && /\w/.test(text[at - 1] ?? ""))) return null
  const [whole, slash = "", written = "", self = ""] = TAG.exec(text.slice(at, at + MAX_TAG_CHARS)) ?? []
  const list = plainAttributes(reader, written)
  const call = readArguments(list)
  let end = at + (whole ?? start).length
  // Matches the end of an element without content.
  const ending = self + slash === "" ? new RegExp(`^\\s*</${escapeName(name)}\\s*>`) : null
  const [close = ""] = ending?.exec(text.slice(end, end + MAX_TAG_CHARS)) ?? []
  const isEmpty = self + close !== ""
  const isOwn = OWN_ELEMENT.test(name)
  const found = names.elementOf(name, call)
  const isAround = found === undefined || found.as === "content"
  const known = whole === undefined ? undefined : (isEmpty && isAround && !isOwn && titleOf(list, call)) || found
  const isTemplate = known?.as === "template"
  const isPair = known !== undefined && ["alert", "details", "section", "content"].includes(known.as)
  // Matches `{a}`. Does not match `{"a"}`.
  const isPlain = known?.as === "content" || !/\{(?!(["'`])[^"'`{}]*\1\})/.test(list)
  // An element with an own name was never text for readers.
  const isWritten = known?.as === "text" && isEmpty && !(isOwn && known.write(call, false, "") === null)
  const isKnown = isTemplate || (isPlain && (isPair ? !isEmpty : isWritten))
  const isWordless = isOwn || (isComponent(name) && (!known || isPair) && !hasWords(list, call))
  if (whole !== undefined && isEmpty && !isKnown && isWordless) return leaveOut(at, end + close.length, `<${name}>`)
  if (isOwn ? !isKnown || isPair : !isKnown && !isComponent(name)) return null
  if (isKnown && !isPair && !isTemplate) end += close.length
  const tag: Tag = {
    start: at,
    end,
    syntax: "jsx",
    name,
    shown: `<${name}>`,
    isClose: slash !== "",
    arguments: call,
    conversion: isKnown ? known : undefined,
    hasEnd: isTemplate && self === "" && reader.find(new RegExp(`</${escapeName(name)}\\s*>`, "g"), end) !== null,
  }
  return { item: { tag }, end }
}
