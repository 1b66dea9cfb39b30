import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm"

import { addStoredBytes } from "../accounts/store.ts"
import { type Db, failedOn, listOf, repeatable, writeOnce } from "../db/client.ts"
import { type RawRow, runBatch, selection, type Statement } from "../db/plain-sql.ts"
import { accounts, type Image, images, originalOf, post_images, posts } from "../db/schema.ts"
import { isListed, isWhole, visibleAt } from "../db/visibility.ts"
import { MAX_STORED_BYTES } from "../limits.ts"
import type { UsableImage } from "./image.ts"
import { isLinked, isUsable } from "./lifetime.ts"

/**
 * Returns the SQL condition that readers see a post at `now` that has the image: as its cover, in a text that readers find, or
 * in none of its texts.
 */
const isShownToReaders = (now: Date) => {
  const isInText = sql`"texts"."post_id" = "posts"."id"
    and exists (select 1 from json_each("texts"."image_ids") where "value" = ${images.id})`
  const isReadable = sql`${isWhole} and ("texts"."lang_code" = "posts"."primary_language" or ${isListed})`
  return sql<boolean>`exists (select 1 from ${post_images} join ${posts} on ${posts.id} = ${post_images.post_id}
    where ${post_images.image_id} = ${images.id} and ${visibleAt(now)} and ("posts"."cover_image_id" = ${images.id}
      or exists (select 1 from "texts" where ${isInText} and ${isReadable})
      or not exists (select 1 from "texts" where ${isInText})))`
}

const isSource = (accountId: string, sourceSha256: string) =>
  and(eq(images.account_id, accountId), eq(images.source_sha256, sourceSha256))

/** The SHA-256 hashes of an upload, in hex. */
export interface Source {
  accountId: string
  /** Hash of the uploaded bytes. */
  sourceSha256: string
  /** Hash of the file from which the client made them; null if it does not say. */
  originalSha256: string | null
}

/** Returns the statement that marks the account's expired images of these bytes for deletion: they would keep others out. */
const markExpired = (db: Db, { accountId, sourceSha256 }: Source, now: Date) =>
  db
    .update(images)
    .set({ deleting_at: now })
    .where(and(isSource(accountId, sourceSha256), isNull(images.deleting_at), sql`not (${isUsable(now)})`))

const later = (column: typeof images.expires_at | typeof images.cleanup_at, time: Date | null): SQL =>
  sql`max(${column}, ${time?.getTime()})`

/**
 * Lets the account's usable image of these bytes and this original, if there is one, live until `expires_at` at least. An
 * image whose original is unknown takes this one.
 * @param extraStatements are executed in the same batch
 * @returns the image, whose file is missing as long as `stored_at` is null; null without such an image
 */
export const renewImage = async (
  db: Db,
  source: Source,
  { expires_at, cleanup_at }: Pick<Image, "expires_at" | "cleanup_at">,
  now: Date,
  extraStatements: Statement[],
): Promise<Image | null> => {
  const { accountId, sourceSha256, originalSha256 } = source
  const found = db
    .select({ id: images.id })
    .from(images)
    .where(
      and(
        isSource(accountId, sourceSha256),
        isUsable(now),
        originalSha256 === null
          ? undefined
          : or(isNull(images.original_sha256), eq(images.original_sha256, originalSha256)),
      ),
    )
    .orderBy(desc(sql`${originalOf(images)} = ${originalSha256 ?? sourceSha256}`))
    .limit(1)
  const renew = db
    .update(images)
    .set({
      // The start of the newest upload that may store the file.
      created_at: sql`case when ${images.stored_at} is null then ${now.getTime()} else ${images.created_at} end`,
      expires_at: later(images.expires_at, expires_at),
      cleanup_at: later(images.cleanup_at, cleanup_at),
      original_sha256: sql`coalesce(${images.original_sha256}, ${originalSha256})`,
    })
    .where(inArray(images.id, found))
    .returning()
  const [, [row]] = await repeatable(() => runBatch(db, [markExpired(db, source, now), renew, ...extraStatements]))
  return row ? IMAGE.toRow(row) : null
}

/**
 * Inserts an image and adds its bytes to the account's storage, in one batch; retries while D1 is out of reach. Expired
 * images of the same bytes are marked for deletion.
 * @param extraStatements are executed in the same batch
 * @returns `no_room` if the bytes exceed the account's storage, `no_account` if it is erased, `taken` if the account has a
 * usable image of the same bytes and original by now; then nothing is written
 */
export const insertImage = async (
  db: Db,
  image: Image & { source_sha256: string },
  now: Date,
  extraStatements: Statement[],
): Promise<"inserted" | "no_room" | "no_account" | "taken"> => {
  const { account_id: accountId, source_sha256: sourceSha256, original_sha256: originalSha256 } = image
  const source = { accountId, sourceSha256, originalSha256 }
  const room = sql<string>`(select id from ${accounts} where id = ${image.account_id} and stored_bytes + ${image.bytes} <= ${MAX_STORED_BYTES})`
  const write = () =>
    runBatch(db, [
      markExpired(db, source, now),
      // Without room the subquery is null, which violates NOT NULL.
      db.insert(images).values({ ...image, account_id: room }),
      addStoredBytes(db, eq(accounts.id, image.account_id), sql`${image.bytes}`),
      ...extraStatements,
    ])
  try {
    await writeOnce(write, async () => (await findImage(db, image.account_id, image.id)) !== null)
    return "inserted"
  } catch (error) {
    if (failedOn(error, "UNIQUE", "index 'images_original'")) return "taken"
    if (!failedOn(error, "NOT NULL", "images.account_id")) throw error
    const [account] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, image.account_id))
    return account ? "no_room" : "no_account"
  }
}

