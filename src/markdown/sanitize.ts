import type { Root } from "hast"
import { defaultSchema, sanitize as filter, type Schema } from "hast-util-sanitize"

// What HTML is allowed: whatever made it, only what stands in this list is stored and served.

const tagNames = defaultSchema.tagNames ?? []
const attributes = defaultSchema.attributes ?? {}

/** GitHub's elements, without those that load something by themselves, and a few that blogs use. */
const TAGS = [
  ...tagNames.filter((name) => name !== "picture" && name !== "source"),
  ..."abbr cite figcaption figure mark small u".split(" "),
]

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]

/** They change how a page works, or are names that scripts and styles of a page go by. */
const NOT_OF_AUTHORS = new Set(
  "accessKey acceptCharset accept action className encType htmlFor id isMap media method name style tabIndex useMap".split(
    " ",
  ),
)
const ON_ALL = (attributes["*"] ?? []).filter((name) => typeof name !== "string" || !NOT_OF_AUTHORS.has(name))

const SCHEMA: Schema = {
  ...defaultSchema,
  tagNames: TAGS,
  attributes: {
    ...attributes,
    ...Object.fromEntries(HEADINGS.map((name) => [name, ["id", ["className", "sr-only"]]])),
    "*": ON_ALL,
    a: [...(attributes["a"] ?? []), "id"],
    code: [["className", /^language-./, "math-inline", "math-display"]],
    img: ["alt", "src", "title"],
    input: [["disabled", true], ["type", "checkbox"], "checked"],
    li: [
      ["className", "task-list-item"],
      ["id", /^fn-/],
    ],
  },
  ancestors: { ...defaultSchema.ancestors, input: ["li"] },
  protocols: {
    ...defaultSchema.protocols,
    href: ["http", "https", "irc", "ircs", "mailto", "sms", "tel", "xmpp"],
  },
  // Ids are told apart when headings get theirs.
  clobber: [],
  // Their text was never meant to be read.
  strip: [
    "audio canvas math noembed noframes noscript object plaintext script select style svg template textarea title video xmp",
  ].flatMap((names) => names.split(" ")),
}

/** Whether an element of raw HTML is shown as what it is. */
export const isAllowedTag = (name: string): boolean => name !== "input" && TAGS.includes(name)

/** Elements that an author's HTML may not have, whose content goes with them. */
export const isStrippedTag = (name: string): boolean => SCHEMA.strip?.includes(name) ?? false

/** Filters elements, attributes and protocols by an allow-list. */
export const sanitize = (tree: Root): Root => filter(tree, SCHEMA) as Root
