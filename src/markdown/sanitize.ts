import type { Root } from "hast"
import { defaultSchema, sanitize as filter, type Schema } from "hast-util-sanitize"

import { SCHEMES } from "./links.ts"

// The allow-list of HTML. Only what it contains is stored and served, no matter where the HTML comes from.

const tagNames = defaultSchema.tagNames ?? []
const attributes = defaultSchema.attributes ?? {}

/** GitHub's elements, without those that load files, and a few more that blogs use. */
const TAGS = [
  ...tagNames.filter((name) => name !== "picture" && name !== "source"),
  ..."abbr cite figcaption figure mark small u".split(" "),
]

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]

/** Attributes that change how a page works, or that its scripts and styles select by. */
const FORBIDDEN_ATTRIBUTES = new Set(
  "accessKey acceptCharset accept action className encType htmlFor id isMap media method name style tabIndex useMap".split(
    " ",
  ),
)
const GLOBAL_ATTRIBUTES = (attributes["*"] ?? []).filter(
  (name) => typeof name !== "string" || !FORBIDDEN_ATTRIBUTES.has(name),
)

const SCHEMA: Schema = {
  ...defaultSchema,
  tagNames: TAGS,
  attributes: {
    ...attributes,
    ...Object.fromEntries(HEADINGS.map((name) => [name, ["id", ["className", "sr-only"]]])),
    "*": GLOBAL_ATTRIBUTES,
    a: [...(attributes["a"] ?? []), "id"],
    // Matches `language-js`. Does not match `language-`.
    code: [["className", /^language-./, "math-inline", "math-display"]],
    img: ["alt", "src", "title"],
    input: [["disabled", true], ["type", "checkbox"], "checked"],
    li: [
      ["className", "task-list-item"],
      // Matches `fn-1`. Does not match `fnref-1`.
      ["id", /^fn-/],
    ],
  },
  ancestors: { ...defaultSchema.ancestors, input: ["li"] },
  protocols: { ...defaultSchema.protocols, href: SCHEMES },
  // IdRegistry makes ids unique.
  clobber: [],
  // Elements that are removed with their content, because it is not meant to be read.
  strip: [
    "audio canvas math noembed noframes noscript object plaintext script select style svg template textarea title video xmp",
  ].flatMap((names) => names.split(" ")),
}

/** Tells whether an author may use an element in raw HTML. @param name in lower case */
export const isAllowedTag = (name: string): boolean => name !== "input" && TAGS.includes(name)

/** Tells whether raw HTML loses an element with its content, such as `script`; others only lose their tags. @param name in lower case */
export const isStrippedTag = (name: string): boolean => SCHEMA.strip?.includes(name) ?? false

/** Returns a copy of a tree without the elements, attributes and protocols that the allow-list does not contain. */
export const sanitize = (tree: Root): Root => filter(tree, SCHEMA) as Root
