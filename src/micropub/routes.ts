import { ulid } from "ulid"

import { keyChecks } from "../accounts/authenticate.ts"
import { openDb, openReplica } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { writeCursor } from "../http/cursor.ts"
import { ApiError, fieldError } from "../http/errors.ts"
import { postEtag } from "../http/etag.ts"
import { MULTIPART } from "../http/operation.ts"
import { contentTypeOf, ignoredEncoding } from "../http/read-body.ts"
import { route } from "../http/route.ts"
import { check, type Input, orThrow, unknownFields, type Warning } from "../http/validate.ts"
import { withIdempotency } from "../idempotency/with-idempotency.ts"
import { imageFilesOf } from "../images/cleanup.ts"
import { mediaPath } from "../images/image.ts"
import { inPlace, storeFile } from "../images/turn.ts"
import { DEFAULT_PAGE_SIZE } from "../limits.ts"
import { createPost } from "../posts/create.ts"
import { slugFor, withoutMade } from "../posts/defaults.ts"
import { CreatePost, createErrors, PatchPost, patchErrors } from "../posts/input.ts"
import { listOwn } from "../posts/list-store.ts"
import { languageFields, patchPost } from "../posts/patch.ts"
import { type Post, sourceText } from "../posts/post.ts"
import { removePost } from "../posts/remove.ts"
import { freeSlugIn, requireWritable, type Result, writeOf } from "../posts/write.ts"
import { listCategories } from "../reader/topics-store.ts"
import { hashSecret } from "../tokens.ts"
import { findByAddress, isPreview, locationOf } from "./address.ts"
import { applyChanges, type Meant, OF_NEW, propertiesOf, readEntry } from "./entry.ts"
import { inMicropub } from "./guard.ts"
import { MEDIA_PATH, postMicropubOperation, queryMicropubOperation, uploadMediaOperation } from "./operations.ts"
import { type MicropubRequest, readMicropub } from "./request.ts"

/** Attempts to create a post while others take its slug, or after the same text was deleted. */
const MAX_ATTEMPTS = 5

/** Stores the file of a request. @returns its path */
const pathOfFile = async (c: AppContext, file: File): Promise<string> => {
  const { id } = await storeFile(c, file, () => keyChecks(c.var, new Date()))
  return mediaPath(c.var.account.username, id)
}

/** Creates a post. A slug that is taken gets a number, since clients only propose it. @throws ApiError as `createPost` */
const createNumbered = async (c: AppContext, { fields, slug }: Meant): Promise<Result> => {
  const id = ulid(c.var.now.getTime())
  const named = { ...fields, slug: slugFor(slug ?? String(fields["title"]), id) }
  const { value } = orThrow(check(CreatePost, named, createErrors({}, named, c.var.now)))
  let free = value.slug
  for (let attempt = 1; ; attempt += 1)
    try {
      return await createPost(writeOf(c), { ...value, slug: free }, id)
    } catch (error) {
      const other = freeSlugIn(error)
      // A concurrent request may take the free one.
      if (other === undefined || attempt === MAX_ATTEMPTS) throw error
      free = other
    }
}

/** Answers a request that has written a post: 201 if it is at another address than before. @param own warnings about what was sent */
const answerWritten = (c: AppContext, before: string | null, { post, warnings: all }: Result, own: Warning[]) => {
  const url = locationOf(c, post)
  const warnings = [...own, ...withoutMade(all, sourceText(post)).map(inMicropub), ...ignoredEncoding(c)]
  if (url !== before) return c.json({ success: true, url, warnings }, 201, { Location: url })
  return warnings.length > 0 ? c.json({ success: true, url, warnings }, 200) : c.body(null, 204)
}

