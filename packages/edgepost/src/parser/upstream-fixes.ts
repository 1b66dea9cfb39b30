import { EditMap } from "micromark-util-edit-map"
import type { Construct, Event, Resolver, Token } from "micromark-util-types"

import { mergeAdjacentData, resolveAttention, resolveStrikethrough } from "./delimiter-runs.ts"

// Replacements of what takes quadratic time or much memory in micromark 4.0.3 and its helpers, with the same events. Each one
// is to be offered upstream, and goes when a version with it is out:
//
// package                                      what it does                              here
// micromark-util-edit-map 1.0.0                copies the events after each edit         fixEditMap
// micromark 4.0.3                              moves all events to merge two data        continueData, fixSpanResolver
// micromark-core-commonmark 2.0.4              compares each closing run with all        FIXES.attention
// micromark-extension-gfm-strikethrough 2.1.0  the same                                  FIXES.strikethrough
// micromark 4.0.3, gfm-footnote 2.1.0          searches its labels one after another     LabelList
// micromark 4.0.3                              keeps each tokenizer for its events       detach-events.ts

/** Replaces the resolver of a construct, by the construct's name. */
export const FIXES: Record<string, Pick<Construct, "resolveAll">> = {
  attention: { resolveAll: resolveAttention },
  strikethrough: { resolveAll: resolveStrikethrough },
}

/** Replaces micromark's merger of data, the one resolver of `insideSpan` without a name. The others are constructs, and stay. */
export const fixSpanResolver = (resolver: {
  resolveAll?: Resolver | undefined
}): { resolveAll?: Resolver | undefined } => ("name" in resolver ? resolver : { resolveAll: mergeAdjacentData })

/** Reopens the last token if it is data that has just ended, and drops its two events. Returns it, else null. */
export const continueData = (events: Event[], enter: (type: "data", fields: Token) => Token): Token | null => {
  const last = events.at(-1)
  if (last?.[0] !== "exit" || last[1].type !== "data") return null
  const { start } = last[1]
  events.length -= 2
  const token = enter("data", last[1])
  token.start = start
  return token
}

/** An array of labels with `includes` in constant time: documents define thousands of labels. */
export class LabelList extends Array<string> {
  readonly #set = new Set<string>()

  override includes(label: string): boolean {
    return this.#set.has(label)
  }

  override push(...labels: string[]): number {
    for (const label of labels) this.#set.add(label)
    return super.push(...labels)
  }
}

const consume: EditMap["consume"] = function (this: EditMap, events) {
  const edits = this.map.toSorted(([a], [b]) => a - b)
  const [first] = edits
  if (!first) return
  const [start] = first
  const rest = events.splice(start)
  let at = 0
  for (const [index, removed, added] of edits) {
    for (const event of [...rest.slice(at, index - start), ...added]) events.push(event)
    at = index - start + removed
  }
  for (const event of rest.slice(at)) events.push(event)
  this.map.length = 0
  this.index.clear()
}

/** Lets all edit maps apply their edits in linear time. The package offers no other place than its prototype. */
export const fixEditMap = (): void => {
  EditMap.prototype.consume = consume
}
