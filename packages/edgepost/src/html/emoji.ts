/** Matches the class of an image of a character. Does not match `emoji-list`. */
const CLASS = /(?:^|\s)(?:emoji|emojione|joypixels|twemoji|wp-smiley)(?:\s|$)/
/** Matches a character, and its name as forums write it: `😀`, `1️⃣`, `:boat:`. Does not match `a boat`. */
const CHARACTER = /^(?::[\w+-]{1,40}:|(?=.*[^\0-\x7F])[^\s<>&[\]*_`"':]{1,20})$/

/** Returns the character that an image stands for, by its alternative text; null for other images. */
export const emojiOf = (classes: string, alt: string): string | null =>
  CLASS.test(classes) && CHARACTER.test(alt) ? alt : null
