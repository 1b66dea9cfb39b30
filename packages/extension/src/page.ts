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
  /** Images of the text that cannot be fetched, because they are part of the page itself. */
  embedded: number
  /** True if the text was longer than a post may be, and its end is left out. */
  isCut: boolean
  source: "article" | "selection" | "none" | "pdf"
}
