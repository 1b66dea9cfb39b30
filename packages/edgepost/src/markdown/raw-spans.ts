import type { Span } from "./tree.ts"

/** Matches the start of a comment, and of what tools show or take as it is written: `<pre>`, `{% raw %}`, `{{< highlight go >}}`. Does not match `<preview>`. */
const OPEN =
  /<!--|<(pre|code|script|style|textarea|kbd|samp)(?=[\s>])|\{%-?\s*(highlight|codeblock|raw)\b|\{\{[<%]\s*(highlight|code)\b/gi

/** Lists the parts of a text in which no markup is drawn: comments of HTML, and code by tags. A comment without an end goes on to that of the text. */
export const rawSpans = (text: string): Span[] => {
  const spans: Span[] = []
  const absent = new Set<string>()
  let end = 0
  for (const { 0: open, 1: tag, 2: liquid, 3: shortcode, index } of text.matchAll(OPEN)) {
    const byTag = tag && String.raw`</${tag}\s*>`
    const byLiquid = liquid && String.raw`\{%-?\s*end${liquid}\s*-?%\}`
    const byShortcode = shortcode && String.raw`\{\{[<%]\s*/\s*${shortcode}\s*[>%]\}\}`
    const close = (byTag ?? byLiquid ?? byShortcode ?? "-->").toLowerCase()
    // What is nowhere further below is searched once.
    if (index < end || absent.has(close)) continue
    const pattern = new RegExp(close, "gi")
    pattern.lastIndex = index + open.length
    const found = pattern.exec(text)
    if (!found) absent.add(close)
    if (!found && close !== "-->") continue
    end = found ? found.index + found[0].length : text.length
    spans.push({ start: index, end })
  }
  return spans
}
