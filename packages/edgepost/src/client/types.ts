import type { components, operations } from "./openapi.ts"
import type { Translation, WaitOptions } from "./translations.ts"

export type Account = components["schemas"]["OwnAccount"]
export type Post = components["schemas"]["Post"]
export type ListedPost = components["schemas"]["ListedPost"]
export type CreatePost = components["schemas"]["CreatePost"]
export type PutPost = components["schemas"]["PutPost"]
export type PatchPost = components["schemas"]["PatchPost"]
export type Approve = components["schemas"]["Approve"]
export type Retranslate = components["schemas"]["Retranslate"]
export type UploadedImage = components["schemas"]["UploadedImage"]
export type FoundImage = components["schemas"]["FoundImage"]
export type Warning = components["schemas"]["Warning"]

export interface ClientOptions {
  /** The address of the service: https, or http on this machine. */
  baseUrl: string
  /** An API key of the settings page. */
  apiKey: string
  /** Sends the requests; the global `fetch` if omitted. */
  fetch?: (request: Request) => Promise<Response>
  /** Ends every call and wait at once. The call then throws the signal's reason. */
  signal?: AbortSignal
  /** Called before a wait of more than a second, with its seconds and a reason such as "the rate limit is used up". */
  onWait?: (seconds: number, reason: string) => void
}

/** Filters of the list of posts; without one it has all posts of the account. `limit`: posts on a page, 1 to 100; 20 if omitted. */
export type ListPostsQuery = NonNullable<operations["listPosts"]["parameters"]["query"]>

/** A redirect from a path that the blog had before, `/2023/09/apples`, to the slug of a post or to a path. */
export interface OldRedirect {
  from: string
  to: string
}

/** A term of the glossary: it is kept as it is, or has translations by language code. */
export interface GlossaryEntry {
  term: string
  keep: boolean
  translations: Record<string, string>
  note: string | null
}

export interface PostPage {
  /** The newest post comes first, by `created_at`. */
  posts: ListedPost[]
  /** `cursor` of the next page; null on the last page. */
  next_cursor: string | null
}

/** A post as a write left it. */
export interface WrittenPost {
  post: Post
  /** Version of the post, for `ifMatch`; null after a dry run. */
  etag: string | null
  /** Remarks about a write that succeeded. */
  warnings: Warning[]
  /** 201 if the post was created, 202 while translations are outstanding, else 200. */
  status: number
}

export interface WriteOptions {
  /** Checks the write, and answers the post as it would be. Nothing is written. */
  dryRun?: boolean
}

export interface KeyOptions {
  /**
   * Lets a repeated call with the same key take effect once within 24 hours: 1 to 255 printable ASCII characters.
   * Calls that create something make one for each call if it is omitted.
   */
  idempotencyKey?: string
}

export interface MatchOptions {
  /** ETag of the version that the write is based on. If the post has changed since, the call throws 412 `version_conflict`. */
  ifMatch?: string
}

/**
 * The calls that an API key allows. Each throws an EdgepostError if it fails. A call waits and is repeated after 429, 503 and
 * a lost answer where that is safe, at most 5 times in all.
 */
export interface Client {
  /** Gets the account of the key: languages, paid time, scope of the key, limits by name. */
  getAccount: () => Promise<Account>

  /** Lists a page of the account's posts, drafts included, without bodies. */
  listPosts: (query?: ListPostsQuery) => Promise<PostPage>

  /** Yields all posts of a list, by default 100 a request. */
  paginatePosts: (query?: ListPostsQuery) => AsyncGenerator<ListedPost, void>

  /** Gets a post with its text in a language, by default in the source language. @throws 404 without such a post or text */
  getPost: (slug: string, query?: { lang_code?: string }) => Promise<{ post: Post; etag: string }>

  /** Creates a post. @throws 400 `duplicate_slug` if the slug is taken, 410 `image_expired` if an upload waited too long */
  createPost: (body: CreatePost, options?: WriteOptions & KeyOptions) => Promise<WrittenPost>

