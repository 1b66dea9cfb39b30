import { getTableColumns } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"

import { posts, texts } from "../../src/db/schema.ts"
import { env, rows } from "../support.ts"

// Invariants of all stored data after any fault. Each query finds violations.

/** Returns SQL for the bytes that all columns of a row hold. */
const bytesOf = (table: SQLiteTable): string =>
  Object.values(getTableColumns(table))
    .map(({ name }) => `coalesce(octet_length(${name}), 0)`)
    .join(" + ")

const ALWAYS: Record<string, string> = {
  "a post without its source text": `
    select p.slug from posts p left join texts t on t.post_id = p.id and t.lang_code = p.primary_language
    where t.title is null or t.meta_description is null or t.body is null or t.html is null`,
  "a text, link or lease of no post": `
    select post_id from texts where post_id not in (select id from posts)
    union all select post_id from post_images where post_id not in (select id from posts)
    union all select post_id from post_labels where post_id not in (select id from posts)
    union all select post_id from leases where post_id not in (select id from posts)
    union all select post_id from paused_posts where (post_id, account_id) not in (select id, account_id from posts)`,
  "a link to an image that is not there": `
    select l.image_id from post_images l join posts p on p.id = l.post_id left join images i on i.id = l.image_id
    where i.id is null or i.deleting_at is not null or i.account_id <> p.account_id`,
  "a text that shows an image which its post has not": `
    select t.post_id, t.lang_code, shown.value from texts t, json_each(t.image_ids) shown
    where not exists (select 1 from post_images l where l.post_id = t.post_id and l.image_id = shown.value)
    union all select t.post_id, t.lang_code, shown.value from texts t, json_each(t.pending_image_ids) shown
    where not exists (select 1 from post_images l where l.post_id = t.post_id and l.image_id = shown.value)`,
  "a text whose columns of what waits name different fields, or a field edited by hand": `
    select post_id, lang_code, pending_versions from texts where
      (select json_group_array(key) from (select key from json_each(pending_versions) order by key)) <>
      (select json_group_array(key) from (select key from json_each(coalesce(pending_fields, '{}'))
        where key in ('title', 'meta_description', 'body') order by key))
      or exists (select 1 from json_each(edited) join json_each(pending_versions) p on p.key = json_each.value)`,
  "stored_bytes that are not those of the images": `
    select username, stored_bytes from accounts a
    where stored_bytes <> (select coalesce(sum(bytes), 0) from images i where i.account_id = a.id)`,
  "text_bytes that are not the sum of the posts'": `
    select username, text_bytes from accounts a
    where text_bytes <> (select coalesce(sum(p.text_bytes), 0) from posts p where p.account_id = a.id)`,
  "a post that counts less than 95 % of the bytes of its rows": `
    select slug, text_bytes from posts where text_bytes < 0.95 * (${bytesOf(posts)}
      + (select coalesce(sum(${bytesOf(texts)}), 0) from texts where post_id = posts.id)
      + (select coalesce(sum(150 + 2 * octet_length(label)), 0) from post_labels where post_id = posts.id))`,
  "a label row that is not the post's, or a label without a row": `
    select slug from posts where
      (select json_group_array(json_array(kind, label, status, published_at)) from
        (select * from post_labels where post_id = posts.id order by kind, label)) <>
      (select json_group_array(json_array(kind, value, status, published_at)) from
        (select 'category' as kind, value from json_each(categories) union all select 'tag', value from json_each(tags)
         order by kind, value))`,
  "an image that is not used and that no cleanup will see": `
    select id from images i
    where cleanup_at is null and not exists (select 1 from post_images l where l.image_id = i.id)`,
  "an image in use that the cleanup will see": `
    select id from images i
    where cleanup_at is not null and exists (select 1 from post_images l where l.image_id = i.id)`,
  "two usable images of an account with the same bytes and original": `
    select account_id, source_sha256 from images where deleting_at is null and source_sha256 is not null
    group by account_id, source_sha256, coalesce(original_sha256, source_sha256) having count(*) > 1`,
  "a language that waits with no due time": `
    select post_id, lang_code, status from texts where status in ('queued', 'running') and due_at is null
      and post_id not in (select post_id from paused_posts)`,
  "a claim of a text that nobody makes": `
    select post_id, lang_code, status from texts where claim is not null and status <> 'running'`,
  "a ready translation of an older text": `
    select t.post_id, t.lang_code, field.value from texts t join posts p on p.id = t.post_id
    join texts own on own.post_id = p.id and own.lang_code = p.primary_language
    join json_each('["title","meta_description","body"]') field
    where t.lang_code <> p.primary_language and t.status = 'ready'
      and exists (select 1 from json_each(p.translation_languages) where value = t.lang_code)
      and not exists (select 1 from json_each(t.edited) where value = field.value)
      and json_extract(json_patch(t.versions, t.pending_versions), '$.' || field.value) is not json_extract(own.versions, '$.' || field.value)`,
  "two keys of an account with one name": `
    select account_id, name from api_keys where revoked_at is null group by account_id, name having count(*) > 1`,
  "paid time of Stripe that no subscription gives": `
    select username from accounts a where paid_source = 'stripe' and paid_until is not (
      select max(coalesce(max(s.paid_until), 0), coalesce(a.operator_paid_until, 0)) from subscriptions s
      where s.account_id = a.id)`,
}

