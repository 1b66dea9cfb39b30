import type { Element, ElementContent } from "hast"

import { cleanAddress, flatten, paragraph, type Replace, text } from "../html/simplify.ts"
import { attribute, element, findAll, findClass, findTag, hasClass, lineOf } from "../html/tree.ts"

// Replaces what editors of blogs make (cards, embeds, players) by links, quotes and details.

type Simplify = Parameters<Replace>[1]

/** Addresses of players and scripts, and of the pages that show the same. */
const PAGES: [RegExp, string][] = [
  // Matches `https://www.youtube.com/embed/abc?rel=0`. Does not match `https://www.youtube.com/embed/videoseries?list=a`.
  [
    /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/(?!videoseries)([\w-]+).*$/,
    "https://www.youtube.com/watch?v=$1",
  ],
  // Matches `https://player.vimeo.com/video/123?h=a`. Does not match `https://vimeo.com/123`.
  [/^https?:\/\/player\.vimeo\.com\/video\/(\d+).*$/, "https://vimeo.com/$1"],
  // Matches `https://gist.github.com/ann/0a1b.js?file=c.js`. Does not match `https://gist.github.com/ann/0a1b`.
  [/^(https:\/\/gist\.github\.com\/[^?#]+)\.js(?:\?.*)?$/, "$1"],
]

/** Returns a link as a paragraph; nothing without an address. */
const linkLine = (address: string, label = ""): Element[] => {
  const href = PAGES.reduce((url, [pattern, page]) => url.replace(pattern, page), cleanAddress(address))
  // Matches `https://e.x/a` and `/a`. Does not match `about:blank`.
  return !/^(?:https?:\/)?\//i.test(href) ? [] : [paragraph(element("a", { href }, [text(label || href)]))]
}

const lines = (texts: string[]): Element[] => texts.flatMap((line) => (line === "" ? [] : [paragraph(text(line))]))

/** Makes a link of a card, with the other texts of the card after it. */
const cardLines = (card: Element, simplify: Simplify): ElementContent[] => {
  const [link] = findTag(card, "a")
  const href = link ? attribute(link, "href") : ""
  // Matches `kg-bookmark-title`. Does not match `kg-bookmark-icon`.
  const parts = findAll(
    card,
    (each) =>
      each.tagName !== "figcaption" &&
      /-(?:title|description|caption|author|publisher|filename|filesize)$/.test(classText(each)),
  )
  const [first = "", ...others] = (parts.length > 0 ? parts : (link?.children ?? [])).map(lineOf).filter(Boolean)
  return [...linkLine(href, first), ...lines(others), ...captionsOf(card, simplify)]
}

const captionsOf = (card: Element, simplify: Simplify): Element[] =>
  findTag(card, "figcaption").map((caption) => paragraph(...simplify(caption.children)))

const classText = ({ properties }: Element): string => {
  const names = properties["className"]
  return Array.isArray(names) ? (names[0] ?? "") : ""
}

const mediaLines = (card: Element, simplify: Simplify): ElementContent[] => {
  const [player] = findTag(card, "audio", "video")
  const title = findAll(card, (each) => classText(each).endsWith("-title")).map(lineOf)[0]
  return [...linkLine(player ? sourceOf(player) : "", title), ...captionsOf(card, simplify)]
}

const sourceOf = (player: Element): string =>
  attribute(player, "src") || findTag(player, "source").map((source) => attribute(source, "src"))[0] || ""

/** Moves the link of an embedded post of a network, its last one, to a separate paragraph. */
const quotePost = (quote: Element): ElementContent[] => {
  const link = findTag(quote, "a").at(-1)
  if (!link) return [quote]
  const without = (nodes: ElementContent[]): ElementContent[] =>
    nodes.flatMap((node): ElementContent[] => {
      if (node === link) return []
      return node.type === "element" ? [{ ...node, children: without(node.children) }] : [node]
    })
  return [element("blockquote", {}, [...without(quote.children), paragraph(link)])]
}

/** Cards by a class of theirs. */
const CARDS: Record<string, (card: Element, simplify: Simplify) => ElementContent[]> = {
  "kg-bookmark-card": cardLines,
  "kg-file-card": cardLines,
  "graf--mixtapeEmbed": cardLines,
  "kg-audio-card": mediaLines,
  "kg-video-card": mediaLines,
  "kg-callout-card": (card, simplify) => {
    const emoji = findClass(card, "kg-callout-emoji")
    const rest = flatten(simplify(card.children.filter((child) => child !== emoji)))
    return [element("blockquote", {}, [paragraph(...(emoji ? [text(`${lineOf(emoji)} `)] : []), ...rest)])]
  },
  "kg-toggle-card": (card, simplify) => {
    const heading = findClass(card, "kg-toggle-heading-text")
    const content = findClass(card, "kg-toggle-content")
    const summary = element("summary", {}, heading ? flatten(simplify(heading.children)) : [])
    return [element("details", {}, [summary, ...simplify(content?.children ?? [])])]
  },
  "twitter-tweet": (quote, simplify) => quotePost(element("blockquote", {}, simplify(quote.children))),
  // Its address is made for each member.
  "kg-transistor-card": () => [],
  // Its preview and its button repeat the link.
  "wp-block-file": (card, simplify) => {
    const [link] = findTag(card, "a")
    if (!link) return findTag(card, "object").flatMap((object) => linkLine(attribute(object, "data")))
    return [paragraph(element("a", { href: cleanAddress(attribute(link, "href")) }, simplify(link.children)))]
  },
  // What a form says after it was sent.
  "kg-signup-card-success": () => [],
  "kg-signup-card-error": () => [],
  "sr-only": () => [],
  "screen-reader-text": () => [],
  "instagram-media": (quote) => linkLine(attribute(quote, "dataInstgrmPermalink"), lineOf(quote)),
}

/** Players and frames, and scripts that show a gist, by name. */
const PLAYERS: Record<string, (node: Element, simplify: Simplify) => ElementContent[]> = {
  script: (node) =>
    attribute(node, "src").startsWith("https://gist.github.com/") ? linkLine(attribute(node, "src")) : [],
  iframe: (node) => linkLine(attribute(node, "dataSrc") || attribute(node, "src")),
  embed: (node) => linkLine(attribute(node, "src")),
  object: (node, simplify) => [...linkLine(attribute(node, "data")), ...simplify(node.children)],
  audio: (node) => linkLine(sourceOf(node)),
  video: (node) => linkLine(sourceOf(node)),
}

/** Replaces cards and players of the editors whose exports are read. */
export const replaceCard: Replace = (node, simplify) => {
  const card = Object.keys(CARDS).find((name) => hasClass(node, name))
  if (card !== undefined) return CARDS[card]?.(node, simplify) ?? []
  return Object.hasOwn(PLAYERS, node.tagName) ? (PLAYERS[node.tagName]?.(node, simplify) ?? null) : null
}