/** Makes a new post. The same title and text by the same key are the same post, while that is as it was meant. */
const create = async (c: AppContext, { properties, file }: MicropubRequest): Promise<Response> => {
  const photo = file ? [await pathOfFile(c, file), ...(properties["photo"] ?? [])] : (properties["photo"] ?? [])
  const meant = readEntry(c, { ...properties, photo }, [...OF_NEW, ...Object.keys(properties)])
  const content = JSON.stringify([c.var.key?.hash, meant.fields["title"], meant.fields["body"]])
  const make = async () => {
    const made = await createNumbered(c, meant)
    const { post } = made
    // Withdrawn since, or a draft before.
    if (post.status === "DF" && meant.fields["status"] === "PB") throw new ApiError("not_found")
    return { answer: answerWritten(c, null, made, meant.warnings), resultId: post.id }
  }
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1)
    try {
      return await withIdempotency(c, content, make, await hashSecret(`micropub ${attempt} ${content}`))
    } catch (error) {
      // The post has been deleted since, so its text makes a new one.
      if (!(error instanceof ApiError && error.code === "not_found")) throw error
    }
  c.set("attempt", undefined)
  return (await make()).answer
}

/** Changes a post that is as it was read. @throws ApiError as `patchPost`, 412 if it was saved meanwhile */
const change = async (c: AppContext, post: Post, { fields, slug, warnings }: Meant): Promise<Response> => {
  const patch = { ...languageFields(post), ...fields }
  const checked = check(PatchPost, patch, patchErrors({ slug: post.slug }, patch, c.var.now, post))
  const etag = postEtag(post, c.var.now)
  const newSlug = slug === undefined ? undefined : slugFor(slug, post.id)
  const changed = await patchPost(writeOf(c), post.slug, checked, { ifMatch: etag }, newSlug)
  return answerWritten(c, locationOf(c, post), changed, warnings)
}

const update = async (c: AppContext, request: MicropubRequest): Promise<Response> => {
  const { url, replace, add, delete: removed } = request
  if (Object.keys({ ...replace, ...add, ...removed }).length === 0)
    throw fieldError("replace", "validation_error", "An update is sent as JSON with replace, add or delete.")
  // A text is converted only for a caller who may write.
  const { post } = requireWritable({ post: await findByAddress(c, url) }, c.var)
  const { properties, names } = applyChanges(post, request)
  const { slug, ...meant } = readEntry(c, properties, names, post)
  return change(c, post, { ...meant, slug: names.includes("mp-slug") ? slug : undefined })
}

const onlyStatus = (status: "DF" | "PB"): Meant => ({ fields: { status }, slug: undefined, warnings: [] })

/** Withdraws a published post: it becomes a draft. A draft that has the address of its preview is deleted for good. */
const remove = async (c: AppContext, { url }: MicropubRequest): Promise<Response> => {
  const post = await findByAddress(c, url)
  if (post.status === "PB") await change(c, post, onlyStatus("DF"))
  // By the address of its page, a repeated request must not delete what the first one has withdrawn.
  else if (isPreview(url)) await removePost({ ...writeOf(c), ...imageFilesOf(c) }, post.slug, postEtag(post, c.var.now))
  return c.body(null, 204)
}

/** Publishes a post again that was withdrawn, by the address of its page. @throws ApiError 400 for one that was never published */
const restore = async (c: AppContext, { url }: MicropubRequest): Promise<Response> => {
  const post = await findByAddress(c, url)
  if (post.status === "PB") return c.body(null, 204)
  if (post.published_at === null || isPreview(url))
    throw fieldError("url", "validation_error", "Must be the address of a page that was deleted.")
  await change(c, post, onlyStatus("PB"))
  return c.body(null, 204)
}

const ACTIONS = { create, update, delete: remove, undelete: restore }

const answerPost = async (c: AppContext): Promise<Response> => {
  const request = await readMicropub(c)
  const { action } = request
  const isForDrafts = action === "create" || action === "update"
  if (!isForDrafts && c.var.key?.scope !== "publish") throw new ApiError("insufficient_scope")
  return ACTIONS[action](c, request)
}

