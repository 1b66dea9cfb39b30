import type { Foreign } from "./reader.ts"

// Says what readers do not get of a text as it is written, and what to do.

/** Says what is wrong with syntax of another tool, and what to do. Only hidden elements without an end are HTML. */
export const messageOf = ({ shown, field }: Foreign): string => {
  // Matches an image whose address is an expression. Does not match `<p hidden>`.
  if (/^<\w[^>]*=\{/.test(shown))
    return `${shown} has an address that only code knows. Write the path of the file itself, in quotes.`
  if (field === null && /^<\w/.test(shown))
    return `${shown} has no end tag, so that it is not known what readers see. Write it with its end tag, or remove it.`
  const advice = field === null ? "" : " give it a template below `shortcodes` or `variables` in edgepost.config.yaml,"
  return `${shown} is syntax of another tool, which readers would see as text. Write it as Markdown,${advice} or allow it with --allow-foreign.`
}
export const RAW_IN_CODE =
  "{% raw %} is in code, and readers see it as text. Write it before the code, and {% endraw %} after the code."
export const EMBEDDED =
  "A note within another one, ![[…]], is a link here: its text is not shown. Write the text here to show it."
export const leftOutMessage = (shown: string): string =>
  `${shown} is left out: it has no words of yours, and only the blog's tool knows what it shows. Write what readers should see as Markdown.`
export const commentRemoved = (sign: string): string =>
  `Text after ${sign} is left out as a comment, although the blog's tool shows it. Write \\${sign} to keep it.`
