import { client } from "./api/client.gen.ts"
import * as api from "./api/index.ts"
import { BASE, DRAFT, KEY, PUBLISHED, run, SLUG, TERMS } from "./flow.ts"

client.setConfig({ baseUrl: BASE, auth: `Api-Key ${KEY}` })

const path = { slug: SLUG }
const throwOnError = true as const

await run({
  upload: async (file) => (await api.uploadImage({ body: { file }, throwOnError })).data,
  create: async (image_ids) => (await api.createPost({ body: { ...DRAFT, image_ids }, throwOnError })).data.post,
  patch: async () => (await api.patchPost({ path, body: PUBLISHED, throwOnError })).data.post,
  translations: async () => (await api.listTranslations({ path, throwOnError })).data.translations,
  list: async (limit) => (await api.listPosts({ query: { limit }, throwOnError })).data.posts,
  glossary: () => api.changeGlossary({ body: { entries: TERMS }, throwOnError }),
  remove: () => api.deletePost({ path, throwOnError }),
})
