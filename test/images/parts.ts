import { bytesOf } from "./chunks.ts"

export interface Part {
  disposition: string
  /** Further headers, each with its line break. */
  headers?: string
  content?: Uint8Array | string
}

/** Writes a multipart body. */
export const bodyOf = (parts: Part[], { boundary = "edge", end = "--edge--\r\n" } = {}) =>
  bytesOf(
    ...parts.flatMap(({ disposition, headers = "", content = "x" }) => [
      `--${boundary}\r\nContent-Disposition: ${disposition}\r\n${headers}\r\n`,
      content,
      "\r\n",
    ]),
    end,
  )
