#!/usr/bin/env bash
# Expected: the lines of `<!--@include: ./part.md{1,2}-->` are those of the text that an include without lines shows, which has
# no front matter.
# Seen with vitepress 1.6.4: without lines the front matter is left out, but lines count from the start of the file, and those
# of the front matter are shown as text. `{1,2}` of a part with three lines of front matter shows its fields, and none of its words.
set -euo pipefail

VERSION=1.6.4

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund "vitepress@$VERSION" >/dev/null

mkdir -p docs/.vitepress
echo 'export default { title: "Tides", srcExclude: ["part.md"] }' >docs/.vitepress/config.mjs
printf -- '---\nauthor: Ann\n---\nLow water.\nHigh water.\n' >docs/part.md
printf '# Whole\n\n<!--@include: ./part.md-->\n' >docs/whole.md
printf '# Lines\n\n<!--@include: ./part.md{1,2}-->\n' >docs/lines.md
npx vitepress build docs >output 2>&1 || { cat output; exit 1; }

words() {
  node -p 'require("fs").readFileSync(process.argv[1], "utf8").match(/<main[^]*?<\/main>/)[0].replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim()' "docs/.vitepress/dist/$1.html"
}
echo "vitepress $VERSION"
echo "whole part: $(words whole)"
echo "lines 1 to 2: $(words lines)"
words whole | grep -q 'Low water. High water.'
! words whole | grep -q 'Ann'
words lines | grep -q 'author: Ann'
! words lines | grep -q 'Low water'
