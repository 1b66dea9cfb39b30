// The requests, the same for both Workers.
import { readFileSync } from "node:fs"
import { crc32, deflateSync } from "node:zlib"

import { AUTHORS } from "./seed.mjs"

const API = "/api/blogcontroller"
/** Posts with real texts, which are read and changed in turn: more of them than requests at a time. */
export const SUBJECTS = 64
/** One picture is converted at a time and two may wait; the next would be asked to come back. */
export const UPLOADS_AT_ONCE = 3

const example = readFileSync(new URL("../../examples/tide/post.md", import.meta.url), "utf8")
/** About 2 KB of Markdown: headings, a table, emphasis, lists; without its pictures. */
export const BODY = example
  .split(/^---$/m)
  .slice(2)
  .join("---")
  .split("\n\n")
  .filter((block) => !block.includes("!["))
  .join("\n\n")
  .trim()

const chunk = (name, data) => {
  const typed = Buffer.concat([Buffer.from(name), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(typed), 4)
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)])
}

/** A PNG of 16 × 16 pixels: what is measured is the way of an upload, not the conversion. */
const PICTURE = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
  chunk("IHDR", Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 6, 0, 0, 0])),
  chunk("IDAT", deflateSync(Buffer.alloc(16 * (1 + 16 * 4), 99).map((byte, i) => (i % 65 === 0 ? 0 : byte)))),
  chunk("IEND", Buffer.alloc(0)),
])

const FORM = Buffer.concat([
  Buffer.from(
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="p.png"\r\nContent-Type: image/png\r\n\r\n',
  ),
  PICTURE,
  Buffer.from("\r\n--edge--\r\n"),
])

const json = (method, path, key, fields) => {
  const body = Buffer.from(JSON.stringify(fields))
  return {
    method,
    path,
    headers: { "X-API-KEY": key, "Content-Type": "application/json", "Content-Length": body.length },
    body,
  }
}

export const createPost = (key, slug, fields = {}) =>
  json("POST", `${API}/posts/`, key, {
    title: slug,
    slug,
    status: "PB",
    categories: "coast",
    meta_description: "What it is about.",
    body: BODY,
    ...fields,
  })

export const patchPost = (key, slug, fields) =>
  json("PATCH", `${API}/posts/${slug}/`, key, {
    lang_code: "en",
    primary_language: "en",
    translation_languages: [],
    ...fields,
  })

export const getPost = (key, slug) => ({ method: "GET", path: `${API}/posts/${slug}/`, headers: { "X-API-KEY": key } })
export const listPosts = (key) => ({ method: "GET", path: `${API}/posts/`, headers: { "X-API-KEY": key } })
export const getPage = (username, slug) => ({ method: "GET", path: `/@${username}/${slug}/`, headers: {} })
export const getPicture = (path) => ({ method: "GET", path, headers: {} })
export const uploadPicture = (key) => ({
  method: "POST",
  path: `${API}/image-upload/`,
  headers: {
    "X-API-KEY": key,
    "Content-Type": "multipart/form-data; boundary=edge",
    "Content-Length": FORM.length,
  },
  body: FORM,
})

const subject = (n) => `subject-${n % SUBJECTS}`

/**
 * By name: the status that is expected and the n-th request; `most` bounds how many are sent at a time, and what is quick
 * is sent `times` as often, so that a batch takes some seconds.
 */
export const OPERATIONS = {
  create: { status: 201, request: (n, { keys }) => createPost(keys[0], `made-${n}`) },
  PATCH: {
    status: 200,
    request: (n, { keys }) => patchPost(keys[0], subject(n), { title: `Title ${n}`, body: `${BODY}\n\nNumber ${n}.` }),
  },
  GET: { status: 200, times: 3, request: (n, { keys }) => getPost(keys[0], subject(n)) },
  list: { status: 200, times: 2, request: (_, { keys }) => listPosts(keys[0]) },
  "public page": { status: 200, times: 3, request: (n) => getPage("author-0", subject(n)) },
  upload: { status: 201, most: UPLOADS_AT_ONCE, request: (n, { keys }) => uploadPicture(keys[n % AUTHORS]) },
  picture: { status: 200, times: 3, request: (_, { picture }) => getPicture(picture) },
}

/** Undoes what a batch has made, so that the next one finds as many posts. */
export const CLEAN_UP = [
  "delete from posts where slug >= 'made-' and slug < 'made.'",
  "delete from images where id not in (select image_id from post_images)",
]
