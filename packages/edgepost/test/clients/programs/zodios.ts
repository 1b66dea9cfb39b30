import { createApiClient } from "./api.ts"
import { BASE, DRAFT, KEY, PUBLISHED, run, SLUG, TERMS } from "./flow.ts"

const api = createApiClient(BASE, { axiosConfig: { headers: { "X-API-KEY": KEY } } })
const params = { slug: SLUG }

await run({
  upload: (file) => api.uploadImage({ file }),
  create: async (image_ids) => (await api.createPost({ ...DRAFT, image_ids })).post,
  patch: async () => (await api.patchPost(PUBLISHED, { params })).post,
  translations: async () => (await api.listTranslations({ params })).translations,
  list: async (limit) => (await api.listPosts({ queries: { limit } })).posts,
  glossary: () => api.changeGlossary({ entries: TERMS }),
  remove: () => api.deletePost(undefined, { params }),
})
