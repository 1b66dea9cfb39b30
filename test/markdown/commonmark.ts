import spec from "commonmark-spec/spec.txt?raw"

export interface Example {
  number: number
  markdown: string
  html: string
}

// As the package's own index.js does, which reads the file from a disk.
const EXAMPLE = /^`{32} example\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$/gm

/** The examples of the CommonMark specification, with their tabs. */
export const EXAMPLES: Example[] = [
  ...spec
    .replaceAll("\r\n", "\n")
    .replace(/^<!-- END TESTS -->[\s\S]*/m, "")
    .replaceAll("→", "\t")
    .matchAll(EXAMPLE),
].map(([, markdown = "", html = ""], i) => ({ number: i + 1, markdown, html }))
