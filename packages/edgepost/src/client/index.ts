// The typed client of edgepost's API. Runs in Node, browsers and Workers.
import createFetchClient from "openapi-fetch"

import { checkApiKey, checkBaseUrl } from "./access.ts"
import { atMost } from "./at-most.ts"
import { EdgepostError } from "./errors.ts"
import type { paths } from "./openapi.ts"
import { paginate } from "./paginate.ts"
import { REAL_TIMING, retryAfterOf, type Timing } from "./retry.ts"
import { createSend } from "./send.ts"
import { waitUntilDone } from "./translations.ts"
import type {
  Client,
  ClientOptions,
  FoundImage,
  ListPostsQuery,
  Post,
  Warning,
  WriteOptions,
  WrittenPost,
} from "./types.ts"

export { atMost } from "./at-most.ts"
export { type ClientCode, EdgepostError, type FieldError, type Problem } from "./errors.ts"
export { paginate } from "./paginate.ts"
export type { Timing } from "./retry.ts"
export type { Translation, WaitOptions } from "./translations.ts"
export type * from "./types.ts"

/** Uploads that a client sends at once; the service lets those of an account wait for each other. */
export const UPLOADS_AT_ONCE = 4
const HASHES_A_CALL = 100
const POSTS_A_PAGE = 100

/** Returns the data of a success. `send` throws for every other answer. */
const dataOf = <T>({ data }: { data?: T }): T => data as T

interface Answer<T> {
  data?: T
  response: Response
}

const writtenOf = ({ response, ...answer }: Answer<{ post: Post; warnings: Warning[] }>): WrittenPost => {
  const { post, warnings } = dataOf(answer)
  return { post, warnings, etag: response.headers.get("ETag"), status: response.status }
}

const dryRunOf = ({ dryRun }: WriteOptions) => ({ dry_run: dryRun || undefined })

const newKey = (): string => crypto.randomUUID()

/**
 * Makes a client of a service. Neither the key nor any other part of a request is sent to another origin.
 * @param timing for tests: the clock, waits and randomness of retries
 * @throws EdgepostError `invalid_options` if the address is neither https nor on this machine, or the key is malformed
 */
