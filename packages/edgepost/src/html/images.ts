import type { Element, ElementContent, Parents } from "hast"

import { MAX_IMAGE_SIDE_PX } from "../limits.ts"
import { emojiOf } from "./emoji.ts"
import { attribute, element, findTag, isElement } from "./tree.ts"

// Finds the best address of each image: of those that scripts load late, of sets of sizes, of backgrounds.

interface Candidate {
  url: string
  /** Pixels of the width, or how many pixels of the image one pixel of the page has. */
  size: number
  unit: "w" | "x"
}

/** Reads a `srcset`: `a.jpg 800w, b,c.jpg 2x`. An address may have commas, but neither begins nor ends with one. */
const parseSrcset = (srcset: string): Candidate[] => {
  const candidates: Candidate[] = []
  let url = ""
  const end = (size = "1", unit = "x"): void => {
    if (url !== "") candidates.push({ url, size: Number(size), unit: unit === "w" ? "w" : "x" })
    url = ""
  }
  for (const token of srcset.split(/\s+/)) {
    // Matches `800w`, and `800w,b.jpg`. Does not match `b.jpg`.
    const [, size, unit, next] = (url !== "" && /^([\d.]+)([wx])(?:,(.*))?$/.exec(token)) || []
    if (size !== undefined) end(size, unit)
    else if (url !== "") end()
    const begun = (size === undefined ? token : (next ?? "")).replace(/^,+/, "")
    url = begun.replace(/,$/, "")
    if (begun.endsWith(",")) end()
  }
  end()
  return candidates
}

/** Returns the largest image up to 2048 px, else the smallest one. @param width of the image on the page, 0 if unknown */
const chooseCandidate = (candidates: Candidate[], width: number): string | undefined => {
  const pixels = ({ size, unit }: Candidate): number => (unit === "w" ? size : size * (width || 1024))
  const sorted = candidates
    .filter(({ url }) => !url.startsWith("data:"))
    .toSorted((one, other) => pixels(one) - pixels(other))
  return (sorted.findLast((candidate) => pixels(candidate) <= MAX_IMAGE_SIDE_PX) ?? sorted[0])?.url
}

// Attributes that the common scripts for late images read.
const LATE_SRCSETS = ["dataSrcset", "dataLazySrcset"]
const LATE_SRCS = ["dataSrc", "dataLazySrc", "dataOriginal", "dataActualsrc", "dataLazy", "dataLazyload", "dataHiRes"]

/** Returns the first attribute that is an address. Matches `a.png`, `/a`. Does not match `true`. */
const firstOf = (node: Element, names: string[]): string | undefined =>
  names.map((name) => attribute(node, name)).find((value) => /[./]/.test(value))

/** Characters of a stand-in; an image that is part of the page is longer. */
const MAX_STAND_IN_CHARS = 1000

/**
 * Returns the address, relative or absolute, of the best version of an image; "" without one. An image that a script would load
 * later has priority over the stand-in that is shown until then.
 * @param sources the elements `source` before it that apply to this screen
 */
const chooseAddress = (image: Element, sources: Element[] = []): string => {
  const srcset =
    sources.map((source) => firstOf(source, [...LATE_SRCSETS, "srcSet"])).find(Boolean) ?? firstOf(image, LATE_SRCSETS)
  const late = srcset === undefined ? firstOf(image, LATE_SRCS) : undefined
  const candidates = parseSrcset(srcset ?? (late === undefined ? attribute(image, "srcSet") : ""))
  const src = attribute(image, "src")
  const isStandIn = /^data:image\/(?:svg|gif)/i.test(src) && src.length < MAX_STAND_IN_CHARS
  return (
    chooseCandidate(candidates, Number.parseInt(attribute(image, "width"), 10) || 0) ?? late ?? (isStandIn ? "" : src)
  )
}

/** Elements whose background may be an image of the text. Those of others are bullets and decoration. */
const FRAMES = ["div", "figure", "section", "header"]

/** Returns the address of an element's background image; "" without one. */
const backgroundOf = (node: Element): string => {
  // Matches `url('/a b.png')` and `url(https://e.x/a.png)`. Does not match `url(data:image/png,a)`.
  const [, one, two, three] = /\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^\s"')]*))\s*\)/i.exec(attribute(node, "style")) ?? []
  const url = one ?? two ?? three ?? ""
  return isElement(node, ...FRAMES) && /^(?:https?:\/)?\//i.test(url) ? url : ""
}

const imagesIn = (node: Element): Element[] => (node.tagName === "img" ? [node] : findTag(node, "img"))

/** Makes all images of a tree elements `img` with one address. @param isShown tells whether a media query applies; "" always does */
export const plainImages = (node: Parents, isShown: (media: string) => boolean = (media) => media === ""): void => {
  const children: ElementContent[] = []
  let sources: Element[] = []
  /** The last child but for whitespace and comments, and the addresses of its images. */
  let last: ElementContent | undefined
  let before = new Set<unknown>()
  for (const child of node.children as ElementContent[]) {
    if (!isElement(child)) {
      children.push(child)
      if (child.type === "text" && child.value.trim() !== "") last = child
      continue
    }
    plainImages(child, isShown)
    const background = backgroundOf(child)
    if (background !== "") {
      const image = element("img", { src: background, alt: attribute(child, "ariaLabel") }, [])
      child.children.unshift(element("p", {}, [image]))
    }
    const emoji = emojiOf([child.properties["className"] ?? []].flat().join(" "), attribute(child, "alt"))
    if (child.tagName === "img" && emoji !== null) children.push({ type: "text", value: emoji })
    else if (child.tagName === "source" && isElement(node, "picture")) {
      if (isShown(attribute(child, "media"))) sources.push(child)
    } else if (child.tagName === "img" || (child.tagName === "amp-img" && chooseAddress(child) !== "")) {
      const src = chooseAddress(child, sources)
      sources = []
      if (src === "") continue
      const { srcSet: _, ...properties } = child.properties
      for (const name of LATE_SRCSETS.concat(LATE_SRCS)) delete properties[name]
      children.push(element("img", { ...properties, src }, []))
    } else if (child.tagName === "noscript") {
      // The image that scripts load late stands before the one for browsers without scripts.
      if (isElement(last) && before.size === 0)
        before = new Set(imagesIn(last).map(({ properties }) => properties["src"]))
      if (!isElement(last, "img"))
        for (const image of findTag(child, "img")) if (!before.has(image.properties["src"])) children.push(image)
      continue
    } else if (child.tagName === "picture") children.push(...findTag(child, "img").slice(0, 1))
    else children.push(child)
    const [added] = children.slice(-1)
    if (added !== last) [last, before] = [added, new Set()]
  }
  node.children = children
}
