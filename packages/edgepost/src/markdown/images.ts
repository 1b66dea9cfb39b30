import { readDocument } from "./document.ts"

// The images of a text.

/** Tells whether a reference is an image in the text itself: `data:image/png;…`. Does not match `data.png`. */
export const isData = (url: string): boolean => /^data:/i.test(url)

/** Lists the references of a body's images in order, each once: Markdown images, definitions of images, and `<img src>`. */
export const listImages = (body: string): string[] => [
  ...new Set(readDocument(body).references.flatMap(({ kind, url }) => (kind === "image" && url !== "" ? [url] : []))),
]