export const createClient = (
  { baseUrl, apiKey, fetch = globalThis.fetch, signal, onWait }: ClientOptions,
  timing: Timing = REAL_TIMING,
): Client => {
  const api = createFetchClient<paths>({
    baseUrl: checkBaseUrl(baseUrl),
    headers: { "X-API-KEY": checkApiKey(apiKey) },
    redirect: "manual",
    signal,
    fetch: createSend({ fetch, signal, onWait }, timing),
  })

  const inTurn = atMost(UPLOADS_AT_ONCE)

  const readTranslations = async (slug: string) => {
    const path = { slug }
    const answer = await api.GET("/api/blogcontroller/posts/{slug}/translations/", { params: { path } })
    const { translations } = dataOf(answer)
    return { translations, retryAfter: retryAfterOf(answer.response.headers, timing.now()) }
  }

  const listPosts = async (query: ListPostsQuery = {}) =>
    dataOf(await api.GET("/api/blogcontroller/posts/", { params: { query } }))

  return {
    getAccount: async () => dataOf(await api.GET("/api/blogcontroller/account/")).account,

    listPosts,

    paginatePosts: (query) => paginate(listPosts, { limit: POSTS_A_PAGE, ...query }),

    getPost: async (slug, query = {}) => {
      const answer = await api.GET("/api/blogcontroller/posts/{slug}/", { params: { path: { slug }, query } })
      const etag = answer.response.headers.get("ETag")
      if (etag !== null) return { post: dataOf(answer).post, etag }
      const detail = "The answer has no ETag: a server in between removed it."
      throw new EdgepostError({ code: "unexpected_answer", status: answer.response.status, detail })
    },

    createPost: async (body, options = {}) => {
      const header = { "Idempotency-Key": options.idempotencyKey ?? newKey() }
      const params = { query: dryRunOf(options), header }
      return writtenOf(await api.POST("/api/blogcontroller/posts/", { params, body }))
    },

    putPost: async (slug, body, options = {}) => {
      const header = { "If-Match": options.ifMatch, "If-None-Match": options.ifNoneMatch }
      const params = { path: { slug }, query: dryRunOf(options), header }
      return writtenOf(await api.PUT("/api/blogcontroller/posts/{slug}/", { params, body }))
    },

    patchPost: async (slug, body, options = {}) => {
      const header = { "If-Match": options.ifMatch, "Idempotency-Key": options.idempotencyKey }
      const params = { path: { slug }, query: dryRunOf(options), header }
      return writtenOf(await api.PATCH("/api/blogcontroller/posts/{slug}/", { params, body }))
    },

    deletePost: async (slug, { ifMatch, ...options } = {}) => {
      const params = { path: { slug }, query: dryRunOf(options), header: { "If-Match": ifMatch } }
      await api.DELETE("/api/blogcontroller/posts/{slug}/", { params })
    },

    renewPreview: async (slug) => {
      const params = { path: { slug } }
      const { preview_url, expires_at } = dataOf(
        await api.POST("/api/blogcontroller/posts/{slug}/preview/", { params }),
      )
      return { preview_url, expires_at }
    },

    uploadImage: async (bytes, name, { idempotencyKey = newKey(), originalSha256 } = {}) => {
      const file = bytes instanceof Blob ? bytes : new Blob([bytes as BlobPart])
      const toForm = () => {
        const form = new FormData()
        form.set("file", file, name)
        if (originalSha256 !== undefined) form.set("original_sha256", originalSha256)
        return form
      }
      const params = { header: { "Idempotency-Key": idempotencyKey } }
      const options = { params, body: { file }, bodySerializer: toForm }
      return inTurn(async () => dataOf(await api.POST("/api/blogcontroller/image-upload/", options)))
    },

    findImages: async (hashes, by = "source_sha256") => {
      const found: FoundImage[] = []
      for (let i = 0; i < hashes.length; i += HASHES_A_CALL) {
        const query = { [by]: hashes.slice(i, i + HASHES_A_CALL).join(",") }
        found.push(...dataOf(await api.GET("/api/blogcontroller/images/", { params: { query } })).images)
      }
      return found
    },

    listRedirects: async (source) => {
      const { redirects } = dataOf(
        await api.GET("/api/blogcontroller/account/redirects/", { params: { query: { source } } }),
      )
      return redirects.map(({ from, to }) => ({ from, to }))
    },

    putRedirects: async (source, redirects) => {
      const params = { query: { source } }
      await api.PUT("/api/blogcontroller/account/redirects/", { params, body: { redirects } })
    },

    listGlossary: async () => dataOf(await api.GET("/api/blogcontroller/account/glossary/")).entries,

    changeGlossary: async (body) => dataOf(await api.PATCH("/api/blogcontroller/account/glossary/", { body })).entries,

    retranslateTerms: async (terms, { dryRun } = {}) => {
      const sum = { posts: 0, translations: 0 }
      for (let cursor: string | null | undefined; cursor !== null;) {
        const params = { query: { ...dryRunOf({ dryRun }), ...(cursor !== undefined && { cursor }) } }
        const answer = await api.POST("/api/blogcontroller/account/glossary/retranslate/", { params, body: { terms } })
        const { posts, translations, next_cursor } = dataOf(answer)
        sum.posts += posts
        sum.translations += translations
        cursor = next_cursor ?? null
      }
      return sum
    },

    listTranslations: async (slug) => (await readTranslations(slug)).translations,

    waitForTranslations: (slug, options = {}) => waitUntilDone(() => readTranslations(slug), options, timing, signal),

    retranslate: async (slug, lang, body = {}, { idempotencyKey = newKey() } = {}) => {
      const params = { path: { slug, lang_code: lang }, header: { "Idempotency-Key": idempotencyKey } }
      const path = "/api/blogcontroller/posts/{slug}/translations/{lang_code}/"
      return dataOf(await api.POST(path, { params, body })).translation
    },

    approveTranslation: async (slug, lang, body = {}) => {
      const params = { path: { slug, lang_code: lang } }
      const path = "/api/blogcontroller/posts/{slug}/translations/{lang_code}/approve/"
      return dataOf(await api.POST(path, { params, body })).translation
    },

    deleteTranslation: async (slug, lang) => {
      const params = { path: { slug, lang_code: lang } }
      await api.DELETE("/api/blogcontroller/posts/{slug}/translations/{lang_code}/", { params })
    },
  }
}
