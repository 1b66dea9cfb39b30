import createClient from "openapi-fetch"

import type { paths } from "./api.ts"
import { BASE, DRAFT, KEY, PUBLISHED, run, SLUG, TERMS } from "./flow.ts"

const client = createClient<paths>({ baseUrl: BASE, headers: { "X-API-KEY": KEY } })
const params = { path: { slug: SLUG } }

const dataOf = async <T>(answer: Promise<{ data?: T; error?: unknown }>): Promise<T> => {
  const { data, error } = await answer
  if (error !== undefined) throw new Error(JSON.stringify(error))
  return data as T
}
/** Sends a form: without it the body becomes JSON. */
const bodySerializer = (body: object): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) form.append(name, value as File)
  return form
}

await run({
  // The types have a binary part as a text.
  upload: (file) =>
    dataOf(
      client.POST("/api/blogcontroller/image-upload/", { body: { file: file as unknown as string }, bodySerializer }),
    ),
  create: async (image_ids) =>
    (await dataOf(client.POST("/api/blogcontroller/posts/", { body: { ...DRAFT, image_ids } }))).post,
  patch: async () =>
    (await dataOf(client.PATCH("/api/blogcontroller/posts/{slug}/", { params, body: PUBLISHED }))).post,
  translations: async () =>
    (await dataOf(client.GET("/api/blogcontroller/posts/{slug}/translations/", { params }))).translations,
  list: async (limit) =>
    (await dataOf(client.GET("/api/blogcontroller/posts/", { params: { query: { limit } } }))).posts,
  glossary: () => dataOf(client.PATCH("/api/blogcontroller/account/glossary/", { body: { entries: TERMS } })),
  remove: () => dataOf(client.DELETE("/api/blogcontroller/posts/{slug}/", { params })),
})
