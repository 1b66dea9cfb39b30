import { html, Tokenizer, TokenizerMode } from "parse5"

// Reads the tags of raw HTML, with the positions of their attributes.

/** A tag, or a piece of text between tags. */
export interface HtmlPart {
  /** Name of a start tag in lower case, a closed name such as `/a`, or "" for text. */
  name: string
  /** Text of a piece of text. */
  text: string
  attributes: Map<string, string>
  /** The place of a comment that is not empty. */
  comment?: { start: number; end: number }
  /** Returns where an attribute stands in the source: name, `=` and value. */
  spanOf: (attribute: string) => { start: number; end: number } | null
}

/** Elements that contain no tags. */
const RAW_TEXT = new Set("iframe noembed noframes noscript script style textarea title xmp".split(" "))
const HTML_NAMES = new Set<string>(Object.values(html.TAG_NAMES))
const NOTHING = { attributes: new Map<string, string>(), spanOf: () => null }
const ignore = (): void => undefined

/** Reads raw HTML as a browser does. */
export const readHtml = (source: string): HtmlPart[] => {
  const parts: HtmlPart[] = []
  const addText = ({ chars }: { chars: string }): number => parts.push({ ...NOTHING, name: "", text: chars })
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: ({ tagName, attrs, location }) => {
        if (RAW_TEXT.has(tagName)) tokenizer.state = TokenizerMode.RAWTEXT
        parts.push({
          name: tagName,
          text: "",
          attributes: new Map(attrs.map(({ name, value }) => [name, value])),
          spanOf: (attribute) => {
            const span = location && "attrs" in location ? location.attrs?.[attribute] : undefined
            return span ? { start: span.startOffset, end: span.endOffset } : null
          },
        })
      },
      onEndTag: ({ tagName }) => parts.push({ ...NOTHING, name: `/${tagName}`, text: "" }),
      onCharacter: addText,
      onWhitespaceCharacter: addText,
      onNullCharacter: ignore,
      onComment: ({ data, location }) => {
        const comment = { start: location?.startOffset ?? 0, end: location?.endOffset ?? 0 }
        if (data.trim() !== "") parts.push({ ...NOTHING, name: "!--", text: "", comment })
      },
      onDoctype: ignore,
      onEof: ignore,
    },
  )
  tokenizer.write(source, true)
  return parts
}

/** HTML elements whose names readers' pages know with a capital, too: `<Details>` is one of HTML. */
const CAPITALIZED = new Set(
  "a abbr b blockquote br caption cite code dd del details div dl dt em figcaption figure hr i img ins kbd li mark ol p pre q small span strong sub summary sup table tbody td tfoot th thead tr u ul".split(
    " ",
  ),
)

/** Tells whether a tag's name is one of a JSX component: `Tabs`, `T`, `Image`. False for `Table`, `SCRIPT` and `a`. */
export const isComponent = (name: string): boolean => {
  // Matches `Tabs` and `A`. Does not match `a`.
  if (!/^[A-Z]/.test(name)) return false
  const lower = name.toLowerCase()
  return !(name === name.toUpperCase() ? HTML_NAMES : CAPITALIZED).has(lower)
}
