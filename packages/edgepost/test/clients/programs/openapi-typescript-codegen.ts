import { ImagesService, OpenAPI, PostsService, TranslationsService } from "./api/index.ts"
import { BASE, DRAFT, KEY, PUBLISHED, run, SLUG, TERMS } from "./flow.ts"

OpenAPI.BASE = BASE
OpenAPI.HEADERS = { "X-API-KEY": KEY }

await run({
  upload: (file) => ImagesService.uploadImage({ formData: { file } }),
  create: async (image_ids) => (await PostsService.createPost({ requestBody: { ...DRAFT, image_ids } })).post,
  patch: async () => (await PostsService.patchPost({ slug: SLUG, requestBody: PUBLISHED })).post,
  translations: async () => (await TranslationsService.listTranslations({ slug: SLUG })).translations,
  list: async (limit) => (await PostsService.listPosts({ limit })).posts,
  glossary: () => TranslationsService.changeGlossary({ requestBody: { entries: TERMS } }),
  remove: () => PostsService.deletePost({ slug: SLUG }),
})
