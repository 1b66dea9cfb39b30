#!/usr/bin/env bash
# Expected: `## Depths {#deep}` gives a heading its id in VuePress, as it does in VitePress, which came out of it.
# Seen with @vuepress/markdown 2.0.0-rc.30 and vitepress 1.6.4: VuePress shows the braces to readers, and the id is made of them
# as well; VitePress takes the id. A blog that moves from one to the other changes the addresses of its headings, or shows braces.
set -euo pipefail

VUEPRESS=2.0.0-rc.30
VITEPRESS=1.6.4

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund "@vuepress/markdown@$VUEPRESS" "vitepress@$VITEPRESS" >/dev/null

cat >headings.mjs <<'JS'
import { createMarkdown } from "@vuepress/markdown"
import { createMarkdownRenderer } from "vitepress"

const heading = (html) => html.match(/<h2 id="([^"]*)"[^]*?<\/h2>/)
const say = (name, html) => {
  const [whole, id] = heading(html)
  console.log(`${name}: id ${id}, words ${whole.replace(/<[^>]*>|&\w+;|\u200b|&#\w+;/g, "").replace(/^#|#$/, "").trim()}`)
}
say("VuePress", createMarkdown({}).render("## Depths {#deep}", {}))
say("VitePress", (await createMarkdownRenderer(".")).render("## Depths {#deep}", {}))
JS
node headings.mjs | tee output
grep -q '^VuePress: id depths-deep, words Depths {#deep}$' output
grep -q '^VitePress: id deep, words Depths$' output
