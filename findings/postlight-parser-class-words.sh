#!/usr/bin/env bash
# Expected: an extractor of articles keeps the comments in code blocks and the footnotes of a post.
# Seen with @postlight/parser 2.2.3: comments that highlight.js marks (`hljs-comment`) vanish out of the code, so that it reads as if
# nobody had explained it, and all notes of `<section class="footnotes">` vanish with their words: "comment" and "foot" are words of
# clutter. With other class names both stay.
set -euo pipefail

PARSER=2.2.3

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
# Its own dependency names a version that is not published any more.
npm pkg set overrides.difflib=0.2.4
npm install --silent --no-audit --no-fund "@postlight/parser@$PARSER" >/dev/null

cat >read.cjs <<'JS'
const Parser = require("@postlight/parser")
const words = "<p>" + "The harbour says what boats need, at low and at high water, and why that is so. ".repeat(20) + "</p>"
const page = (comment, notes) =>
  `<html><head><title>Harbour</title></head><body><article><h1>Harbour</h1>${words}
  <pre><code><span class="${comment}"># Wait for the flood.</span>\nsail --north</code></pre>${words}
  <section class="${notes}"><ol><li id="fn-1"><p>A note on the depth of the bar.</p></li></ol></section></article></body></html>`
const read = async (what, html) => {
  const { content } = await Parser.parse("https://tide.example/a/", { html })
  console.log(`${what}: comment ${content.includes("Wait for the flood")}, code ${content.includes("sail --north")}, note ${content.includes("depth of the bar")}`)
}
read("classes hljs-comment and footnotes", page("hljs-comment", "footnotes"))
  .then(() => read("other classes", page("hl-c", "sources")))
JS
echo "@postlight/parser $PARSER"
node read.cjs 2>/dev/null | tee output
grep -q '^classes hljs-comment and footnotes: comment false, code true, note false$' output
grep -q '^other classes: comment true, code true, note true$' output