/** Returns a post as microformats have it, with the properties that the query names, by default all. */
const sourceOf = (c: AppContext, post: Post) => {
  const all = propertiesOf(post)
  const { searchParams } = new URL(c.req.url)
  const asked = [...searchParams.getAll("properties[]"), ...searchParams.getAll("properties")]
  if (asked.length === 0) return { type: ["h-entry"], properties: all, url: locationOf(c, post) }
  return { properties: Object.fromEntries(Object.entries(all).filter(([name]) => asked.includes(name))) }
}

type Query = Input<typeof queryMicropubOperation>["query"]

const STATUS = { draft: "DF", published: "PB" } as const

/** Lists posts, the newest first. A page whose posts are few may still have others after it. */
const listSources = async (c: AppContext, { limit, after, before, ...query }: Query) => {
  const isNewer = after === undefined && before !== undefined
  const status = query["post-status"] && STATUS[query["post-status"]]
  // Apps ask for more than a page has: they get a page.
  const page = { limit: Math.min(limit, DEFAULT_PAGE_SIZE), cursor: after ?? before, isNewer, hasBodies: true }
  const { posts, next } = await listOwn(openDb(c.env.DB), c.var, { ...page, status })
  const shown = isNewer ? posts.toReversed() : posts
  const [older, newer] = isNewer ? [shown.at(-1)?.id, next] : [next, after && shown[0]?.id]
  const items = shown.map((post) => {
    const { properties, ...item } = sourceOf(c, post)
    return { ...item, properties: { ...properties, url: [locationOf(c, post)] } }
  })
  const paging = { ...(older && { after: writeCursor(older) }), ...(newer && { before: writeCursor(newer) }) }
  return { items, paging }
}

const QUERIES = ["config", "source", "syndicate-to", "category", "post-types"]

const readQuery = async (c: AppContext, query: Query) => {
  const { q = "config", url, filter = "" } = query
  const syndication = { "syndicate-to": [] }
  const types = ["note", "article", "photo"].map((type) => ({ type, name: type.replace(/^./, (a) => a.toUpperCase()) }))
  if (q === "config")
    return { "media-endpoint": c.var.origin + MEDIA_PATH, ...syndication, q: QUERIES, "post-types": types }
  if (q === "source") return url === undefined ? listSources(c, query) : sourceOf(c, await findByAddress(c, url))
  if (q === "syndicate-to") return syndication
  if (q === "post-types") return { "post-types": types }
  if (q !== "category") throw fieldError("q", "validation_error", `Must be ${QUERIES.join(", ")}.`)
  const categories = await listCategories(openReplica(c.env.DB), c.var.account.id, c.var.now)
  const wanted = filter.normalize("NFC").toLowerCase()
  return { categories: categories.filter((category) => category.toLowerCase().includes(wanted)) }
}

/** Answers a query. A name that it does not know has no effect, which `warnings` tells. */
const answerQuery = async (c: AppContext, query: Query): Promise<Response> => {
  const warnings = unknownFields(queryMicropubOperation.query, Object.fromEntries(new URL(c.req.url).searchParams))
  return c.json({ ...(await readQuery(c, query)), ...(warnings.length > 0 && { warnings }) })
}

const storeMedia = async (c: AppContext): Promise<Response> => {
  const { file } = await readMicropub(c)
  if (!file) throw fieldError("file", "validation_error", "Send an image as the part file of multipart/form-data.")
  const Location = c.var.origin + (await pathOfFile(c, file))
  return c.json({ success: true, url: Location }, 201, { Location })
}

export const micropubRoutes = [
  route(queryMicropubOperation, (c, { query }) => answerQuery(c, query)),
  route(postMicropubOperation, (c) => answerPost(c), {
    around: (c, answer) => (contentTypeOf(c) === MULTIPART ? inPlace(c, answer) : answer()),
  }),
  route(uploadMediaOperation, storeMedia, { around: inPlace }),
]
