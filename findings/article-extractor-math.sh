#!/usr/bin/env bash
# Expected: an extractor that cannot show MathML keeps the words of a formula, as browsers without it do.
# Seen with @extractus/article-extractor 9.0.1: `math` is not among its elements, and is removed with all that is in it, so that a
# sentence about a formula has a hole, and nothing says so.
set -euo pipefail

EXTRACTOR=9.0.1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund "@extractus/article-extractor@$EXTRACTOR" >/dev/null

cat >read.mjs <<'JS'
import { extractFromHtml } from "@extractus/article-extractor"

const words = `<p>${"The harbour says what boats need, at low and at high water, and why that is so. ".repeat(20)}</p>`
const formula = "<math><mi>speed</mi><mo>=</mo><mn>42</mn></math>"
const html = `<html><head><title>Harbour</title></head><body><article><h1>Harbour</h1>${words}<p>So ${formula} is the law.</p>${words}</article></body></html>`
const { content } = await extractFromHtml(html, "https://tide.example/a/")
console.log(content.match(/So [^<]*(?:<math[^]*?<\/math>)?[^<]*law\./)?.[0] ?? "no sentence")
JS
echo "@extractus/article-extractor $EXTRACTOR"
node read.mjs | tee output
grep -q '^So is the law\.$' output
