import { nameToEmoji } from "gemoji"

import type { DialectText } from "./dialect-text.ts"
import { type Edit, matchesIn, replaceMatch } from "./edits.ts"

// Writes the names of emoji as their characters.

/** Matches a name between colons: `:tada:`, `:+1:`. Does not match `a:b:`, `/:a:` and `="`:a:. */
const NAME = /(?<![\w:/]|=["'])(?<!\\):([a-z\d_+-]{1,50}):(?![\w/])/g

/** Replaces the names that GitHub knows. */
export const writeEmoji = (source: DialectText): Edit[] =>
  source.names.markup.hasEmoji === true
    ? Array.from(matchesIn(source, NAME)).flatMap((match) => {
        const { [match[1] ?? ""]: emoji } = nameToEmoji
        return emoji === undefined ? [] : [replaceMatch(match, emoji)]
      })
    : []