/** Notes that an image's file is stored. @returns the image; null if it is being deleted. @param extraStatements are executed in the same batch */
export const markStored = async (
  db: Db,
  id: string,
  now: Date,
  extraStatements: Statement[],
): Promise<Image | null> => {
  const mark = db
    .update(images)
    .set({ stored_at: now })
    .where(and(eq(images.id, id), isNull(images.deleting_at)))
    .returning()
  const [[row]] = await repeatable(() => runBatch(db, [mark, ...extraStatements]))
  return row ? IMAGE.toRow(row) : null
}

/** SHA-256 hashes in hex: of uploaded bytes, or of the files from which clients made them. */
type Hashes = { sources: string[] } | { originals: string[] }

/**
 * Finds the account's usable images of these bytes or originals whose files are stored. An image whose original is unknown
 * counts as its own.
 * @param isPublic only images that readers see
 * @returns `expires_at` is null while a post shows the image
 */
export const findByHash = async (
  db: Db,
  { accountId, hashes, isPublic }: { accountId: string; hashes: Hashes; isPublic: boolean },
  now: Date,
) => {
  const found = await db
    .select({ image: images, attached: isLinked.mapWith(Boolean) })
    .from(images)
    .where(
      and(
        eq(images.account_id, accountId),
        "sources" in hashes
          ? inArray(images.source_sha256, listOf(hashes.sources))
          : // The index has no images without a source.
            and(inArray(originalOf(images), listOf(hashes.originals)), isNotNull(images.source_sha256)),
        isUsable(now),
        isNotNull(images.stored_at),
        isPublic ? isShownToReaders(now) : undefined,
      ),
    )
  return found.map(({ image, attached }) => ({ ...image, expires_at: attached ? null : image.expires_at }))
}

const IMAGE = selection(getTableColumns(images))
const SHOWN = {
  id: images.id,
  width: images.width,
  height: images.height,
  source_sha256: images.source_sha256,
  original_sha256: images.original_sha256,
}
const USABLE = selection({ ...SHOWN, expires_at: images.expires_at })

/** Returns the SQL select of the account's images with these ids, expired ones included, but not those marked for deletion. */
export const selectUsable = (accountId: string, ids: string[]): SQL =>
  // `+` keeps SQLite from using the index of the account, which would read all its images.
  sql`select ${USABLE.columns}, ${isLinked} as "attached" from "images"
    where "images"."id" in ${listOf(ids)} and +"images"."account_id" = ${accountId} and "images"."deleting_at" is null`

/** Decodes a row of `selectUsable`: the image's id, size in pixels, expiry, and whether a post shows it. */
export const toUsable = (raw: RawRow): UsableImage => ({ ...USABLE.toRow(raw), attached: raw["attached"] === 1 })

/** Finds the account's images with these ids. Skips those marked for deletion; includes expired ones. */
export const findImages = async (db: Db, accountId: string, ids: string[]): Promise<UsableImage[]> => {
  const [found] = await runBatch(db, [selectUsable(accountId, ids)])
  return found.map(toUsable)
}

/** Finds an image of the account; null if there is none with this id, or it is marked for deletion. */
export const findImage = async (db: Db, accountId: string, id: string): Promise<Image | null> => {
  const [row] = await db
    .select()
    .from(images)
    .where(and(eq(images.id, id), eq(images.account_id, accountId), isNull(images.deleting_at)))
  return row ?? null
}

export const POST_IMAGE = selection({
  post_id: post_images.post_id,
  position: post_images.position,
  ...SHOWN,
})

/** Returns the SQL select of the images of posts in their order, with sizes in pixels. `POST_IMAGE` decodes its rows. */
export const selectPostImages = (postIds: SQL): SQL =>
  sql`select ${POST_IMAGE.columns} from "post_images" inner join "images" on "images"."id" = "post_images"."image_id"
    where "post_images"."post_id" in ${postIds} order by "post_images"."position"`

/** Deletes the rows of images marked for deletion, not their files, and subtracts their bytes from the accounts' storage. */
export const deleteImages = (db: Db, ids: string[]) =>
  db.batch([
    addStoredBytes(
      db,
      inArray(accounts.id, sql`(select account_id from ${images} where ${images.id} in ${listOf(ids)})`),
      sql`-(select coalesce(sum(bytes), 0) from ${images} where ${images.id} in ${listOf(ids)} and +${images.account_id} = ${accounts.id})`,
    ),
    db.delete(images).where(inArray(images.id, listOf(ids))),
  ])

/**
 * Finds the account with this username, and the image with this id, which may be another account's, in one read.
 * @returns null without the account; else the image or null, and whether a post (`attached`) or one that readers see at
 * `now` (`published`) shows it
 */
export const findMedia = async (db: Db, username: string, imageId: string, now: Date) => {
  const [row] = await db
    .select({
      account_id: sql<string>`${accounts.id}`.as("owner_id"),
      username: accounts.username,
      blog_host: accounts.blog_host,
      hidden: accounts.hidden,
      image: images,
      attached: isLinked.mapWith(Boolean),
      published: isShownToReaders(now).mapWith(Boolean),
    })
    .from(accounts)
    .leftJoin(images, eq(images.id, imageId))
    .where(eq(accounts.username, username))
  return row ?? null
}