  /**
   * Creates a post at a slug, or replaces it. Sent again after a lost answer: with `ifMatch` or `ifNoneMatch` it may then
   * throw 412 although the first attempt took effect, so read the post before you decide.
   * @throws 403 `not_the_author`, 410 `image_expired`, 412 `version_conflict`
   */
  putPost: (
    slug: string,
    body: PutPost,
    options?: WriteOptions &
      MatchOptions & {
        /** Only creates: 412 if the slug has a post already. */
        ifNoneMatch?: "*"
      },
  ) => Promise<WrittenPost>

  /**
   * Changes some fields of a post, and the text in `lang_code`. Sent again after a lost answer only with `ifMatch` or
   * `idempotencyKey`; with `ifMatch` alone it may then throw 412 although the first attempt took effect.
   * @throws 403 `not_the_author`, 404, 410 `image_expired`, 412 `version_conflict`
   */
  patchPost: (slug: string, body: PatchPost, options?: WriteOptions & MatchOptions & KeyOptions) => Promise<WrittenPost>

  /** Deletes a post with its translations. @throws 404 if there is none, unless a lost attempt may have deleted it; 412 */
  deletePost: (slug: string, options?: WriteOptions & MatchOptions) => Promise<void>

  /** Makes a new preview link, and ends the earlier one. Not sent again after a lost answer. `expires_at` is RFC 3339. */
  renewPreview: (slug: string) => Promise<{ preview_url: string; expires_at: string }>

  /**
   * Uploads a PNG, JPEG or WebP image: at most 5 MB, and 2048 pixels a side. Bytes that the account has already are not
   * stored again. Waits when the rate limit is used up. A post must use the image before `expires_at`.
   * @param name the file's name, for messages only
   * @param options `originalSha256` is the hash (hex) of the file from which the bytes were made; an image without one takes it
   * @throws 410 `image_expired` if a repeated key's image has expired: call again with a new key
   */
  uploadImage: (
    bytes: Uint8Array | ArrayBuffer | Blob,
    name: string,
    options?: KeyOptions & { originalSha256?: string },
  ) => Promise<UploadedImage>

  /**
   * Finds the account's images by SHA-256 (hex) of the uploaded bytes, or of the files from which they were made, 100 a
   * request. An image without an original counts as its own. Renews no `expires_at`.
   */
  findImages: (hashes: string[], by?: "source_sha256" | "original_sha256") => Promise<FoundImage[]>

  /** Lists the redirects from old addresses that have this source, in the order of their addresses. */
  listRedirects: (source: string) => Promise<OldRedirect[]>

  /** Replaces the redirects that have this source. @throws 400 if the account would have too many */
  putRedirects: (source: string, redirects: OldRedirect[]) => Promise<void>

  /** Lists the terms of the glossary, sorted. */
  listGlossary: () => Promise<GlossaryEntry[]>

  /** Deletes terms, then adds `entries` or replaces those of the same spelling. @throws 400 if the account would have too many */
  changeGlossary: (change: components["schemas"]["GlossaryChange"]) => Promise<GlossaryEntry[]>

  /** Translates posts that have one of up to 50 terms again, in as many calls as their portions need. In a dry run it only counts them. */
  retranslateTerms: (
    terms: string[],
    options?: { dryRun?: boolean },
  ) => Promise<{ posts: number; translations: number }>

  /** Lists the translations of a post, in the order of `translation_languages`. */
  listTranslations: (slug: string) => Promise<Translation[]>

  /** Reads the translations of a post until each listed one is ready or failed. @throws EdgepostError `timeout` */
  waitForTranslations: (slug: string, options?: WaitOptions) => Promise<Translation[]>

  /** Translates a listed language again; fields edited by hand only if `discard_edits` names them. */
  retranslate: (slug: string, lang: string, body?: Retranslate, options?: KeyOptions) => Promise<Translation>

  /** Shows readers what waits of a translation. @throws 412 `version_conflict` if it has another `updated_at` than `body` names */
  approveTranslation: (slug: string, lang: string, body?: Approve) => Promise<Translation>

  /** Removes a translation, and takes its language off the post's list. */
  deleteTranslation: (slug: string, lang: string) => Promise<void>
}