const OWNED = [
  ["api_keys", "sign_in_links", "sessions", "subscriptions", "abuse_counts", "passkeys", "passkey_challenges"],
  ["posts", "idempotency_keys", "remembered_segments", "translated_characters", "images"],
].flat()

const ERASED = "(select id from main.accounts where erasing_at is not null)"
const rowsKept = (table: string, isKept: string) => `${table} as (select * from main.${table} where ${isKept})`
/** Hides accounts whose rows are being deleted, which nobody can read. */
const WITHOUT_ERASED = `with ${[
  rowsKept("accounts", "erasing_at is null"),
  ...["posts", "images"].map((table) => rowsKept(table, `account_id not in ${ERASED}`)),
  ...["texts", "post_images", "post_labels", "leases"].map((table) =>
    rowsKept(table, `post_id not in (select id from main.posts where account_id in ${ERASED})`),
  ),
].join()}`

/** Invariants that hold once cron and queue have nothing left to do. */
const AT_REST: Record<string, string> = {
  "an account that is being erased for ever": `select username from accounts where erasing_at is not null`,
  "a language that is stuck": `select post_id, lang_code, status, error from texts where status in ('queued', 'running')`,
  "titles that are never folded": `select slug from posts where has_unfolded = 1`,
  "a lease that is left": `select post_id from leases`,
  "an image that is being deleted for ever": `select id from images where deleting_at is not null`,
  ...Object.fromEntries(
    OWNED.map((table) => [
      `a row of ${table} of an account that is gone`,
      `select account_id from ${table} where account_id is not null and account_id not in (select id from accounts)`,
    ]),
  ),
}

/** Selects the keys of the files of each image, and whether a post may use it: uploads are answered from then on. */
const IMAGES = `
  select account_id || '/' || images.id || iif(width.value = 0, '', '-' || width.value) || '.webp' as file,
    stored_at is not null and deleting_at is null as usable
  from images, json_each(json_insert(smaller_widths, '$[#]', 0)) as width`

const filesBroken = async (): Promise<string[]> => {
  const { objects } = await env.MEDIA.list()
  const images = await rows(IMAGES)
  const files = new Set(objects.map(({ key }) => key))
  const known = new Set(images.map(({ file }) => file))
  return [
    ...[...files].filter((file) => !known.has(file)).map((file) => `a file that no row knows: ${file}`),
    ...images
      .filter(({ file, usable }) => usable === 1 && !files.has(String(file)))
      .map(({ file }) => `a usable image without its file: ${String(file)}`),
  ]
}

/** The test engine's texts equal their sources except for its markers. */
const TRANSLATIONS = `
  select t.post_id, t.lang_code, t.title, t.body, own.title as own_title, own.body as own_body
  from texts t join posts p on p.id = t.post_id
  join texts own on own.post_id = p.id and own.lang_code = p.primary_language
  where t.engine = 'pseudo' and t.status = 'ready' and t.edited = '[]' and t.pending_versions = '{}' and t.lang_code <> p.primary_language
    and exists (select 1 from json_each(p.translation_languages) where value = t.lang_code)`

const textsBroken = async (): Promise<string[]> => {
  const translations = await rows(TRANSLATIONS)
  return translations.flatMap(({ post_id, lang_code, title, body, own_title, own_body }) => {
    const mark = `·${String(lang_code)}`
    const source = [title, body].map((text) => String(text).replaceAll(mark, ""))
    const isMade = String(title).includes(mark) && source.join() === [own_title, own_body].join()
    return isMade ? [] : [`a translation of another text: ${String(post_id)} ${String(lang_code)}`]
  })
}

/**
 * Checks all stored data against the invariants.
 * @param isAtRest time has passed, and cron and queue have nothing left to do
 * @returns descriptions of the violations
 */
export const checkInvariants = async (isAtRest: boolean): Promise<string[]> => {
  const always = Object.entries(ALWAYS).map(([name, sql]) => [name, `${WITHOUT_ERASED} ${sql}`] as const)
  const queries = [...always, ...Object.entries(isAtRest ? AT_REST : {})]
  const answers = await env.DB.batch(queries.map(([, sql]) => env.DB.prepare(sql)))
  const broken = queries.flatMap(([name], i) => {
    const found = answers[i]?.results ?? []
    return found.length > 0 ? [`${name}: ${JSON.stringify(found)}`] : []
  })
  return [...broken, ...(await filesBroken()), ...(await textsBroken())]
}

/** Returns true if cron or queue have work left, now or later. */
export const hasWork = async (): Promise<boolean> => {
  const [left] = await rows(`
    select exists (select 1 from texts where status in ('queued', 'running')) or exists (select 1 from leases)
      or exists (select 1 from images where cleanup_at is not null)
      or exists (select 1 from accounts where erasing_at is not null)
      or exists (select 1 from posts where has_unfolded = 1) as work`)
  return left?.["work"] === 1
}
