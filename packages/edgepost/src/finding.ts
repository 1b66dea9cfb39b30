/** Something that the author should know about a file. An error blocks its post; a warning does not. */
export interface Finding {
  level: "error" | "warning"
  /** A stable name, such as `missing_image`. */
  code: string
  message: string
  /** Path of the file from the folder's root, with `/`. */
  file: string
  /** Line in the file, from 1. */
  line: number
}
