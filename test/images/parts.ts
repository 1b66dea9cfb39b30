import { bytesOf } from "./chunks.ts"

export interface Part {
  disposition: string
  /** More headers, each with its line break. */
  headers?: string
  content?: Uint8Array | string
}

/** A multipart body, byte for byte. */
export const bodyOf = (parts: Part[], { boundary = "edge", end = "--edge--\r\n" } = {}) =>
  bytesOf(
    ...parts.flatMap(({ disposition, headers = "", content = "x" }) => [
      `--${boundary}\r\nContent-Disposition: ${disposition}\r\n${headers}\r\n`,
      content,
      "\r\n",
    ]),
    end,
  )
