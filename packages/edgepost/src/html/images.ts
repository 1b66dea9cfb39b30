import type { Element, ElementContent, Parents } from "hast"

import { MAX_IMAGE_SIDE_PX } from "../limits.ts"
import { attribute, element, findTag, isElement } from "./tree.ts"

// Finds the best address of each image: of those that scripts load late, of sets of sizes, of backgrounds.

interface Candidate {
  url: string
  /** Pixels of the width, or how many pixels of the image one pixel of the page has. */
  size: number
  unit: "w" | "x"
}

/** Reads a `srcset`. An address may have commas, but neither begins nor ends with one. */
const parseSrcset = (srcset: string): Candidate[] =>
  // Matches `a.jpg 800w,` and `a,b.jpg`. Does not match `,`.
  [...srcset.matchAll(/([^\s,](?:\S*[^\s,])?)(?:\s+([\d.]+)([wx]))?\s*(?:,|$)/g)].map(([, url = "", size, unit]) => ({
    url,
    size: size === undefined ? 1 : Number(size),
    unit: unit === "w" ? "w" : "x",
  }))

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
const LATE_SRCS = [
  "dataSrc",
  "dataLazySrc",
  "dataOriginal",
  "dataActualsrc",
  "dataLazy",
  "dataLazyload",
  "dataFullSrc",
  "dataHiRes",
]

const firstOf = (node: Element, names: string[]): string | undefined =>
  names.map((name) => attribute(node, name)).find(Boolean)

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

/** Returns the address of an element's background image; "" without one. */
const backgroundOf = (node: Element): string =>
  // Matches `url('/a.png')`. Does not match `url(data:image/png,a)`.
  /\burl\(\s*["']?((?:https?:)?\/[^"')\s]+)/i.exec(attribute(node, "style"))?.[1] ?? ""

const isImage = (node: ElementContent): boolean =>
  isElement(node) && (node.tagName === "img" || findTag(node, "img").length > 0)

/** Makes all images of a tree elements `img` with one address. @param isShown tells whether a media query applies; "" always does */
export const plainImages = (node: Parents, isShown: (media: string) => boolean = (media) => media === ""): void => {
  const children: ElementContent[] = []
  let sources: Element[] = []
  for (const child of node.children as ElementContent[]) {
    if (!isElement(child)) {
      children.push(child)
      continue
    }
    plainImages(child, isShown)
    const background = backgroundOf(child)
    if (background !== "") {
      const image = element("img", { src: background, alt: attribute(child, "ariaLabel") }, [])
      child.children.unshift(element("p", {}, [image]))
      child.properties["style"] = ""
    }
    if (child.tagName === "source" && isElement(node, "picture")) {
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
      const last = children.findLast((each) => each.type !== "text" || each.value.trim() !== "")
      if (!last || !isImage(last)) for (const image of findTag(child, "img")) children.push(image)
    } else if (child.tagName === "picture") children.push(...findTag(child, "img").slice(0, 1))
    else children.push(child)
  }
  node.children = children
}
