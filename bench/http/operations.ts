// The requests. Both Workers get the same.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { crc32, deflateSync } from "node:zlib"

import type { Request } from "./load.ts"
import type { Prepared } from "./prepare.ts"
import { AUTHORS } from "./seed.ts"

const API = "/api/blogcontroller"
/** Posts with real texts, which are read and changed in turn. There are more of them than requests at a time. */
export const SUBJECTS = 64
/** The service runs one upload of an account at a time, and lets the next one wait. */
export const UPLOADS_AT_ONCE = 1

const example = readFileSync(join(import.meta.dirname, "../../examples/tide/post.md"), "utf8")
/** About 2 KB of Markdown: headings, a table, emphasis, lists; no images. */
export const BODY = example
  // Matches the lines `---` around front matter. Does not match `----`.
  .split(/^---$/m)
  .slice(2)
  .join("---")
  .split("\n\n")
  .filter((block) => !block.includes("!["))
  .join("\n\n")
  .trim()

const chunk = (name: string, data: Buffer): Buffer => {
  const typed = Buffer.concat([Buffer.from(name), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(typed), 4)
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)])
}

const PIXELS = deflateSync(Buffer.alloc(16 * (1 + 16 * 4), 99).map((byte, i) => (i % 65 === 0 ? 0 : byte)))

/** Returns a PNG of 16 × 16 pixels, because the upload is measured and not the conversion. Each number has bytes of its own. */
const makeImage = (n: number): Buffer =>
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk("IHDR", Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 6, 0, 0, 0])),
    chunk("tEXt", Buffer.from(`Comment\0${n}`)),
    chunk("IDAT", PIXELS),
    chunk("IEND", Buffer.alloc(0)),
  ])

const makeForm = (n: number): Buffer =>
  Buffer.concat([
    Buffer.from(
      '--edge\r\nContent-Disposition: form-data; name="file"; filename="p.png"\r\nContent-Type: image/png\r\n\r\n',
    ),
    makeImage(n),
    Buffer.from("\r\n--edge--\r\n"),
  ])

const json = (method: string, path: string, key: string, fields: object): Request => {
  const body = Buffer.from(JSON.stringify(fields))
  return {
    method,
    path,
    headers: { "X-API-KEY": key, "Content-Type": "application/json", "Content-Length": body.length },
    body,
  }
}

const postFields = (slug: string, fields: object) => ({
  title: slug,
  status: "PB",
  categories: "coast",
  meta_description: "What it is about.",
  body: BODY,
  ...fields,
})

export const createPost = (key: string, slug: string, fields: object = {}): Request =>
  json("POST", `${API}/posts/`, key, { slug, ...postFields(slug, fields) })

export const patchPost = (key: string, slug: string, fields: object): Request =>
  json("PATCH", `${API}/posts/${slug}/`, key, {
    lang_code: "en",
    primary_language: "en",
    translation_languages: [],
    ...fields,
  })

export const putPost = (key: string, slug: string, fields: object): Request =>
  json("PUT", `${API}/posts/${slug}/`, key, postFields(slug, fields))

export const getPost = (key: string, slug: string): Request => ({
  method: "GET",
  path: `${API}/posts/${slug}/`,
  headers: { "X-API-KEY": key },
})
export const listPosts = (key: string, limit = 20): Request => ({
  method: "GET",
  path: `${API}/posts/?limit=${limit}`,
  headers: { "X-API-KEY": key },
})
export const getPage = (username: string, slug: string): Request => ({
  method: "GET",
  path: `/@${username}/${slug}/`,
  headers: {},
})
export const getImage = (path: string): Request => ({ method: "GET", path, headers: {} })
const getIndex = (username: string): Request => ({ method: "GET", path: `/@${username}/`, headers: {} })
export const getFeed = (username: string): Request => ({ method: "GET", path: `/@${username}/feed.atom`, headers: {} })
/** Returns the upload of the n-th image. An account has each image once: the service finds one with the same bytes. */
export const uploadImage = (key: string, n: number): Request => {
  const body = makeForm(n)
  return {
    method: "POST",
    path: `${API}/image-upload/`,
    headers: {
      "X-API-KEY": key,
      "Content-Type": "multipart/form-data; boundary=edge",
      "Content-Length": body.length,
    },
    body,
  }
}

const subject = (n: number): string => `subject-${n % SUBJECTS}`

const keyAt = ({ keys }: Prepared, n = 0): string => keys[n % AUTHORS] ?? ""

interface Operation {
  /** The expected status. */
  status: number
  /** Returns the n-th request. */
  request: (n: number, target: Prepared) => Request
  /** At most so many requests are sent at a time. */
  most?: number
  /** Fast operations get more requests, so that a batch takes some seconds. */
  times?: number
  /** Readers see the answer: both Workers must print as much. */
  isForReaders?: boolean
}

export const OPERATIONS: Record<string, Operation> = {
  create: { status: 201, request: (n, target) => createPost(keyAt(target), `made-${n}`) },
  PATCH: {
    status: 200,
    request: (n, target) =>
      patchPost(keyAt(target), subject(n), { title: `Title ${n}`, body: `${BODY}\n\nNumber ${n}.` }),
  },
  GET: { status: 200, times: 3, request: (n, target) => getPost(keyAt(target), subject(n)) },
  list: { status: 200, times: 2, request: (_, target) => listPosts(keyAt(target)) },
  "public page": { status: 200, times: 3, isForReaders: true, request: (n) => getPage("author-0", subject(n)) },
  index: { status: 200, times: 2, isForReaders: true, request: () => getIndex("author-0") },
  feed: { status: 200, isForReaders: true, request: () => getFeed("author-0") },
  upload: { status: 201, most: UPLOADS_AT_ONCE, request: (n, target) => uploadImage(keyAt(target, n), n) },
  picture: { status: 200, times: 3, request: (_, { image }) => getImage(image) },
}

/** Deletes what a batch has made, so that the next one finds as many posts. */
export const CLEAN_UP = [
  "delete from posts where slug >= 'made-' and slug < 'made.'",
  "delete from images where id not in (select image_id from post_images)",
]
