# curl repeats a request after 429 and 503, as long as Retry-After says, and after an answer that was lost.
set -eu

# Prints the status, and leaves the body in the file answer.
call() {
  curl -sS --retry 8 --retry-all-errors -o answer -w "%{http_code}" -H "X-API-KEY: $KEY" "$@"
}
expect() {
  case " $2 " in *" $3 "*) ;; *) echo "FAILED $1: $3 $(cat answer)" ;; esac
}
posts="$BASE/api/blogcontroller/posts/"

expect upload "201" "$(call -H "Idempotency-Key: upload" -F "file=@$IMAGE" "$BASE/api/blogcontroller/image-upload/")"
id=$(grep -o '"image_id":"[^"]*"' answer | cut -d '"' -f 4)
draft='{"slug": "'$SLUG'", "title": "A post", "status": "DF", "categories": "News", "meta_description": "About it.",
  "body": "Some words.", "image_ids": ["'$id'"]}'
expect create "201" "$(call -H "Idempotency-Key: create" --json "$draft" "$posts")"
change='{"lang_code": "en", "primary_language": "en", "translation_languages": ["fr", "es"], "status": "PB"}'
expect patch "200 202" "$(call -X PATCH -H "Idempotency-Key: patch" --json "$change" "$posts$SLUG/")"
until
  expect translations "200" "$(call "$posts$SLUG/translations/")"
  [ "$(grep -o '"status":"ready"' answer | wc -l)" = 2 ]
do sleep 0.2; done
expect list "200" "$(call "$posts?limit=5")"
[ "$(grep -o '"slug":' answer | wc -l)" = 1 ] || echo "FAILED list: not one post"
# Repeated after a lost answer, the post is gone.
expect delete "204 404" "$(call -X DELETE "$posts$SLUG/")"
