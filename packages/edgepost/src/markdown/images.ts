import type { Document } from "./document.ts"

// The images of a text.

/** Tells whether a reference is an image in the text itself: `data:image/png;…`. Does not match `data.png`. */
export const isData = (url: string): boolean => /^data:/i.test(url)

/** Lists the references of a text's images in order, each once: Markdown images, definitions of images, and `<img src>`. */
export const listImages = ({ references }: Document): string[] => [
  ...new Set(references.flatMap(({ kind, url }) => (kind === "image" && url !== "" ? [url] : []))),
]
