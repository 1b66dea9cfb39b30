// Written by `npm run client` from public/openapi.json: the calls that take an API key. Do not edit.
/* oxlint-disable */
export interface paths {
  "/api/blogcontroller/posts/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List your posts, including drafts, newest first */
    get: operations["listPosts"]
    put?: never
    /** Create a post */
    post: operations["createPost"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/api/blogcontroller/posts/{slug}/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a post
     * @description `lang_code` chooses the language of title, meta_description, body and html; 404 if there is no such text.
     */
    get: operations["getPost"]
    /**
     * Create or replace a post
     * @description Takes the fields of a new post. Omitted: `published_at`, `changed_at`, `listed`, languages, `source`, `translation_review` and, with the same cover, `cover_alt` and `cover_caption` are kept, `tags` become empty, `image_ids` what the body shows, and `cover_image_id`, `canonical_url` and `author_name` null. Translations edited by hand stay.
     */
    put: operations["putPost"]
    post?: never
    /**
     * Delete a post
     * @description Images that no post shows any more are deleted once they expire. Neither can be recovered. With `dry_run=true` the answer is the same, and nothing is deleted.
     */
    delete: operations["deletePost"]
    options?: never
    head?: never
    /**
     * Update a post in part
     * @description title, meta_description and body change the text in `lang_code`; the other fields belong to the post. 202 while translations are outstanding.
     */
    patch: operations["patchPost"]
    trace?: never
  }
  "/api/blogcontroller/{slug}/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Update a post in part (short path)
     * @description title, meta_description and body change the text in `lang_code`; the other fields belong to the post. 202 while translations are outstanding.
     */
    patch: operations["patchPostByShortPath"]
    trace?: never
  }
  "/api/blogcontroller/posts/{slug}/preview/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Make a new preview link
     * @description The earlier link ends. Reading a post never makes one.
     */
    post: operations["renewPreview"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/api/blogcontroller/image-upload/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Upload an image
     * @description PNG, JPEG or WebP, at most 5 MB and 2048 × 2048 pixels; stored as WebP. `RateLimit-Policy` states how many uploads are allowed in any 60 seconds.
     */
    post: operations["uploadImage"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/api/blogcontroller/images/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Find images by the bytes that were uploaded, or by their originals
     * @description Answers the images that a post can use now, in any order. Renews none, and counts as no upload. An image without `original_sha256` counts as its own original.
     */
    get: operations["findImages"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/api/blogcontroller/posts/{slug}/translations/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the translations of a post */
    get: operations["listTranslations"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/api/blogcontroller/posts/{slug}/translations/{lang_code}/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /** Translate again */
    post: operations["retranslate"]
    /** Delete a translation and remove its language from translation_languages */
    delete: operations["deleteTranslation"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/api/blogcontroller/posts/{slug}/translations/{lang_code}/approve/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Approve what waits of a translation
     * @description Readers then see it. If nothing waits, nothing changes.
     */
    post: operations["approveTranslation"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/api/blogcontroller/account/glossary/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the terms of the glossary */
    get: operations["listGlossary"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Add, replace and delete terms of the glossary
     * @description An account has at most 500 terms. Nothing is translated again by this call: later translations follow it.
     */
    patch: operations["changeGlossary"]
    trace?: never
  }
  "/api/blogcontroller/account/glossary/retranslate/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Translate posts with these terms again
     * @description Queues each translation by an engine of posts that have the words of a term. Segments whose terms have not changed come from the memory, as long as it has them. With `dry_run=true` it only counts them. It looks into a portion of the posts: as long as the answer has `next_cursor`, call again with it as `cursor`.
     */
    post: operations["retranslateTerms"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/api/blogcontroller/account/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** The account of this key: languages, blog title, paid time, limits */
    get: operations["getOwnAccount"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/api/blogcontroller/account/redirects/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the redirects from old addresses */
    get: operations["listRedirects"]
    /**
     * Replace the redirects from old addresses that a client keeps
     * @description A GET of such an address on the blog's own host is answered with 301, if the blog has no page there. An account has at most 5000 redirects. Those with another `source` stay.
     */
    put: operations["putRedirects"]
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/api/blogcontroller/webhooks/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the webhook endpoints of the account */
    get: operations["listWebhooks"]
    put?: never
    /**
     * Add a webhook endpoint
     * @description The address gets a signed POST of each event of the account, and answers within 10 seconds with a status from 200 to 299. An account has at most 5.
     */
    post: operations["createWebhook"]
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/api/blogcontroller/webhooks/deliveries/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the last deliveries to webhook endpoints
     * @description At most 50, the newest first.
     */
    get: operations["listWebhookDeliveries"]
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  "/api/blogcontroller/webhooks/{id}/": {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /** Delete a webhook endpoint, with what it was not told yet */
    delete: operations["deleteWebhook"]
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    CreatePost: {
      title: string
      /** @example my-first-post */
      slug: string
      /**
       * @description `DF` is a draft, `PB` is published
       * @enum {string}
       */
      status: "DF" | "PB"
      /** @description 1 to 10 names, comma-separated or as an array */
      categories: string | string[]
      /** @description Up to 20 names, comma-separated or as an array; lower-cased */
      tags?: string | string[]
      meta_description: string
      /** @description Markdown (CommonMark with GFM and safe HTML), at most 262144 bytes as UTF-8 */
      body: string
      /** @description image_id values of uploads */
      image_ids?: string[]
      /** @description BCP 47 language code */
      primary_language?: string
      /** @description BCP 47 language codes */
      translation_languages?: string[]
      /** @description The image above the text and in previews of other sites; not counted among `image_ids` */
      cover_image_id?: string | null
      /** @description What the cover shows, for readers who do not see it. Another cover needs other words */
      cover_alt?: string | null
      /** @description The words below the cover. Another cover needs other words */
      cover_caption?: string | null
      /** @description Readers see a published post from this time on, at most 366 days ahead. null: now if it is published, else the time of its publication */
      published_at?: string | null
      /** @description When this text last changed. Omitted: now, if it changes. null: as if it never had. A time before `published_at` or ahead becomes that, or now, with a warning */
      changed_at?: string | null
      /** @description false: a page at its address, in no list and feed. A new post is listed */
      listed?: boolean
      /** @description The original of this post elsewhere. The page names it as canonical */
      canonical_url?: string | null
      /** @description Who wrote the post, shown beside the username */
      author_name?: string | null
      /** @description A client's own mark, by which `GET posts/?source=` finds its posts */
      source?: string | null
      /** @description `hold`: readers see a machine translation once it is approved; `none`: at once; null: as the account's */
      translation_review?: ("none" | "hold") | null
    }
    PutPost: {
      title: string
      /** @description Must equal the path's slug: a slug never changes */
      slug?: string
      /**
       * @description `DF` is a draft, `PB` is published
       * @enum {string}
       */
      status: "DF" | "PB"
      /** @description 1 to 10 names, comma-separated or as an array */
      categories: string | string[]
      /** @description Up to 20 names, comma-separated or as an array; lower-cased */
      tags?: string | string[]
      meta_description: string
      /** @description Markdown (CommonMark with GFM and safe HTML), at most 262144 bytes as UTF-8 */
      body: string
      /** @description image_id values of uploads */
      image_ids?: string[]
      /** @description BCP 47 language code */
      primary_language?: string
      /** @description BCP 47 language codes */
      translation_languages?: string[]
      /** @description The image above the text and in previews of other sites; not counted among `image_ids` */
      cover_image_id?: string | null
      /** @description What the cover shows, for readers who do not see it. Another cover needs other words */
      cover_alt?: string | null
      /** @description The words below the cover. Another cover needs other words */
      cover_caption?: string | null
      /** @description Readers see a published post from this time on, at most 366 days ahead. null: now if it is published, else the time of its publication */
      published_at?: string | null
      /** @description When this text last changed. Omitted: now, if it changes. null: as if it never had. A time before `published_at` or ahead becomes that, or now, with a warning */
      changed_at?: string | null
      /** @description false: a page at its address, in no list and feed. A new post is listed */
      listed?: boolean
      /** @description The original of this post elsewhere. The page names it as canonical */
      canonical_url?: string | null
      /** @description Who wrote the post, shown beside the username */
      author_name?: string | null
      /** @description A client's own mark, by which `GET posts/?source=` finds its posts */
      source?: string | null
      /** @description `hold`: readers see a machine translation once it is approved; `none`: at once; null: as the account's */
      translation_review?: ("none" | "hold") | null
    }
    PatchPost: {
      /** @description BCP 47 language code */
      lang_code: string
      /** @description BCP 47 language code */
      primary_language: string
      /** @description BCP 47 language codes */
      translation_languages: string[]
      title?: string
      /**
       * @description `DF` is a draft, `PB` is published
       * @enum {string}
       */
      status?: "DF" | "PB"
      /** @description 1 to 10 names, comma-separated or as an array */
      categories?: string | string[]
      /** @description Up to 20 names, comma-separated or as an array; lower-cased */
      tags?: string | string[]
      meta_description?: string
      /** @description Markdown (CommonMark with GFM and safe HTML), at most 262144 bytes as UTF-8 */
      body?: string
      /** @description image_id values of uploads */
      image_ids?: string[]
      /** @description Must equal the path's slug: a slug never changes */
      slug?: string
      /** @description The image above the text and in previews of other sites; not counted among `image_ids` */
      cover_image_id?: string | null
      /** @description What the cover shows, for readers who do not see it. Another cover needs other words */
      cover_alt?: string | null
      /** @description The words below the cover. Another cover needs other words */
      cover_caption?: string | null
      /** @description Readers see a published post from this time on, at most 366 days ahead. null: now if it is published, else the time of its publication */
      published_at?: string | null
      /** @description When this text last changed. Omitted: now, if it changes. null: as if it never had. A time before `published_at` or ahead becomes that, or now, with a warning */
      changed_at?: string | null
      /** @description false: a page at its address, in no list and feed. A new post is listed */
      listed?: boolean
      /** @description The original of this post elsewhere. The page names it as canonical */
      canonical_url?: string | null
      /** @description Who wrote the post, shown beside the username */
      author_name?: string | null
      /** @description A client's own mark, by which `GET posts/?source=` finds its posts */
      source?: string | null
      /** @description `hold`: readers see a machine translation once it is approved; `none`: at once; null: as the account's */
      translation_review?: ("none" | "hold") | null
    }
    Retranslate: {
      /** @description Fields edited by hand to be translated by machine again */
      discard_edits?: ("title" | "meta_description" | "body")[]
    }
    Approve: {
      /**
       * Format: date-time
       * @description `updated_at` of the translation that you have looked at; by default the newest
       */
      updated_at?: string
    }
    GlossaryChange: {
      /** @description Terms to add, or to replace those of the same spelling. Each needs `keep` as true, or a translation */
      entries?: components["schemas"]["GlossaryEntryInput"][]
      /** @description Terms to delete */
      removed?: string[]
    }
    GlossaryEntryInput: {
      /** @description As the source text has it. One in lower case is found in any case */
      term: string
      /** @description True: the term stays as it is written in every language */
      keep?: boolean
      /** @description Its translation by BCP 47 code */
      translations?: {
        [key: string]: string
      }
      /** @description For you, and for engines that read instructions */
      note?: string | null
    }
    SoughtTerms: {
      /** @description Terms, of the glossary or not */
      terms: string[]
    }
    PostAnswer: {
      /** @constant */
      success: true
      post: components["schemas"]["Post"]
      warnings: components["schemas"]["Warning"][]
      /**
       * @description Present if nothing was written
       * @constant
       */
      dry_run?: true
    }
    Post: {
      slug: string
      /** @description The page for readers, once published; null while it is scheduled */
      url: string | null
      /**
       * @description `DF` is a draft, `PB` is published
       * @enum {string}
       */
      status: "DF" | "PB"
      /** @description The post is published, and `published_at` lies ahead */
      scheduled: boolean
      author: string
      categories: string[]
      tags: string[]
      primary_language: string
      translation_languages: string[]
      /** @description The language of title, meta_description, body and html */
      lang_code: string
      title: string | null
      meta_description: string | null
      images: {
        /** @description A ULID */
        image_id: string
        /** @description Server-relative: `/media/<username>/blog_img/<image_id>.webp` */
        image_url: string
        width: number
        height: number
        /** @description SHA-256 of the uploaded bytes, in hex; null for an image of version 0.1 */
        source_sha256: string | null
        /** @description SHA-256 of the file from which the client made the uploaded bytes, in hex; null if it did not say */
        original_sha256: string | null
      }[]
      translations: components["schemas"]["Translation"][]
      version: number
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      updated_at: string
      published_at: string | null
      /**
       * Format: date-time
       * @description When the text in `lang_code` last changed
       */
      changed_at: string
      /** @description Lists and feeds show it; false for a page */
      listed: boolean
      cover_image_id: string | null
      cover_alt: string | null
      cover_caption: string | null
      canonical_url: string | null
      author_name: string | null
      source: string | null
      /** @description null: as the account's */
      translation_review: ("none" | "hold") | null
      /** @description The attached images, except one that is only the cover */
      image_ids: string[]
      body: string | null
      html: string | null
      /** @description Shows the post to anyone with the link, for 7 days; null without a link, and for keys that only read */
      preview_url: string | null
      /** @description Only in a GET of a translation, and not for keys that only read: what waits for approval */
      pending?: {
        title?: string
        meta_description?: string
        body?: string
        html?: string
      } | null
    }
    Translation: {
      lang_code: string
      /** @enum {string} */
      status: "queued" | "running" | "ready" | "failed"
      /** @description The language is among `translation_languages` */
      listed: boolean
      /** @description Fields edited by hand whose source has changed since */
      stale: ("title" | "meta_description" | "body")[]
      /** @description Edited by hand; never overwritten */
      edited: ("title" | "meta_description" | "body")[]
      title: string | null
      /** @description Readers' title, meta_description and body are there */
      approved: boolean
      /** @description A newer text waits for approval; always false for keys that only read */
      pending: boolean
      url: string | null
      error: components["schemas"]["CodedMessage"] | null
      warnings: components["schemas"]["TranslationWarning"][]
      segments: {
        done: number
        total: number
      }
      engine: string | null
      /** Format: date-time */
      updated_at: string
    }
    CodedMessage: {
      code: string
      message: string
    }
    TranslationWarning: {
      code: string
      message: string
      /** @enum {string} */
      field: "title" | "meta_description" | "body"
    }
    /** @description Something to look at. The request succeeded all the same. */
    Warning: {
      field: string
      code: string
      message: string
    }
    Problem: {
      type: string
      title: string
      status: number
      detail: string
      /** @enum {string} */
      code:
        | "validation_error"
        | "unknown_parameter"
        | "invalid_json"
        | "invalid_multipart"
        | "duplicate_slug"
        | "lang_code_not_listed"
        | "unknown_language"
        | "body_required"
        | "body_too_complex"
        | "unknown_image_id"
        | "file_too_large"
        | "unsupported_format"
        | "resolution_too_large"
        | "animated_not_supported"
        | "undecodable_image"
        | "invalid_signature"
        | "text_quota"
        | "storage_quota"
        | "too_many_passkeys"
        | "unauthorized"
        | "sign_in_required"
        | "recent_sign_in_required"
        | "passkey_unknown"
        | "passkey_refused"
        | "subscription_required"
        | "account_restricted"
        | "insufficient_scope"
        | "not_the_author"
        | "cross_site"
        | "not_found"
        | "method_not_allowed"
        | "body_timeout"
        | "sign_in_link_used"
        | "idempotency_in_progress"
        | "passkey_challenge_used"
        | "image_expired"
        | "version_conflict"
        | "unsupported_media_type"
        | "range_not_satisfiable"
        | "idempotency_key_reused"
        | "rate_limited"
        | "internal_error"
        | "not_set_up"
        | "misconfigured"
        | "busy"
        | "unavailable"
      errors: components["schemas"]["FieldError"][]
      request_id: string
      /** @constant */
      success: false
      /** @description With `duplicate_slug`: a slug that is free. */
      suggested_slug?: string
    }
    FieldError: {
      field: string
      code: string
      message: string
    }
    ListedPost: {
      slug: string
      /** @description The page for readers, once published; null while it is scheduled */
      url: string | null
      /**
       * @description `DF` is a draft, `PB` is published
       * @enum {string}
       */
      status: "DF" | "PB"
      /** @description The post is published, and `published_at` lies ahead */
      scheduled: boolean
      author: string
      categories: string[]
      tags: string[]
      primary_language: string
      translation_languages: string[]
      /** @description The language of title, meta_description, body and html */
      lang_code: string
      title: string | null
      meta_description: string | null
      images: {
        /** @description A ULID */
        image_id: string
        /** @description Server-relative: `/media/<username>/blog_img/<image_id>.webp` */
        image_url: string
        width: number
        height: number
        /** @description SHA-256 of the uploaded bytes, in hex; null for an image of version 0.1 */
        source_sha256: string | null
        /** @description SHA-256 of the file from which the client made the uploaded bytes, in hex; null if it did not say */
        original_sha256: string | null
      }[]
      translations: components["schemas"]["Translation"][]
      version: number
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      updated_at: string
      published_at: string | null
      /**
       * Format: date-time
       * @description When the text in `lang_code` last changed
       */
      changed_at: string
      /** @description Lists and feeds show it; false for a page */
      listed: boolean
      cover_image_id: string | null
      cover_alt: string | null
      cover_caption: string | null
      canonical_url: string | null
      author_name: string | null
      source: string | null
      /** @description null: as the account's */
      translation_review: ("none" | "hold") | null
      /** @description The attached images, except one that is only the cover */
      image_ids: string[]
      /** @description The texts by language */
      texts: {
        [key: string]: {
          title: string | null
          meta_description: string | null
          /** @description SHA-256 of the body in UTF-8, in hex; null without a body, or if it was last saved with version 0.1 */
          body_sha256: string | null
          /** @description Edited by hand; never overwritten */
          edited: ("title" | "meta_description" | "body")[]
          /** Format: date-time */
          changed_at: string
        }
      }
    }
    UploadedImage: {
      /** @description A ULID */
      image_id: string
      /** @description Server-relative: `/media/<username>/blog_img/<image_id>.webp` */
      image_url: string
      width: number
      height: number
      /** @description SHA-256 of the uploaded bytes, in hex; null for an image of version 0.1 */
      source_sha256: string | null
      /** @description SHA-256 of the file from which the client made the uploaded bytes, in hex; null if it did not say */
      original_sha256: string | null
      /** @constant */
      success: true
      /**
       * Format: date-time
       * @description Until then, a post can use the image
       */
      expires_at: string
      warnings: components["schemas"]["Warning"][]
    }
    FoundImage: {
      /** @description A ULID */
      image_id: string
      /** @description Server-relative: `/media/<username>/blog_img/<image_id>.webp` */
      image_url: string
      width: number
      height: number
      /** @description SHA-256 of the uploaded bytes, in hex; null for an image of version 0.1 */
      source_sha256: string | null
      /** @description SHA-256 of the file from which the client made the uploaded bytes, in hex; null if it did not say */
      original_sha256: string | null
      /** @description null while a post shows the image */
      expires_at: string | null
    }
    GlossaryEntry: {
      term: string
      keep: boolean
      translations: {
        [key: string]: string
      }
      note: string | null
    }
    OwnAccount: {
      username: string
      paid_until: string | null
      primary_language: string
      translation_languages: string[]
      /** @description How translations should sound */
      translation_tones: {
        [key: string]: string
      }
      shows_translation_note: boolean
      blog_title: string | null
      blog_description: string | null
      author_name: string | null
      /** @description IANA name of the zone in which the author's pages show times */
      timezone: string
      /** @enum {string} */
      translation_review: "none" | "hold"
      /** @description The key of this request. */
      key: {
        name: string
        /** @enum {string} */
        scope: "publish" | "draft" | "read"
        expires_at: string | null
      }
      /** @description The bytes of all posts with their texts, and of all images. */
      usage: {
        text_bytes: number
        stored_bytes: number
      }
      /** @description The limits of this service, by name. */
      limits: {
        [key: string]: number
      }
    }
    WebhookEndpoint: {
      id: string
      url: string
      /** Format: date-time */
      created_at: string
      /** @description The first failure since the last success */
      failing_since: string | null
      /** @description When it was switched off: it has answered 410, has failed for 3 days, or too much was waiting */
      disabled_at: string | null
      disabled_reason: ("gone" | "failing" | "flooded") | null
    }
    NewWebhookEndpoint: {
      id: string
      url: string
      /** Format: date-time */
      created_at: string
      /** @description The first failure since the last success */
      failing_since: string | null
      /** @description When it was switched off: it has answered 410, has failed for 3 days, or too much was waiting */
      disabled_at: string | null
      disabled_reason: ("gone" | "failing" | "flooded") | null
      /**
       * @description Signs by Standard Webhooks. The API shows it only now
       * @example whsec_…
       */
      secret: string
    }
    WebhookDelivery: {
      /** @description The `webhook-id` of the event */
      id: string
      endpoint_id: string
      url: string
      /** @enum {string} */
      type:
        | "post.published"
        | "post.updated"
        | "post.unpublished"
        | "post.deleted"
        | "translation.ready"
        | "translation.failed"
        | "test"
      /** @description Null for a test */
      slug: string | null
      /** @enum {string} */
      status: "waiting" | "delivered" | "failed"
      /** @description Without those after which `Retry-After` has asked to wait */
      attempts: number
      /** @description The status of the last answer; null without one */
      answer_status: number | null
      /** Format: date-time */
      created_at: string
      next_attempt_at: string | null
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  listPosts: {
    parameters: {
      query?: {
        /** @description The number of posts; 20 if omitted */
        limit?: number
        /** @description `next_cursor` of the previous page */
        cursor?: string
        status?: "DF" | "PB"
        /** @description Posts that have this tag */
        tag?: string
        /** @description Posts in this category; case matters */
        category?: string
        /** @description Posts with this `source` */
        source?: string
        /** @description Posts that a client changed at this time or later. Translation runs do not count as changes */
        updated_since?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of posts without body and html */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description The next page: `rel="next"` */
          Link?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            posts: components["schemas"]["ListedPost"][]
            next_cursor: string | null
          }
        }
      }
      /** @description ValidationError: `validation_error`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  createPost: {
    parameters: {
      query?: {
        /** @description `true` checks the request and writes nothing */
        dry_run?: boolean
      }
      header?: {
        /** @description A repeated request with the same key takes effect only once; keys are kept for 24 hours */
        "Idempotency-Key"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "title": "My first post",
         *       "slug": "my-first-post",
         *       "status": "DF",
         *       "categories": [
         *         "News"
         *       ],
         *       "meta_description": "What this blog is going to be about.",
         *       "body": "Hello, **world**."
         *     }
         */
        "application/json": components["schemas"]["CreatePost"]
      }
    }
    responses: {
      /** @description With `dry_run=true`: the post as it would be. Nothing is written */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `true`: the answer to an earlier request with this Idempotency-Key */
          "Idempotent-Replayed"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PostAnswer"]
        }
      }
      /** @description Created */
      201: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `true`: the answer to an earlier request with this Idempotency-Key */
          "Idempotent-Replayed"?: string
          /** @description The post's API URL */
          Location?: string
          /** @description `"<version>.<revision>"`, and `.s` while scheduled. Translation runs increase only the revision */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PostAnswer"]
        }
      }
      /** @description ValidationError: `validation_error`, `invalid_json`, `unknown_language`, `duplicate_slug`, `body_too_complex`, `text_quota`, `unknown_image_id`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Request Timeout: `body_timeout` */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Conflict: `idempotency_in_progress` */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Gone: `image_expired` */
      410: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unsupported Media Type: `unsupported_media_type` */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unprocessable Content: `idempotency_key_reused` */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  getPost: {
    parameters: {
      query?: {
        lang_code?: string
      }
      header?: never
      path: {
        slug: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The post */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `"<version>.<revision>"`, and `.s` while scheduled. Translation runs increase only the revision */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            post: components["schemas"]["Post"]
          }
        }
      }
      /** @description Not modified */
      304: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description ValidationError: `validation_error`, `unknown_language`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `not_the_author`, `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  putPost: {
    parameters: {
      query?: {
        /** @description `true` checks the request and writes nothing */
        dry_run?: boolean
      }
      header?: {
        /** @description ETag of the version that this change is based on */
        "If-Match"?: string
        /** @description `*` creates a post, and replaces none */
        "If-None-Match"?: string
      }
      path: {
        slug: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "title": "My first post",
         *       "slug": "my-first-post",
         *       "status": "DF",
         *       "categories": [
         *         "News"
         *       ],
         *       "meta_description": "What this blog is going to be about.",
         *       "body": "Hello, **world**."
         *     }
         */
        "application/json": components["schemas"]["PutPost"]
      }
    }
    responses: {
      /** @description Replaced, unchanged, or what `dry_run` would do */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `"<version>.<revision>"`, and `.s` while scheduled. Translation runs increase only the revision */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PostAnswer"]
        }
      }
      /** @description Created */
      201: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description The post's API URL */
          Location?: string
          /** @description `"<version>.<revision>"`, and `.s` while scheduled. Translation runs increase only the revision */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PostAnswer"]
        }
      }
      /** @description Updated; translations are outstanding */
      202: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `"<version>.<revision>"`, and `.s` while scheduled. Translation runs increase only the revision */
          ETag?: string
          /** @description The translations: `rel="monitor"` */
          Link?: string
          /** @description Seconds */
          "Retry-After"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PostAnswer"]
        }
      }
      /** @description ValidationError: `validation_error`, `invalid_json`, `unknown_language`, `duplicate_slug`, `body_too_complex`, `text_quota`, `unknown_image_id`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `not_the_author`, `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Request Timeout: `body_timeout` */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Gone: `image_expired` */
      410: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Precondition Failed: `version_conflict` */
      412: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unsupported Media Type: `unsupported_media_type` */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `unavailable`, `not_set_up` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  deletePost: {
    parameters: {
      query?: {
        /** @description `true` checks the request and writes nothing */
        dry_run?: boolean
      }
      header?: {
        /** @description ETag of the version that this change is based on */
        "If-Match"?: string
      }
      path: {
        slug: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Deleted; with `dry_run=true` it could be, and is not */
      204: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description ValidationError: `validation_error`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `not_the_author`, `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Precondition Failed: `version_conflict` */
      412: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  patchPost: {
    parameters: {
      query?: {
        /** @description `true` checks the request and writes nothing */
        dry_run?: boolean
      }
      header?: {
        /** @description A repeated request with the same key takes effect only once; keys are kept for 24 hours */
        "Idempotency-Key"?: string
        /** @description ETag of the version that this change is based on */
        "If-Match"?: string
      }
      path: {
        slug: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "lang_code": "en",
         *       "primary_language": "en",
         *       "translation_languages": [
         *         "fr",
         *         "es"
         *       ],
         *       "status": "PB"
         *     }
         */
        "application/json": components["schemas"]["PatchPost"]
      }
    }
    responses: {
      /** @description Updated, or what `dry_run` would do */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `true`: the answer to an earlier request with this Idempotency-Key */
          "Idempotent-Replayed"?: string
          /** @description `"<version>.<revision>"`, and `.s` while scheduled. Translation runs increase only the revision */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PostAnswer"]
        }
      }
      /** @description Updated; translations are outstanding */
      202: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `true`: the answer to an earlier request with this Idempotency-Key */
          "Idempotent-Replayed"?: string
          /** @description `"<version>.<revision>"`, and `.s` while scheduled. Translation runs increase only the revision */
          ETag?: string
          /** @description The translations: `rel="monitor"` */
          Link?: string
          /** @description Seconds */
          "Retry-After"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PostAnswer"]
        }
      }
      /** @description ValidationError: `validation_error`, `invalid_json`, `unknown_language`, `lang_code_not_listed`, `body_required`, `body_too_complex`, `text_quota`, `unknown_image_id`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `not_the_author`, `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Request Timeout: `body_timeout` */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Conflict: `idempotency_in_progress` */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Gone: `image_expired` */
      410: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Precondition Failed: `version_conflict` */
      412: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unsupported Media Type: `unsupported_media_type` */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unprocessable Content: `idempotency_key_reused` */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `unavailable`, `not_set_up` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  patchPostByShortPath: {
    parameters: {
      query?: {
        /** @description `true` checks the request and writes nothing */
        dry_run?: boolean
      }
      header?: {
        /** @description A repeated request with the same key takes effect only once; keys are kept for 24 hours */
        "Idempotency-Key"?: string
        /** @description ETag of the version that this change is based on */
        "If-Match"?: string
      }
      path: {
        slug: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "lang_code": "en",
         *       "primary_language": "en",
         *       "translation_languages": [
         *         "fr",
         *         "es"
         *       ],
         *       "status": "PB"
         *     }
         */
        "application/json": components["schemas"]["PatchPost"]
      }
    }
    responses: {
      /** @description Updated, or what `dry_run` would do */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `true`: the answer to an earlier request with this Idempotency-Key */
          "Idempotent-Replayed"?: string
          /** @description `"<version>.<revision>"`, and `.s` while scheduled. Translation runs increase only the revision */
          ETag?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PostAnswer"]
        }
      }
      /** @description Updated; translations are outstanding */
      202: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `true`: the answer to an earlier request with this Idempotency-Key */
          "Idempotent-Replayed"?: string
          /** @description `"<version>.<revision>"`, and `.s` while scheduled. Translation runs increase only the revision */
          ETag?: string
          /** @description The translations: `rel="monitor"` */
          Link?: string
          /** @description Seconds */
          "Retry-After"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["PostAnswer"]
        }
      }
      /** @description ValidationError: `validation_error`, `invalid_json`, `unknown_language`, `lang_code_not_listed`, `body_required`, `body_too_complex`, `text_quota`, `unknown_image_id`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `not_the_author`, `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Request Timeout: `body_timeout` */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Conflict: `idempotency_in_progress` */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Gone: `image_expired` */
      410: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Precondition Failed: `version_conflict` */
      412: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unsupported Media Type: `unsupported_media_type` */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unprocessable Content: `idempotency_key_reused` */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `unavailable`, `not_set_up` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  renewPreview: {
    parameters: {
      query?: never
      header?: never
      path: {
        slug: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The new link */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            preview_url: string
            /** Format: date-time */
            expires_at: string
          }
        }
      }
      /** @description ValidationError: `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `not_the_author`, `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `unavailable`, `not_set_up` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  uploadImage: {
    parameters: {
      query?: never
      header?: {
        /** @description A repeated request with the same key takes effect only once; keys are kept for 24 hours */
        "Idempotency-Key"?: string
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        "multipart/form-data": {
          /**
           * Format: binary
           * @description The image
           */
          file: Blob
          /** @description SHA-256 of the file from which you made `file`, in hex */
          original_sha256?: string
        }
      }
    }
    responses: {
      /** @description The account has an image of the same bytes, made of the same original: it is renewed */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `true`: the answer to an earlier request with this Idempotency-Key */
          "Idempotent-Replayed"?: string
          /** @description The image_url */
          Location?: string
          /** @description The calls left, and the seconds until more are: `"upload";r=<calls>;t=<seconds>` */
          RateLimit?: string
          /** @description The limit and its window in seconds: `"upload";q=<calls>;w=<seconds>` */
          "RateLimit-Policy"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UploadedImage"]
        }
      }
      /** @description Stored */
      201: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `true`: the answer to an earlier request with this Idempotency-Key */
          "Idempotent-Replayed"?: string
          /** @description The image_url */
          Location?: string
          /** @description The calls left, and the seconds until more are: `"upload";r=<calls>;t=<seconds>` */
          RateLimit?: string
          /** @description The limit and its window in seconds: `"upload";q=<calls>;w=<seconds>` */
          "RateLimit-Policy"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": components["schemas"]["UploadedImage"]
        }
      }
      /** @description ValidationError: `invalid_multipart`, `file_too_large`, `unsupported_format`, `resolution_too_large`, `animated_not_supported`, `undecodable_image`, `storage_quota`, `unknown_parameter`, `validation_error` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Request Timeout: `body_timeout` */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Conflict: `idempotency_in_progress` */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Gone: `image_expired` */
      410: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unsupported Media Type: `unsupported_media_type` */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unprocessable Content: `idempotency_key_reused` */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `busy`, `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  findImages: {
    parameters: {
      query?: {
        /** @description 1 to 100 SHA-256 hashes of uploaded bytes, in hex, separated by commas. Send one of both parameters. */
        source_sha256?: string
        /** @description 1 to 100 SHA-256 hashes of files from which clients made the uploaded bytes, in hex, separated by commas. Send one of both parameters. */
        original_sha256?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The images found */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            images: components["schemas"]["FoundImage"][]
          }
        }
      }
      /** @description ValidationError: `validation_error`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  listTranslations: {
    parameters: {
      query?: never
      header?: never
      path: {
        slug: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The translations, in the order of translation_languages */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            translations: components["schemas"]["Translation"][]
          }
        }
      }
      /** @description ValidationError: `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `not_the_author`, `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  retranslate: {
    parameters: {
      query?: never
      header?: {
        /** @description A repeated request with the same key takes effect only once; keys are kept for 24 hours */
        "Idempotency-Key"?: string
      }
      path: {
        slug: string
        lang_code: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        /**
         * @example {
         *       "discard_edits": [
         *         "title"
         *       ]
         *     }
         */
        "application/json": components["schemas"]["Retranslate"]
      }
    }
    responses: {
      /** @description Nothing to translate: every field was edited by hand */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `true`: the answer to an earlier request with this Idempotency-Key */
          "Idempotent-Replayed"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            translation: components["schemas"]["Translation"]
            warnings: components["schemas"]["Warning"][]
          }
        }
      }
      /** @description Queued */
      202: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          /** @description `true`: the answer to an earlier request with this Idempotency-Key */
          "Idempotent-Replayed"?: string
          /** @description `rel="monitor"` */
          Link?: string
          /** @description Seconds */
          "Retry-After"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            translation: components["schemas"]["Translation"]
            warnings: components["schemas"]["Warning"][]
          }
        }
      }
      /** @description ValidationError: `validation_error`, `invalid_json`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `not_the_author`, `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Request Timeout: `body_timeout` */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Conflict: `idempotency_in_progress` */
      409: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Gone: `image_expired` */
      410: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unsupported Media Type: `unsupported_media_type` */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unprocessable Content: `idempotency_key_reused` */
      422: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `unavailable`, `not_set_up` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  deleteTranslation: {
    parameters: {
      query?: never
      header?: never
      path: {
        slug: string
        lang_code: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Deleted */
      204: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description ValidationError: `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `not_the_author`, `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `unavailable`, `not_set_up` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  approveTranslation: {
    parameters: {
      query?: never
      header?: never
      path: {
        slug: string
        lang_code: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        /**
         * @example {
         *       "updated_at": "2026-11-28T12:00:00.000Z"
         *     }
         */
        "application/json": components["schemas"]["Approve"]
      }
    }
    responses: {
      /** @description Readers see the newest text */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            translation: components["schemas"]["Translation"]
            warnings: components["schemas"]["Warning"][]
          }
        }
      }
      /** @description ValidationError: `validation_error`, `invalid_json`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `not_the_author`, `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Request Timeout: `body_timeout` */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Precondition Failed: `version_conflict` */
      412: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unsupported Media Type: `unsupported_media_type` */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `unavailable`, `not_set_up` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  listGlossary: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The terms, sorted */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            entries: components["schemas"]["GlossaryEntry"][]
          }
        }
      }
      /** @description ValidationError: `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  changeGlossary: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        /**
         * @example {
         *       "entries": [
         *         {
         *           "term": "Edgepost",
         *           "keep": true
         *         },
         *         {
         *           "term": "invoice",
         *           "translations": {
         *             "de": "Rechnung"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": components["schemas"]["GlossaryChange"]
      }
    }
    responses: {
      /** @description All terms after the change, sorted */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            entries: components["schemas"]["GlossaryEntry"][]
          }
        }
      }
      /** @description ValidationError: `validation_error`, `unknown_language`, `invalid_json`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Request Timeout: `body_timeout` */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unsupported Media Type: `unsupported_media_type` */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  retranslateTerms: {
    parameters: {
      query?: {
        /** @description `true` checks the request and writes nothing */
        dry_run?: boolean
        cursor?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "terms": [
         *         "invoice"
         *       ]
         *     }
         */
        "application/json": components["schemas"]["SoughtTerms"]
      }
    }
    responses: {
      /** @description The posts and translations of this portion that are made again. They have the longest word of a term, some only in another word */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            posts: number
            translations: number
            next_cursor: string | null
          }
        }
      }
      /** @description ValidationError: `validation_error`, `invalid_json`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Request Timeout: `body_timeout` */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unsupported Media Type: `unsupported_media_type` */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  getOwnAccount: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The account */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            account: components["schemas"]["OwnAccount"]
          }
        }
      }
      /** @description ValidationError: `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  listRedirects: {
    parameters: {
      query?: {
        source?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The redirects, in the order of their addresses */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            redirects: {
              from: string
              to: string
              source: string
            }[]
          }
        }
      }
      /** @description ValidationError: `validation_error`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  putRedirects: {
    parameters: {
      query: {
        /** @description The mark of the client that keeps these redirects, such as `github:ann/blog` */
        source: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "redirects": [
         *         {
         *           "from": "/2023/09/apples/",
         *           "to": "apples"
         *         }
         *       ]
         *     }
         */
        "application/json": {
          redirects: {
            /** @description The old address: a path, with a query if it is told apart by that, such as `/?p=12` */
            from: string
            /** @description The slug of a post, or a path of the blog's host */
            to: string
          }[]
        }
      }
    }
    responses: {
      /** @description Replaced */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            /** @description The number of redirects with this source. */
            redirects: number
          }
        }
      }
      /** @description ValidationError: `validation_error`, `invalid_json`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Request Timeout: `body_timeout` */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unsupported Media Type: `unsupported_media_type` */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  listWebhooks: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The endpoints, the oldest first */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            webhooks: components["schemas"]["WebhookEndpoint"][]
          }
        }
      }
      /** @description ValidationError: `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  createWebhook: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://hooks.example/edgepost"
         *     }
         */
        "application/json": {
          /** @description An https address of the public internet */
          url: string
        }
      }
    }
    responses: {
      /** @description Added */
      201: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            webhook: components["schemas"]["NewWebhookEndpoint"]
          }
        }
      }
      /** @description ValidationError: `validation_error`, `invalid_json`, `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Request Timeout: `body_timeout` */
      408: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unsupported Media Type: `unsupported_media_type` */
      415: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  listWebhookDeliveries: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The deliveries */
      200: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content: {
          "application/json": {
            /** @constant */
            success: true
            deliveries: components["schemas"]["WebhookDelivery"][]
          }
        }
      }
      /** @description ValidationError: `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
  deleteWebhook: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Deleted */
      204: {
        headers: {
          /** @description The request's id in the logs */
          "X-Request-Id"?: string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description ValidationError: `unknown_parameter` */
      400: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Unauthorized: `unauthorized` */
      401: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Forbidden: `subscription_required`, `account_restricted`, `insufficient_scope` */
      403: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Not Found: `not_found` */
      404: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Too Many Requests: `rate_limited` */
      429: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Internal Server Error: `internal_error`, `misconfigured` */
      500: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
      /** @description Service Unavailable: `not_set_up`, `unavailable` */
      503: {
        headers: {
          [name: string]: unknown
        }
        content: {
          "application/problem+json": components["schemas"]["Problem"]
        }
      }
    }
  }
}
