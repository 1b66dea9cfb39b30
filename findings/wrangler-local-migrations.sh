#!/usr/bin/env bash
# Expected: `wrangler d1 migrations apply --local` starts a local database once, and applies all migrations in it.
# Seen with wrangler 4.156.2: it starts workerd anew for each migration, and twice more. Ten migrations need 12 starts, about
# half a second each, so a project of 30 migrations waits some 15 seconds before its first local start.
# `wrangler d1 execute --local --file` with the same statements needs one start.
set -euo pipefail

VERSION=4.156.2
MIGRATIONS=10

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund "wrangler@$VERSION" >/dev/null

mkdir migrations
cat >wrangler.toml <<'TOML'
name = "example"
compatibility_date = "2026-01-01"
[[d1_databases]]
binding = "DB"
database_name = "example"
database_id = "00000000-0000-0000-0000-000000000000"
TOML
for i in $(seq "$MIGRATIONS"); do
  printf 'create table t%s (id integer);\n' "$i" >"$(printf 'migrations/%04d_t.sql' "$i")"
done
cat migrations/*.sql >all.sql

# Counts the starts of workerd.
real=$(node -p 'require("workerd").default')
cat >workerd <<SH
#!/bin/sh
echo start >>"$folder/starts"
exec "$real" "\$@"
SH
chmod +x workerd
export MINIFLARE_WORKERD_PATH="$folder/workerd" WRANGLER_SEND_METRICS=false CI=1

count() {
  : >starts
  npx wrangler d1 "$@" >output 2>&1 || { cat output; exit 1; }
  wc -l <starts
}
apply=$(count migrations apply DB --local --persist-to apply)
execute=$(count execute DB --local --yes --persist-to execute --file all.sql)

echo "wrangler $VERSION, $MIGRATIONS migrations"
echo "starts of workerd by d1 migrations apply --local: $apply"
echo "starts of workerd by d1 execute --local --file: $execute"
[ "$apply" -gt "$MIGRATIONS" ] && [ "$execute" -eq 1 ]
