/** An image of a page's text. */
export interface PageImage {
  /** The address as it stands in the Markdown. */
  url: string
  alt: string
}

/** The result of the extractor on a page. */
export interface Page {
  title: string
  description: string
  /** BCP 47; empty if the page names none. */
  language: string
  tags: string[]
  /** Markdown; empty if the page has no article. */
  body: string
  images: PageImage[]
  /** Tells whether the page has a text that could be read. */
  state: "read" | "empty" | "pdf"
  /** Remarks on what was read or left out, for the user, in sentences. */
  notes: string[]
}
