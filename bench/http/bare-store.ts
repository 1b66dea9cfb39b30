// The statements that edgepost sends for these operations, by hand, on the same tables.

interface Row {
  [column: string]: string | number | null
}
export interface Account extends Row {
  id: string
  username: string
}
export interface PostRow extends Row {
  id: string
  account_id: string
  author: string
  slug: string
  title: string
  meta_description: string
  body: string
  html: string
  version: number
  revision: number
}
interface Image {
  id: string
  width: number
  height: number
}
export interface Loaded {
  post: PostRow
  images: Image[]
}
export interface NewImage extends Row {
  id: string
  account_id: string
  bytes: number
}

type Asked = Pick<D1Database, "prepare" | "batch">

const insert = (db: Asked, table: string, row: Row): D1PreparedStatement => {
  const columns = Object.keys(row)
  return db
    .prepare(`insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`)
    .bind(...Object.values(row))
}

const update = (db: Asked, table: string, row: Row, where: string, ...values: (string | number)[]) => {
  const set = Object.keys(row).map((column) => `${column} = ?`)
  return db.prepare(`update ${table} set ${set.join(", ")} where ${where}`).bind(...Object.values(row), ...values)
}

/** The account of a live key, by its SHA-256 in hex. */
export const findCaller = async (db: D1Database, hash: string): Promise<Account | null> => {
  const sql = `select a.*, k.last_used_at from api_keys k join accounts a on a.id = k.account_id
    where k.hash = ? and k.revoked_at is null`
  return (await db.prepare(sql).bind(hash).all<Account>()).results[0] ?? null
}

const selectPost = (db: Asked, slug: string): D1PreparedStatement =>
  db
    .prepare("select p.*, a.username as author from posts p join accounts a on a.id = p.account_id where p.slug = ?")
    .bind(slug)

/** A post with its text, its images, and as many statements as edgepost needs for them. */
export const findPost = async (db: Asked, slug: string): Promise<Loaded | null> => {
  const [posts, texts, images] = await db.batch<Row>([
    selectPost(db, slug),
    db.prepare("select t.*, p.id as of_post from texts t join posts p on p.id = t.post_id where p.slug = ?").bind(slug),
    db
      .prepare(
        `select i.id, i.width, i.height from post_images l join images i on i.id = l.image_id
          where l.post_id = (select id from posts where slug = ?) order by l.position`,
      )
      .bind(slug),
  ])
  const row = posts?.results[0]
  if (!row) return null
  return {
    post: { ...texts?.results[0], ...row } as PostRow,
    images: (images?.results ?? []) as unknown as Image[],
  }
}

/** A post with its text, as readers see it. */
export const findReadable = async (db: Asked, slug: string): Promise<Row | null> => {
  const [posts, texts] = await db.batch<Row>([
    db
      .prepare(
        `select p.slug, p.status, p.categories, p.tags, p.primary_language, p.translation_languages, p.published_at,
          a.username as author, a.hidden from posts p join accounts a on a.id = p.account_id where p.slug = ?`,
      )
      .bind(slug),
    db
      .prepare(
        `select t.lang_code, t.title, t.meta_description, t.versions, t.html
          from texts t join posts p on p.id = t.post_id where p.slug = ?`,
      )
      .bind(slug),
  ])
  const row = posts?.results[0]
  return row ? { ...texts?.results[0], ...row } : null
}

/** A new post with its text and images, at once. */
export const insertPost = (db: D1Database, post: Row, text: Row, imageIds: string[]) =>
  db.batch([
    insert(db, "posts", post),
    insert(db, "texts", text),
    ...(imageIds.length > 0
      ? [
          db
            .prepare(
              `insert into post_images (post_id, image_id, position) select ?, (select id from images
                where id = wanted.value and account_id = ? and deleting_at is null and (expires_at > ?
                or exists (select 1 from post_images where image_id = images.id))), wanted.key
                from json_each(?) as wanted where true
                on conflict (post_id, image_id) do update set position = excluded.position`,
            )
            .bind(post["id"] ?? "", post["account_id"] ?? "", Date.now(), JSON.stringify(imageIds)),
          db
            .prepare("update images set cleanup_at = null where id in (select value from json_each(?))")
            .bind(JSON.stringify(imageIds)),
        ]
      : []),
  ])

/** A changed post with its text, unless somebody was faster. */
export const updatePost = (db: D1Database, before: PostRow, post: Row, text: Row) =>
  db.batch([
    update(db, "posts", post, "id = ? and revision = ? returning id", before.id, before.revision),
    update(db, "texts", text, "post_id = ? and lang_code = ?", before.id, "en"),
  ])

/** A page of an author's posts, the newest first. */
export const listPosts = async (db: D1Database, accountId: string, limit: number): Promise<Row[]> => {
  const page = "(select id from posts where account_id = ? order by id desc limit ?)"
  const [posts, texts] = await db.batch<Row>([
    db
      .prepare(
        `select p.*, a.username as author from posts p join accounts a on a.id = p.account_id
          where p.id in ${page} order by p.id desc`,
      )
      .bind(accountId, limit + 1),
    db
      .prepare(`select post_id, lang_code, title, meta_description, status from texts where post_id in ${page}`)
      .bind(accountId, limit + 1),
    db
      .prepare(
        `select l.post_id, i.id, i.width, i.height from post_images l join images i on i.id = l.image_id
          where l.post_id in ${page} order by l.position`,
      )
      .bind(accountId, limit + 1),
  ])
  const byPost = new Map(texts?.results.map((text) => [text["post_id"], text]))
  return (posts?.results ?? []).slice(0, limit).map((post) => ({ ...byPost.get(post["id"] ?? null), ...post }))
}

/** The row of an image, and its bytes off the account's space. */
export const insertImage = (db: D1Database, image: NewImage) =>
  db.batch([
    insert(db, "images", image),
    db.prepare("update accounts set stored_bytes = stored_bytes + ? where id = ?").bind(image.bytes, image.account_id),
  ])

/** The account of a media path, if the image is its own. */
export const findMedia = async (db: Asked, username: string, imageId: string): Promise<string | null> => {
  const sql = `select a.id, a.hidden, i.id as image_id, exists (select 1 from post_images where image_id = i.id) as attached
    from accounts a left join images i on i.id = ? where a.username = ?`
  const { results } = await db.prepare(sql).bind(imageId, username).all<Account>()
  return results[0]?.["image_id"] ? results[0].id : null
}
