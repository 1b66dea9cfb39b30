#!/usr/bin/env bash
# Expected: a footnote `[^low]` has a number as its mark, as on GitHub, whatever its name is.
# Seen with mdast-util-to-hast 10.2.0, the version with which gatsby-transformer-remark 6.16.0 makes HTML: readers see the name, `low`,
# in the text, while the notes at the end of the page are numbered, so that no mark leads the eye to its note.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund mdast-util-to-hast@10.2.0 remark-parse@9.0.0 remark-footnotes@3.0.0 unified@9.2.2 hast-util-to-html@7.1.3 >/dev/null

cat >notes.cjs <<'JS'
const unified = require("unified")
const markdown = require("remark-parse")
const footnotes = require("remark-footnotes")
const toHast = require("mdast-util-to-hast")
const toHtml = require("hast-util-to-html")

const tree = unified().use(markdown).use(footnotes).parse("Sail[^low] and wait[^2].\n\n[^low]: At low water.\n[^2]: Second.\n")
console.log(toHtml(toHast(tree)).replace(/\s*\n\s*/g, " "))
JS
echo "mdast-util-to-hast 10.2.0"
node notes.cjs | tee output
grep -q '<sup[^>]*><a[^>]*>low</a></sup>' output
