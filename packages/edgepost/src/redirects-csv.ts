// The file in which `edgepost import` notes where the pages of the old site went.

export const REDIRECTS_FILE = "redirects.csv"
const HEAD = "old_path,slug,file"

/** A line of the file: a path of the old site with its query, and the post there. */
export interface OldPage {
  path: string
  slug: string
  /** The path of the post's file from the folder's root. */
  file: string
  /** The line of the file, from 1. */
  line: number
}

/** Writes a line of CSV as RFC 4180 says. */
export const csvLine = (fields: string[]): string =>
  // Matches `a,b`. Does not match `a b`.
  fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",")

/** Matches `"/a,b",c,posts/c.md`. A slug and a file have no commas. */
const LINE = /^(.*),([^,]*),([^,]*)$/

/** Reads the lines of the file below its head; the path of one that names no address is empty. */
export const readRedirects = (text: string): OldPage[] =>
  text.split(/\r?\n/).flatMap((row, i) => {
    if (row.trim() === "" || row === HEAD) return []
    const [, quoted = "", slug = "", file = ""] = LINE.exec(row) ?? []
    const path = quoted.replace(/^"(.*)"$/, "$1").replaceAll('""', '"')
    return [{ path: path.startsWith("/") ? path : "", slug, file, line: i + 1 }]
  })

/** Writes the file. */
export const writeRedirects = (pages: Omit<OldPage, "line">[]): string =>
  [HEAD, ...pages.map(({ path, slug, file }) => csvLine([path, slug, file])), ""].join("\r\n")
