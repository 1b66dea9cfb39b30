#!/usr/bin/env bash
# Expected: a reader view keeps the headings and sections of an article, whatever ids a generator makes of their text.
# Seen with @mozilla/readability 0.6.0: a heading with an id such as `tags`, `related-work` or `social-media-cards` is removed, since
# its id has a word of clutter, and `<section id="comments">` is removed with all its words. The same page without ids keeps all.
set -euo pipefail

READABILITY=0.6.0
LINKEDOM=0.18.12

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund "@mozilla/readability@$READABILITY" "linkedom@$LINKEDOM" >/dev/null

cat >read.mjs <<'JS'
import { Readability } from "@mozilla/readability"
import { parseHTML } from "linkedom"

const NAMES = ["Tides", "Tags", "Related work", "Social media cards", "Menus", "Remarks", "Comments", "Widgets"]
const words = (name) => `<p>${`The harbour says of ${name} what boats need, at low and at high water, and why. `.repeat(6)}</p>`
const slug = (name) => name.toLowerCase().replaceAll(" ", "-")
const pages = {
  "headings without ids": (name) => `<h2>${name}</h2>${words(name)}`,
  "headings with ids": (name) => `<h2 id="${slug(name)}">${name}</h2>${words(name)}`,
  "sections without ids": (name) => `<section><h2>${name}</h2>${words(name)}</section>`,
  "sections with ids": (name) => `<section id="${slug(name)}"><h2>${name}</h2>${words(name)}</section>`,
}
for (const [what, part] of Object.entries(pages)) {
  const html = `<html><head><title>Harbour</title></head><body><article>${NAMES.map(part).join("")}</article></body></html>`
  const text = new Readability(parseHTML(html).document).parse().content
  const lost = (has) => NAMES.filter((name) => !has(name)).join(", ") || "none"
  const heading = lost((name) => text.includes(`>${name}</h2>`))
  console.log(`${what}: lost headings ${heading}; lost words ${lost((name) => text.includes(`says of ${name} what`))}`)
}
JS
echo "@mozilla/readability $READABILITY"
node read.mjs | tee output
grep -q '^headings without ids: lost headings none; lost words none$' output
grep -q '^headings with ids: lost headings Tags, Related work, Social media cards, Menus, Remarks, Comments, Widgets;' output
grep -q '^sections without ids: lost headings none; lost words none$' output
grep -q '^sections with ids: .*lost words Related work, Social media cards, Menus, Remarks, Comments$' output
