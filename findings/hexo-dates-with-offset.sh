#!/usr/bin/env bash
# Expected: `date: 2024-03-01 23:30:00 +02:00` is that moment, 21:30 in UTC.
# Seen with hexo 8.1.2: the time in UTC is taken for one of the blog's `timezone`, so the moment is shifted by that zone's offset:
# with Asia/Tokyo it is 12:30 in UTC. A date without an offset is right.
set -euo pipefail

VERSION=8.1.2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo "{ \"private\": true, \"hexo\": { \"version\": \"$VERSION\" } }" >package.json
npm install --silent --no-audit --no-fund "hexo@$VERSION" hexo-renderer-marked@7.0.1 >/dev/null

mkdir -p source/_posts
printf 'url: https://tide.example\ntimezone: Asia/Tokyo\n' >_config.yml
printf -- '---\ntitle: With\ndate: 2024-03-01 23:30:00 +02:00\n---\nWords.\n' >source/_posts/with.md
printf -- '---\ntitle: Without\ndate: 2024-03-02 06:30:00\n---\nWords.\n' >source/_posts/without.md
cat >moments.cjs <<'JS'
const Hexo = require("hexo")
const hexo = new Hexo(process.cwd(), { silent: true })
hexo.init().then(() => hexo.load()).then(() => {
  for (const post of hexo.locals.get("posts").sort("title").toArray())
    console.log(`${post.title}: ${post.date.toDate().toISOString()}`)
})
JS
echo "hexo $VERSION"
TZ=UTC node moments.cjs | tee output
grep -q '^With: 2024-03-01T12:30:00.000Z$' output
grep -q '^Without: 2024-03-01T21:30:00.000Z$' output
