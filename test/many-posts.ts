import { accountId } from "./calls.ts"
import { type Author, env } from "./support.ts"

/** Inserts posts with the slugs `${prefix}1`, `${prefix}2` and so on, and deletes those of an earlier test. */
export const insertPosts = async (
  author: Author,
  prefix: string,
  posts: number,
  { status, published_at }: { status: "DF" | "PB"; published_at: number | null } = { status: "DF", published_at: null },
): Promise<void> => {
  const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${posts})`
  const id = `printf('01M%023d', n)`
  const insertInto = `insert into posts (id, account_id, slug, status, categories, tags, primary_language,
    translation_languages, version, revision, text_version, created_at, updated_at, published_at, folded_titles, has_unfolded)`
  await env.DB.batch([
    env.DB.prepare("delete from posts where id like '01M%'"),
    env.DB.prepare(`${insertInto} ${numbers} select ${id}, ?, ? || n, ?, '["news"]', '[]', 'en', '[]', 1, 1, 1, 0, 0, ?,
      'title ' || n, 0 from numbers`).bind(await accountId(author), prefix, status, published_at),
    env.DB.prepare(`insert into texts (post_id, lang_code, title, meta_description, body, html, image_ids, versions,
      edited, status, warnings, updated_at, changed_at) ${numbers} select ${id}, 'en', 'Title ' || n, 'About', 'Words ' || n, '',
      '[]', '{"title":1,"meta_description":1,"body":1}', '[]', 'ready', '[]', 0, 0 from numbers`),
  ])
}
