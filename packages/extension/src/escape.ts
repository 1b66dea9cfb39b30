// Escapes text and addresses for Markdown.

const ESCAPES: [pattern: RegExp, by: string][] = [
  // The three characters that separate links, cells and rows in this module. Pages use them for icons alone.
  [/[\uE000-\uE002]/g, ""],
  // Matches `*`, and `_` in `_a`. Does not match `_` in `a_b`, which no dialect reads as emphasis.
  [/[\\`*[\]<~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&"],
  // Matches `&` in `&amp;` and `&#38;`. Does not match `&` in `R&D`.
  [/&(?=#?\w+;)/g, "\\&"],
  // Matches `{` in `{#id}`. Does not match `{a}`.
  [/\{(?=#)/g, "\\{"],
  // Matches `https` in `https://a.example`. Does not match `https:` alone. A bare address would become a link.
  [/(https?|ftp)(?=:\/\/)/gi, "$1\\"],
  // Matches `www` in `www.a.example`. Does not match `www` alone.
  [/(www)(?=\.)/gi, "$1\\"],
  // Matches `@` in `ann@a.example`. Does not match `@ann`.
  [/(?<=[\w.+-])@(?=\w)/g, "\\@"],
  // Matches `# ` and `- ` at the start, `===`, `---`, `>`, `|`, `:-` and `+ `. Does not match `#1` and `-1`.
  [/^(\s*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|-(?=-)|=|>|\||:(?=[-:]))/, "$1\\$2"],
  // Matches `1.` in `1. May` and `1)`. Does not match `1.5`.
  [/^(\s*\d{1,9})(?=[.)](?:\s|$))/, "$1\\"],
]

/** Returns a text with a backslash before each character that Markdown would read as markup. */
export const escapeText = (text: string): string =>
  ESCAPES.reduce((escaped, [pattern, by]) => escaped.replace(pattern, by), text)

/** Returns an address that ends neither at a blank nor at a bracket. */
export const escapeAddress = (address: string): string =>
  address
    .replaceAll(
      /[\s<>|\\()]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .replaceAll(/&(?=#?\w+;)/g, "&amp;")
