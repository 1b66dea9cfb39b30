import { nameToEmoji } from "gemoji"

import type { DialectText } from "./dialect-text.ts"
import { type Edit, matchesIn, replaceMatch } from "./edits.ts"

// Writes the names of emoji as their characters.

/** Matches a name between colons after a blank or a mark: ` :tada:`, `*:+1:`; and a tag or an address in angle brackets. Does not match `a:b:`, `/:a:`, `](:a:` and `=:a:`. */
const NAME = /<[A-Za-z/][^<>]*>|(?<=^|[\s*_~>[]|(?<!\])\():([a-z\d_+-]{1,50}):(?![\w/])/gm

const EMOJI = new Map(Object.entries(nameToEmoji))

/** Replaces the names that GitHub knows. */
export const writeEmoji = (source: DialectText): Edit[] =>
  source.names.markup.hasEmoji === true
    ? Array.from(matchesIn(source, NAME)).flatMap((match) => {
        const emoji = EMOJI.get(match[1] ?? "")
        return emoji === undefined ? [] : [replaceMatch(match, emoji)]
      })
    : []
