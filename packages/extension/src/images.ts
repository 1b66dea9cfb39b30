import { MAX_IMAGE_SIDE_PX } from "../../../src/limits.ts"

// Chooses the address of an image among those that a page offers.

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
const chooseCandidate = (candidates: Candidate[], width = 0): string | null => {
  const pixels = ({ size, unit }: Candidate): number => (unit === "w" ? size : size * (width || 1024))
  const sorted = candidates.toSorted((one, other) => pixels(one) - pixels(other))
  return (sorted.findLast((candidate) => pixels(candidate) <= MAX_IMAGE_SIDE_PX) ?? sorted[0])?.url ?? null
}

// Attributes that the common scripts for late images read.
const LATE_SRCSETS = ["data-srcset", "data-lazy-srcset"]
const LATE_SRCS = ["data-src", "data-lazy-src", "data-original", "data-lazy", "data-full-src"]

type Attributes = Pick<Element, "getAttribute">

const firstOf = (element: Attributes, names: string[]): string | null =>
  names.map((name) => element.getAttribute(name)?.trim()).find(Boolean) ?? null

/**
 * Returns the address, relative or absolute, of the best version of an image; null without one. An image that a script would
 * load later has priority over the placeholder that is shown until then.
 * @param sources the elements `source` before it that apply to this screen
 */
export const chooseAddress = (image: Attributes, sources: Attributes[] = []): string | null => {
  const width = Number.parseInt(image.getAttribute("width") ?? "", 10) || 0
  const srcset =
    sources.map((source) => firstOf(source, [...LATE_SRCSETS, "srcset"])).find(Boolean) ?? firstOf(image, LATE_SRCSETS)
  const late = srcset ? null : firstOf(image, LATE_SRCS)
  const candidates = parseSrcset(srcset ?? (late ? "" : (image.getAttribute("srcset") ?? "")))
  const usable = candidates.filter(({ url }) => !url.startsWith("data:"))
  return chooseCandidate(usable, width) ?? late ?? firstOf(image, ["src"])
}
