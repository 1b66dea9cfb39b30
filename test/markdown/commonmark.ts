import spec from "commonmark-spec/spec.txt?raw"

export interface Example {
  number: number
  markdown: string
  html: string
}

// Matches an example of the specification between lines of 32 backticks. Does not match other code blocks.
const EXAMPLE = /^`{32} example\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$/gm

/** The examples of the CommonMark specification. The package exports the same, but reads a file from disk. */
export const EXAMPLES: Example[] = [
  ...spec
    .replaceAll("\r\n", "\n")
    .replace(/^<!-- END TESTS -->[\s\S]*/m, "")
    .replaceAll("→", "\t")
    .matchAll(EXAMPLE),
].map(([, markdown = "", html = ""], i) => ({ number: i + 1, markdown, html }))
