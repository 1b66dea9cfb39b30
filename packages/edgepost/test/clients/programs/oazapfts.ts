import * as api from "./api.ts"
import { BASE, DRAFT, KEY, PUBLISHED, run, SLUG, TERMS } from "./flow.ts"

api.defaults.baseUrl = BASE
api.defaults.headers = { "X-API-KEY": KEY }

/** Returns the body of an answer; others than 2xx are errors. */
const dataOf = async <T extends { status: number; data?: unknown }>(answer: Promise<T>) => {
  const found = await answer
  if (found.status >= 300) throw new Error(JSON.stringify(found.data))
  return found as Extract<T, { status: 200 | 201 | 202 }>
}

await run({
  upload: async (file) => (await dataOf(api.uploadImage({ file }))).data,
  create: async (image_ids) => (await dataOf(api.createPost({ ...DRAFT, image_ids }))).data.post,
  patch: async () => (await dataOf(api.patchPost(SLUG, PUBLISHED))).data.post,
  translations: async () => (await dataOf(api.listTranslations(SLUG))).data.translations,
  list: async (limit) => (await dataOf(api.listPosts({ limit }))).data.posts,
  glossary: () => dataOf(api.changeGlossary({ entries: TERMS })),
  remove: () => dataOf(api.deletePost(SLUG)),
})
