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
  created_at: number
  source_sha256: string
}
export interface Blog {
  username: string
  blog_title: string | null
  blog_description: string | null
  author_name: string | null
  primary_language: string
}
/** A post in a list for readers, with its text in the source language. */
export interface Entry {
  slug: string
  categories: string
  tags: string
  published_at: number
  author_name: string | null
  lang_code: string
  title: string
  meta_description: string
  changed_at: number
}
/** The newest posts of a blog. */
export interface Listed<E extends Entry = Entry> {
  blog: Blog
  entries: E[]
}
/** A post as its page shows it. */
export interface Readable {
  blog: Blog
  post: Entry & { html: string }
  older: Entry | null
  newer: Entry | null
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

const selectCaller = (db: D1Database, hash: string): D1PreparedStatement =>
  db
    .prepare(
      `select a.*, k.last_used_at from api_keys k join accounts a on a.id = k.account_id
        where k.hash = ? and k.revoked_at is null`,
    )
    .bind(hash)

/** The account of a live key, by its SHA-256 in hex. */
export const findCaller = async (db: D1Database, hash: string): Promise<Account | null> =>
  (await selectCaller(db, hash).all<Account>()).results[0] ?? null

const selectPost = (db: Asked, slug: string): D1PreparedStatement =>
  db
    .prepare("select p.*, a.username as author from posts p join accounts a on a.id = p.account_id where p.slug = ?")
    .bind(slug)

/** The account of a live key, and a post with its text, its images, and as many statements as edgepost needs for them. */
export const findCallerAndPost = async (
  db: D1Database,
  hash: string,
  slug: string,
): Promise<{ account: Account | null; loaded: Loaded | null }> => {
  const [callers, posts, texts, images] = await db.batch<Row>([
    selectCaller(db, hash),
    selectPost(db, slug),
    db.prepare("select t.*, p.id as of_post from texts t join posts p on p.id = t.post_id where p.slug = ?").bind(slug),
    db
      .prepare(
        `select i.id, i.width, i.height from post_images l join images i on i.id = l.image_id
          where l.post_id = (select id from posts where slug = ?) order by l.position`,
      )
      .bind(slug),
  ])
  const account = (callers?.results[0] as Account | undefined) ?? null
  const row = posts?.results[0]
  if (!row) return { account, loaded: null }
  const post = { ...texts?.results[0], ...row } as PostRow
  return { account, loaded: { post, images: (images?.results ?? []) as unknown as Image[] } }
}

const BLOG = "a.username, a.blog_title, a.blog_description, a.author_name, a.primary_language, a.hidden"
const ENTRY = `p.id, p.slug, p.primary_language, p.categories, p.tags, p.published_at, p.author_name, t.lang_code, t.title,
  t.meta_description, t.changed_at, i.id as cover_id, i.width as cover_width, i.height as cover_height`
/** Joins the posts of a select of ids, without sorting. */
const joined = (ids: string): string => `(${ids}) chosen cross join posts p on p.id = chosen.id
  cross join texts t on t.post_id = p.id and t.lang_code = p.primary_language left join images i on i.id = p.cover_image_id`
const NEWEST_FIRST = "order by p.published_at desc, p.id desc"
const OF_BLOG = `p.account_id = (select id from accounts where username = ?) and p.status = 'PB' and p.published_at <= ?`

const selectBlog = (db: Asked, username: string) =>
  db.prepare(`select ${BLOG} from accounts a where a.username = ?`).bind(username)

/** Returns a select of the post before or after the one with a slug. With `+`, SQLite searches the index for the place, not for the time. */
const nextPost = (time: string, comparison: "<" | ">", order: string) =>
  `select * from (select p.id from posts p where p.account_id = (select account_id from posts where slug = ?)
    and p.status = 'PB' and ${time} <= ? and (p.published_at, p.id) ${comparison}
    (select published_at, id from posts where slug = ?) ${order} limit 1)`

const NEIGHBOURS = `select ${ENTRY}, (p.published_at, p.id) < (select published_at, id from posts where slug = ?) as is_older
  from ${joined(`${nextPost("+p.published_at", "<", NEWEST_FIRST)}
    union all ${nextPost("p.published_at", ">", "order by p.published_at, p.id")}`)}`

/** A post with its text, its blog and its neighbours, as readers see them. */
export const findPage = async (db: Asked, slug: string): Promise<Readable | null> => {
  const now = Date.now()
  const [blogs, posts, texts, , neighbours] = await db.batch<Row>([
    db.prepare(`select ${BLOG} from posts p join accounts a on a.id = p.account_id where p.slug = ?`).bind(slug),
    db
      .prepare(
        `select p.slug, p.status, p.categories, p.tags, p.primary_language, p.translation_languages, p.published_at,
          p.canonical_url, p.author_name, a.username as author from posts p join accounts a on a.id = p.account_id
          where p.slug = ?`,
      )
      .bind(slug),
    db
      .prepare(
        `select t.lang_code, t.title, t.meta_description, t.versions, t.changed_at,
          case when t.lang_code = p.primary_language then t.html end as html
          from texts t join posts p on p.id = t.post_id where p.slug = ?`,
      )
      .bind(slug),
    db
      .prepare("select i.id, i.width, i.height from posts p join images i on i.id = p.cover_image_id where p.slug = ?")
      .bind(slug),
    db.prepare(NEIGHBOURS).bind(slug, slug, now, slug, slug, now, slug),
  ])
  const [blog, row] = [blogs?.results[0], posts?.results[0]]
  if (!blog || !row) return null
  const neighbour = (isOlder: number) => neighbours?.results.find((entry) => entry["is_older"] === isOlder) ?? null
  return {
    blog,
    post: { ...texts?.results[0], ...row },
    older: neighbour(1),
    newer: neighbour(0),
  } as unknown as Readable
}

/** The newest posts of a blog. */
export const findIndex = async (db: Asked, username: string, limit: number): Promise<Listed | null> => {
  const [blogs, rows] = await db.batch<Row>([
    selectBlog(db, username),
    db
      .prepare(
        `select ${ENTRY} from ${joined(`select p.id from posts p where ${OF_BLOG} ${NEWEST_FIRST} limit ? offset ?`)}`,
      )
      .bind(username, Date.now(), limit, 0),
  ])
  const blog = blogs?.results[0]
  return blog ? ({ blog, entries: rows?.results } as unknown as Listed) : null
}

/** The newest posts of a blog, with their HTML as long as it has `bytes` in all. */
export const findFeed = async (
  db: Asked,
  username: string,
  limit: number,
  bytes: number,
): Promise<Listed<Entry & { html: string | null }> | null> => {
  const [blogs, rows] = await db.batch<Row>([
    selectBlog(db, username),
    db
      .prepare(
        `select ${ENTRY}, octet_length(t.html) as size, t.html
          from ${joined(`select p.id from posts p where ${OF_BLOG} ${NEWEST_FIRST} limit ?`)}`,
      )
      .bind(username, Date.now(), limit),
  ])
  const blog = blogs?.results[0]
  if (!blog) return null
  let sum = 0
  const entries = (rows?.results ?? []).map((row) => {
    sum += Number(row["size"])
    return sum <= bytes ? row : { ...row, html: null }
  })
  return { blog, entries } as unknown as Listed<Entry & { html: string | null }>
}

/** A new post with its text, labels and images, at once. */
export const insertPost = (db: D1Database, post: Row, text: Row, imageIds: string[]) =>
  db.batch([
    insert(db, "posts", post),
    insert(db, "texts", text),
    db
      .prepare(
        `insert into post_labels (account_id, kind, label, post_id, status, published_at)
          select p.account_id, label.kind, label.value, p.id, p.status, p.published_at from posts p
          join (select 'category' as kind, value from json_each(?) union all select 'tag', value from json_each(?)) label
          where p.id = ?`,
      )
      .bind(post["categories"] ?? "", post["tags"] ?? "", post["id"] ?? ""),
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
  const [, posts] = await db.batch<Row>([
    db.prepare("select username, hidden from accounts where id = ?").bind(accountId),
    db
      .prepare(
        `select p.*, (select json_group_array(json_array(t.lang_code, t.title, t.meta_description, t.edited, t.body_sha256))
            from texts t where t.post_id = p.id) as texts,
          (select json_group_array(json_array(l.position, i.id, i.width, i.height, i.source_sha256))
            from post_images l join images i on i.id = l.image_id where l.post_id = p.id) as images
          from posts p where p.account_id = ? order by p.id desc limit ?`,
      )
      .bind(accountId, limit + 1),
  ])
  return (posts?.results ?? []).slice(0, limit).map((post) => ({
    ...post,
    texts: JSON.parse(String(post["texts"])),
    images: JSON.parse(String(post["images"])),
  }))
}

/** The usable image of an account with these source bytes, which then lives longer. */
export const renewImage = async (
  db: D1Database,
  accountId: string,
  sourceSha256: string,
  now: number,
  expiresAt: number,
): Promise<string | null> => {
  const sql = `update images set created_at = case when stored_at is null then ? else created_at end,
    expires_at = max(expires_at, ?), cleanup_at = max(cleanup_at, ?)
    where account_id = ? and source_sha256 = ? and deleting_at is null and (expires_at > ?
    or exists (select 1 from post_images where image_id = images.id)) returning id`
  const statement = db.prepare(sql).bind(now, expiresAt, expiresAt, accountId, sourceSha256, now)
  return (await statement.all<{ id: string }>()).results[0]?.id ?? null
}

/** The row of an image instead of an expired one of the same bytes, and its bytes off the account's space. */
export const insertImage = (db: D1Database, image: NewImage) =>
  db.batch([
    db
      .prepare(
        `update images set deleting_at = ? where account_id = ? and source_sha256 = ? and deleting_at is null
          and expires_at <= ? and not exists (select 1 from post_images where image_id = images.id)`,
      )
      .bind(image.created_at, image.account_id, image.source_sha256, image.created_at),
    insert(db, "images", image),
    db.prepare("update accounts set stored_bytes = stored_bytes + ? where id = ?").bind(image.bytes, image.account_id),
  ])

/** Notes that the file of an image is stored. */
export const markStored = (db: D1Database, id: string) =>
  db
    .prepare("update images set stored_at = ? where id = ? and deleting_at is null returning *")
    .bind(Date.now(), id)
    .all()

/** The account of a media path, if the image is its own. */
export const findMedia = async (db: Asked, username: string, imageId: string): Promise<string | null> => {
  const sql = `select a.id, a.hidden, i.id as image_id, exists (select 1 from post_images where image_id = i.id) as attached,
    exists (select 1 from post_images l join posts p on p.id = l.post_id where l.image_id = i.id and p.status = 'PB'
    and p.published_at <= ?) as published from accounts a left join images i on i.id = ? where a.username = ?`
  const { results } = await db.prepare(sql).bind(Date.now(), imageId, username).all<Account>()
  return results[0]?.["image_id"] ? results[0].id : null
}
