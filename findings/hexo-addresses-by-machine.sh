#!/usr/bin/env bash
# Expected: with `timezone: Asia/Tokyo` in _config.yml, a post of `2024-03-02 06:30:00` has the address /2024/03/02/tide/ wherever
# the blog is built.
# Seen with hexo 8.1.2: the date is read by `timezone`, and the address is made by the zone of the machine. Built in Tokyo it is
# /2024/03/02/tide/, built in UTC, as in continuous integration, /2024/03/01/tide/. A blog that moves its build changes addresses.
set -euo pipefail

VERSION=8.1.2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo "{ \"private\": true, \"hexo\": { \"version\": \"$VERSION\" } }" >package.json
npm install --silent --no-audit --no-fund "hexo@$VERSION" hexo-renderer-marked@7.0.1 >/dev/null

mkdir -p source/_posts
printf 'url: https://tide.example\ntimezone: Asia/Tokyo\n' >_config.yml
printf -- '---\ntitle: Tide\ndate: 2024-03-02 06:30:00\n---\nWords.\n' >source/_posts/tide.md
cat >address.cjs <<'JS'
const Hexo = require("hexo")
const hexo = new Hexo(process.cwd(), { silent: true })
hexo.init().then(() => hexo.load()).then(() => {
  const [post] = hexo.locals.get("posts").toArray()
  console.log(`${process.env.TZ}: ${post.date.toDate().toISOString()} /${post.path}`)
})
JS
echo "hexo $VERSION"
for zone in Asia/Tokyo UTC; do TZ=$zone node address.cjs; done | tee output
grep -q '^Asia/Tokyo: 2024-03-01T21:30:00.000Z /2024/03/02/tide/$' output
grep -q '^UTC: 2024-03-01T21:30:00.000Z /2024/03/01/tide/$' output
