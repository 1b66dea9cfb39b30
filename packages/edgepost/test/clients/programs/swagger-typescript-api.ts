import { Api } from "./api.ts"
import { BASE, DRAFT, KEY, PUBLISHED, run, SLUG, TERMS } from "./flow.ts"

const { api } = new Api({ baseUrl: BASE, baseApiParams: { headers: { "X-API-KEY": KEY } } })

await run({
  upload: async (file) => (await api.uploadImage({ file })).data,
  create: async (image_ids) => (await api.createPost({ ...DRAFT, image_ids })).data.post,
  patch: async () => (await api.patchPost(SLUG, PUBLISHED)).data.post,
  translations: async () => (await api.listTranslations(SLUG)).data.translations,
  list: async (limit) => (await api.listPosts({ limit })).data.posts,
  glossary: () => api.changeGlossary({ entries: TERMS }),
  remove: () => api.deletePost(SLUG),
})
