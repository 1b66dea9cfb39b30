import { html, type Token, Tokenizer, TokenizerMode } from "parse5"

// Reads the tags of raw HTML, with the positions of their attributes.

/** A tag, a comment, or a piece of text between them. */
export interface HtmlPart {
  /** Name of a start tag in lower case, a closed name such as `/a`, `!--` for a comment, or "" for text. */
  name: string
  /** The text of a comment or a piece of text. */
  text: string
  attributes: Map<string, string>
  /** Positions in the source: of the part, and of each attribute of a start tag (name, `=` and value). */
  location: Partial<Token.LocationWithAttributes> | null
}

/** Elements that contain no tags. */
const RAW_TEXT = new Set("iframe noembed noframes noscript script style textarea title xmp".split(" "))
const HTML_NAMES = new Set<string>(Object.values(html.TAG_NAMES))
const ignore = (): void => undefined

/** Reads raw HTML as a browser does. */
export const readHtml = (source: string): HtmlPart[] => {
  const parts: HtmlPart[] = []
  const add = (name: string, text: string, location: HtmlPart["location"] = null, attrs: Token.Attribute[] = []) =>
    parts.push({ name, text, location, attributes: new Map(attrs.map((each) => [each.name, each.value])) })
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: ({ tagName, attrs, location }) => {
        if (RAW_TEXT.has(tagName)) tokenizer.state = TokenizerMode.RAWTEXT
        add(tagName, "", location, attrs)
      },
      onEndTag: ({ tagName }) => add(`/${tagName}`, ""),
      onCharacter: ({ chars }) => add("", chars),
      onWhitespaceCharacter: ({ chars }) => add("", chars),
      onNullCharacter: ignore,
      onComment: ({ data, location }) => add("!--", data, location),
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
  return !(name === name.toUpperCase() ? HTML_NAMES : CAPITALIZED).has(name.toLowerCase())
}
