import type { Finding } from "../finding.ts"

/** The place of a text in the folder. */
export interface Place {
  file: string
  /** Returns the line of the file on which a line of the body stands, both from 1. */
  lineOf: (line: number) => number
}

/** A warning of the service, or an error about a field. */
interface Remark {
  /** Empty if it is about the whole post. */
  field: string
  code: string
  message: string
}

// Matches the number in `video (line 12)` and `near line 12:`. Does not match `a line 12`.
const LINE = /(?<=\(line |near line )\d+/g

// Matches the address of an image that is not uploaded yet, by its SHA-256. Does not match `/media/ann/blog_img/01J5….webp`.
const PLANNED_IMAGE = /^\/media\/[^/]+\/blog_img\/[0-9a-f]{64}\.webp: /

/**
 * Tells whether the folder's own findings have said it: images of other sites, and images that `publish` uploads before the text. Of
 * times of change there is nothing to say: tools write them.
 */
const isKnown = ({ code, message }: Remark): boolean =>
  code === "external_image" ||
  code === "changed_at_adjusted" ||
  (code === "unknown_image" && PLANNED_IMAGE.test(message))

/** Makes findings of what the service says about a text: its lines of the body become lines of the file. */
export const toFindings = (remarks: Remark[], level: Finding["level"], { file, lineOf }: Place): Finding[] =>
  remarks
    .filter((remark) => !isKnown(remark))
    .map(({ field, code, message }) => {
      const lines = (message.match(LINE) ?? []).map((line) => lineOf(Number(line)))
      const line = Math.min(...(lines.length > 0 ? lines : [field === "body" ? lineOf(1) : 1]))
      const text = message.replaceAll(LINE, (at) => String(lineOf(Number(at))))
      const isNamed = field !== "" && field !== "body"
      return { level, code, message: isNamed ? `${field}: ${text}` : text, file, line }
    })
