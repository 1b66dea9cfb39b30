import * as api from "./api.ts"
import { BASE, DRAFT, KEY, PUBLISHED, run, SLUG, TERMS } from "./flow.ts"
import { CreatePostResponse } from "./zod.ts"

// Its functions call fetch with paths.
const { fetch } = globalThis
globalThis.fetch = (path, init) => fetch(`${BASE}${path as string}`, init)

const options = { headers: { "X-API-KEY": KEY } }

/** Returns an answer; others than 2xx are errors. */
const done = async <T extends { status: number; data?: unknown }>(answer: Promise<T>) => {
  const found = await answer
  if (found.status >= 300) throw new Error(JSON.stringify(found.data))
  return found as Extract<T, { status: 200 | 201 | 202 }>
}

await run({
  upload: async (file) => (await done(api.uploadImage({ file }, options))).data,
  create: async (image_ids) => {
    const { data } = await done(api.createPost({ ...DRAFT, image_ids }, undefined, options))
    return CreatePostResponse.parse(data).post
  },
  patch: async () => (await done(api.patchPost(SLUG, PUBLISHED, undefined, options))).data.post,
  translations: async () => (await done(api.listTranslations(SLUG, options))).data.translations,
  list: async (limit) => (await done(api.listPosts({ limit }, options))).data.posts,
  glossary: () => done(api.changeGlossary({ entries: TERMS }, options)),
  remove: () => done(api.deletePost(SLUG, undefined, options)),
})
