import { ulid } from "ulid"

import { TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { finish, render as parse } from "../../src/markdown/render.ts"
import { printFeed, printIndex, printPage } from "./bare-pages.ts"
import * as store from "./bare-store.ts"

// The calls of edgepost without all else: no framework, no validation, no second check of HTML. See README.md.

export { UploadLimiter } from "../../src/images/limiter.ts"

const API = "/api/blogcontroller"
const IMAGE_SECONDS = 1800
const INDEX_POSTS = 20
const FEED_POSTS = 30
const FEED_BYTES = 2 ** 20

interface Input {
  title: string
  slug: string
  categories: string
  meta_description: string
  body: string
  image_ids?: string[]
}

/** Renders with the same code as edgepost, so that what is compared is all else. */
const render = (body: string): string => {
  const rendered = parse(body)
  const finished = rendered instanceof TooComplex ? rendered : finish(rendered, { show: () => null, language: "en" })
  if (finished instanceof TooComplex) throw finished
  return finished.html
}

const sha256 = async (bytes: BufferSource): Promise<string> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex()

const hashOf = (request: Request): Promise<string> =>
  sha256(new TextEncoder().encode(request.headers.get("X-API-KEY") ?? ""))

const answerText = (text: string, type: string): Response =>
  new Response(text, { headers: { "Content-Type": `${type}; charset=utf-8` } })

const missing = (): Response => Response.json({ success: false }, { status: 404 })

const view = ({ post, images }: store.Loaded): object => ({ success: true, post: { ...post, images } })

const createPost = async (request: Request, env: Env, account: store.Account): Promise<Response> => {
  const input = await request.json<Input>()
  const [id, now, html] = [ulid(), Date.now(), render(input.body)]
  const ids = input.image_ids ?? []
  await Promise.all(ids.map((image) => env.IMAGE_TICKETS.get(image, "json")))
  const { slug, title, meta_description, body } = input
  const post = {
    id,
    account_id: account.id,
    slug,
    status: "PB",
    categories: JSON.stringify([input.categories]),
    tags: "[]",
    primary_language: "en",
    translation_languages: "[]",
    version: 1,
    revision: 1,
    text_version: 1,
    created_at: now,
    updated_at: now,
    published_at: now,
  }
  const text = {
    post_id: id,
    lang_code: "en",
    title,
    meta_description,
    body,
    html,
    image_ids: JSON.stringify(ids),
    versions: '{"title":1,"meta_description":1,"body":1}',
    edited: "[]",
    status: "ready",
    warnings: "[]",
    updated_at: now,
    changed_at: now,
  }
  await store.insertPost(env.DB, post, text, ids)
  const headers = { Location: `${API}/posts/${slug}/` }
  return Response.json({ success: true, post: { ...text, ...post } }, { status: 201, headers })
}

const patchPost = async (request: Request, env: Env, loaded: store.Loaded): Promise<Response> => {
  const input = await request.json<Input>()
  const html = render(input.body)
  const [before, now] = [loaded.post, Date.now()]
  const text = { title: input.title, body: input.body, html, updated_at: now, changed_at: now }
  const post = { version: before.version + 1, revision: before.revision + 1, text_version: before.version + 1 }
  await store.updatePost(env.DB, before, { ...post, updated_at: now }, text)
  return Response.json(view({ ...loaded, post: { ...before, ...text, ...post } }))
}

const upload = async (request: Request, env: Env, account: store.Account): Promise<Response> => {
  await env.UPLOAD_LIMITER.getByName(account.id).take(1000, 60)
  const file = (await request.formData()).get("file")
  if (!(file instanceof File)) return missing()
  const bytes = await file.arrayBuffer()
  const [source_sha256, now] = [await sha256(bytes), Date.now()]
  const expires_at = now + IMAGE_SECONDS * 1000
  const known = await store.renewImage(env.DB, account.id, source_sha256, now, expires_at)
  const id = known ?? ulid()
  if (!known) {
    const size = { bytes: bytes.byteLength, width: 1, height: 1 }
    const times = { created_at: now, expires_at, cleanup_at: expires_at, deleting_at: null, stored_at: null }
    await store.insertImage(env.DB, { id, account_id: account.id, source_sha256, ...size, ...times })
    await env.MEDIA.put(`${account.id}/${id}.webp`, bytes, { httpMetadata: { contentType: "image/webp" } })
    await store.markStored(env.DB, id)
  }
  const ticket = JSON.stringify({ account_id: account.id, width: 1, height: 1, source_sha256, expires_at })
  await env.IMAGE_TICKETS.put(id, ticket, { expirationTtl: IMAGE_SECONDS })
  const image_url = `/media/${account.username}/blog_img/${id}.webp`
  return Response.json({ success: true, image_id: id, image_url }, { status: 201 })
}

const callApi = async (request: Request, env: Env, path: string, limit: number): Promise<Response> => {
  const hash = await hashOf(request)
  const isOfPost = path.startsWith("/posts/") && path !== "/posts/"
  if (isOfPost) {
    const { account, loaded } = await store.findCallerAndPost(env.DB, hash, path.slice("/posts/".length, -1))
    if (!account) return Response.json({ success: false }, { status: 401 })
    if (loaded?.post.account_id !== account.id) return missing()
    return request.method === "PATCH" || request.method === "PUT"
      ? patchPost(request, env, loaded)
      : Response.json(view(loaded))
  }
  const account = await store.findCaller(env.DB, hash)
  if (!account) return Response.json({ success: false }, { status: 401 })
  if (path === "/image-upload/") return upload(request, env, account)
  if (path === "/posts/" && request.method === "POST") return createPost(request, env, account)
  return Response.json({ success: true, posts: await store.listPosts(env.DB, account.id, limit) })
}

/** Answers what a blog has at a path below it: its index, its feed or a post. */
const showBlog = async (env: Env, origin: string, username: string, rest: string): Promise<Response> => {
  const db = env.DB.withSession("first-unconstrained")
  if (rest === "feed.atom") {
    const feed = await store.findFeed(db, username, FEED_POSTS, FEED_BYTES)
    return feed ? answerText(printFeed(feed, origin), "application/atom+xml") : missing()
  }
  if (rest === "") {
    const listed = await store.findIndex(db, username, INDEX_POSTS + 1)
    return listed ? answerText(printIndex(listed, origin, INDEX_POSTS), "text/html") : missing()
  }
  const page = await store.findPage(db, rest)
  return page ? answerText(printPage(page, origin), "text/html") : missing()
}

const showImage = async (env: Env, username: string, id: string): Promise<Response> => {
  const account = await store.findMedia(env.DB.withSession("first-unconstrained"), username, id)
  const file = account === null ? null : await env.MEDIA.get(`${account}/${id}.webp`)
  return file ? new Response(file.body, { headers: { "Content-Type": "image/webp" } }) : missing()
}

export default {
  fetch: async (request, env) => {
    const { pathname, origin, searchParams } = new URL(request.url)
    const limit = Number(searchParams.get("limit"))
    if (pathname.startsWith(API)) return callApi(request, env, pathname.slice(API.length), limit)
    const [, first = "", second = "", , file = ""] = pathname.split("/")
    if (first === "media") return showImage(env, second, file.replace(".webp", ""))
    return showBlog(env, origin, first.slice(1), second)
  },
} satisfies ExportedHandler<Env>
