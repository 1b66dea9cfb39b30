// Defines every number of the contract once. Errors, OpenAPI and docs/reference/limits.md take them from here.
// `npm run reference` writes that page: a line with `##` begins a section, and each doc comment is one sentence of a table.

// ## Posts

/** Bytes of a JSON request body. */
export const MAX_JSON_BYTES = 2 * 1024 * 1024
/** Seconds within which the body of a request must arrive, except that of an upload. */
export const BODY_SECONDS = 60
/** Field errors in one answer; more are left out. */
export const MAX_FIELD_ERRORS = 100
/** Warnings about unknown fields in one answer; the others are named together in one more. */
export const MAX_UNKNOWN_FIELD_WARNINGS = 100
/** Characters of a field's name that a warning shows. */
export const MAX_WARNING_FIELD_CHARS = 64
/** Characters of `slug`. */
export const MAX_SLUG_CHARS = 191
/** Redirects from old addresses of an account. */
export const MAX_REDIRECTS = 5000
/** Bytes of the body that replaces redirects. */
export const MAX_REDIRECTS_BYTES = 2 ** 20
/** Characters of all redirects of a request as they are stored: D1 takes 2 MB in a value. */
export const MAX_STORED_REDIRECTS_CHARS = 1_500_000
/** Characters of terms that are compared at places of a text where they may begin; more fail the translation as `body_too_complex`. */
export const MAX_COMPARED_CHARS = 10_000_000
/** Characters of an old address, percent-encoded, and of the path to which it leads. */
export const MAX_OLD_PATH_CHARS = 1000
/** Terms of an account's glossary. */
export const MAX_GLOSSARY_TERMS = 500
/** Characters (Unicode code points) of a term of the glossary, and of each of its translations. */
export const MAX_TERM_CHARS = 100
/** Characters (Unicode code points) of the note of a term. */
export const MAX_TERM_NOTE_CHARS = 200
/** Bytes of the body that changes the glossary, and of all terms with their translations and notes. */
export const MAX_GLOSSARY_BYTES = 2 ** 20
/** Terms whose posts a request looks for, or translates again. */
export const MAX_SOUGHT_TERMS = 50
/** Posts in which a request looks for terms; a cursor leads to the next ones. */
export const MAX_SOUGHT_POSTS = 190
/** Posts whose translations one call queues again for terms. */
export const MAX_REQUEUED_POSTS = 30
/** Bytes of those posts, counted as the account's quota counts them, times the terms. */
export const MAX_SOUGHT_BYTES = 40 * 2 ** 20
/** Slugs that no post may have. */
export const RESERVED_SLUGS = [
  "posts",
  "image-upload",
  "account",
  "images",
  "translations",
  "tags",
  "categories",
  "search",
  "feed",
  "media",
  "assets",
  "preview",
  "micropub",
  "page",
]
/** Characters (Unicode code points) of the `author_name` of a post or an account. */
export const MAX_AUTHOR_NAME_CHARS = 100
/** Characters (Unicode code points) of a post's `cover_alt`. */
export const MAX_COVER_ALT_CHARS = 500
/** Characters (Unicode code points) of a post's `cover_caption`. */
export const MAX_COVER_CAPTION_CHARS = 300
/** Characters (Unicode code points) of a post's `source`. */
export const MAX_SOURCE_CHARS = 200
/** Characters of `canonical_url`. */
export const MAX_URL_CHARS = 2000
/** Days by which `published_at` may lie ahead: a year. */
export const MAX_SCHEDULE_DAYS = 366
/** Days for which a preview link works. */
export const PREVIEW_DAYS = 7
/** Characters of 0-9A-Za-z in the secret of a preview link: 131 bits. */
export const PREVIEW_TOKEN_CHARS = 22
/** Categories and tags on the page of a blog's topics, those with the most posts. */
export const MAX_TOPICS = 1000
/** Posts on a page of a blog. */
export const READER_PAGE_SIZE = 20
/** The highest page of a blog that is found by its number alone; further ones are found from the page beside them. */
export const MAX_COUNTED_PAGES = 7
/** Posts in a feed. */
export const MAX_FEED_POSTS = 30
/** UTF-8 bytes of HTML in a feed; further posts have only their description. */
export const MAX_FEED_BYTES = 2 ** 20
/** UTF-8 bytes of a post's HTML in a feed; a longer one has only its description. */
export const MAX_FEED_POST_BYTES = 256 * 1024
/** Addresses in a sitemap (sitemaps.org). */
export const MAX_SITEMAP_URLS = 50_000
/** Hashes of a lookup of images. */
export const MAX_LOOKUP_HASHES = 100
/** Attempts of an upload, which begins again if others upload or delete an image of the same bytes meanwhile. */
export const MAX_UPLOAD_ATTEMPTS = 3
/** Characters (Unicode code points) of `title`. */
export const MAX_TITLE_CHARS = 255
/** Characters (Unicode code points) of `meta_description`. */
export const MAX_META_DESCRIPTION_CHARS = 300
/** Characters of `meta_description` that a PATCH should have; outside of this range the answer has a warning. */
export const RECOMMENDED_META_DESCRIPTION_CHARS = { min: 120, max: 160 }
/** Categories of a post; it has at least one. */
export const MAX_CATEGORIES = 10
/** Tags of a post. */
export const MAX_TAGS = 20
/** Characters of each category and tag. */
export const MAX_LABEL_CHARS = 64
/** Entries of an array of categories or tags, counted before empty and repeated ones are removed. */
export const MAX_LABELS_SENT = 1000
/** Entries of `image_ids`. */
export const MAX_POST_IMAGES = 8
/** Entries of `translation_languages`, and of `translation_tones`. */
export const MAX_TRANSLATION_LANGUAGES = 20
/** Languages in which a post has a text, the source language and unlisted languages included. */
export const MAX_POST_TEXTS = 50
/** Characters of a language code. */
export const MAX_LANGUAGE_CODE_CHARS = 35
/** Bytes that a post counts as stored text beside its fields, for its times and index entries. */
export const POST_ROW_BYTES = 1024
/** Bytes that a text of a post counts as stored text beside its fields. */
export const TEXT_ROW_BYTES = 256
/** Bytes that each category and tag of a post counts as stored text beside twice its own, for its row and index entry. */
export const LABEL_ROW_BYTES = 150
/** The number up to which posts and images are counted for a page. */
export const MAX_COUNTED = 100
/** Posts on a page of a list when `limit` is omitted. */
export const DEFAULT_PAGE_SIZE = 20
/** Posts on a page of a list: the largest `limit`. */
export const MAX_PAGE_SIZE = 100
/** Posts that a list looks at in one step for those that match its filters. */
export const LIST_STEP_POSTS = 128
/** Further steps in which a list looks for the posts of a page: with the first one, at most 2,000 posts. */
export const MAX_LIST_STEPS = 14
/** Posts of a rare filter that a list sorts. */
export const MAX_SORTED_POSTS = 250
/** Characters (Unicode code points) of a search for posts. */
export const MAX_SEARCH_CHARS = 200
/** Writes of an account, except uploads, in `rate_window_seconds`; approximate; also in wrangler.toml. */
export const MAX_WRITES = 300
/** GETs of an account by an API key or a session in `rate_window_seconds`; approximate; also in wrangler.toml. */
export const MAX_READS = 1200
/** Calls of an account that read or write thousands of rows, each kind alone, such as searches for terms and exports, in `rate_window_seconds`; approximate; also in wrangler.toml. */
export const MAX_EXPENSIVE_CALLS = 20
/** Writes of an account with a body over `large_write_bytes` in `rate_window_seconds`; approximate; also in wrangler.toml. */
export const MAX_LARGE_WRITES = 60
/** Bytes of a request body over which a write counts as large. */
export const LARGE_WRITE_BYTES = 64 * 1024
/** Attempts to apply a PATCH without `If-Match` while other requests change the same post; then 503. */
export const MAX_PATCH_ATTEMPTS = 5

// ## Variables

/** Seconds in which an uploaded image must be used, if `IMAGE_ID_TTL_SECONDS` does not say. */
export const DEFAULT_IMAGE_ID_TTL_SECONDS = 1800
/** Uploads of one account in any 60 seconds, if `UPLOADS_PER_MINUTE` does not say. */
export const DEFAULT_UPLOADS_PER_MINUTE = 10
/** UTF-8 bytes of all posts of an account, if `MAX_STORED_TEXT_BYTES` does not say. */
export const DEFAULT_MAX_STORED_TEXT_BYTES = 128 * 2 ** 20
/** Characters translated for one account on one day, if `TRANSLATED_CHARACTERS_PER_DAY` does not say. */
export const DEFAULT_TRANSLATED_CHARACTERS_PER_DAY = 500_000
/** Seconds that a saved post waits for further saves before its translation, if `TRANSLATION_DEBOUNCE_SECONDS` does not say. */
export const DEFAULT_TRANSLATION_DEBOUNCE_SECONDS = 5

// ## Markdown

/** Bytes of `body` as UTF-8. */
export const MAX_BODY_BYTES = 256 * 1024
/** Bytes of the HTML that a body becomes. */
export const MAX_HTML_BYTES = 1024 * 1024
/** Lines of a body. */
export const MAX_BODY_LINES = 20_000
/** Steps that parsing a body may take, counted during the parsing; a character is one step, about 0.1 µs. */
export const MAX_PARSER_STEPS = 10_000_000
/** Steps of a request from which on they are summed for its account, and it counts as a refused body if it is refused. */
export const LARGE_STEPS = MAX_PARSER_STEPS / 10
/** Beginnings and ends of all markup that the parser finds in a body. */
export const MAX_PARSER_EVENTS = 250_000
/** Bodies of an account that are refused as too complex in `refused_bodies_seconds`, then 429; approximate, since each isolate counts alone. */
export const MAX_REFUSED_BODIES = 10
/** Seconds in which refused bodies are counted. */
export const REFUSED_BODIES_SECONDS = 60
/** Quotes and lists around one line of a body. */
export const MAX_CONTAINERS = 100
/** HTML elements that are nested in each other. */
export const MAX_ELEMENT_DEPTH = 250
/** Elements that the raw HTML of a body makes; elements left open are made again in each block. */
export const MAX_HTML_ELEMENTS = 100_000
/** Bytes of a body's HTML up to which its code has colours; above, all code is plain. */
export const MAX_HIGHLIGHTED_HTML_BYTES = 512 * 1024
/** Bytes of a code block that gets colours. */
export const MAX_COLOURED_CODE_BYTES = 8 * 1024
/** Bytes of a code block in a markup language that gets colours. */
export const MAX_COLOURED_MARKUP_BYTES = 2 * 1024
/** Coloured parts of code that are nested in each other, such as templates in templates. */
export const MAX_COLOURED_DEPTH = 50
/** Bytes of all code with colours in a post; a block counts once more for each `<script` and `<style` in it. */
export const MAX_POST_COLOURED_BYTES = 64 * 1024
/** Bytes of the TeX of a formula; a longer one is shown as text. */
export const MAX_FORMULA_BYTES = 2 * 1024
/** Bytes of the TeX of all different formulas of a post. */
export const MAX_POST_FORMULA_BYTES = 32 * 1024
/** Characters of the MathML of all formulas of a post, repeated ones included: a short macro can make much MathML. */
export const MAX_POST_MATHML_CHARS = 256 * 1024

// ## Images

/** Bytes of an uploaded file. */
export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024
/** Bytes of all files of a form of images: it is read into memory as a whole. */
export const MAX_IMAGE_FORM_BYTES = 10 * 1024 * 1024
/** Parts of an upload's form, of which the service reads only the one named `file`, and choices in one form of the settings. */
export const MAX_FORM_PARTS = 100
/** Bytes of an upload's boundaries, part headers and extra parts beside the file. */
export const MAX_UPLOAD_OVERHEAD_BYTES = 256 * 1024
/** Pixels of the width and of the height of an image. */
export const MAX_IMAGE_SIDE_PX = 2048
/** Seconds in which the uploads of an account are counted, failed ones included; the variable `UPLOADS_PER_MINUTE` is their number. */
export const UPLOAD_WINDOW_SECONDS = 60
/** Bytes of all stored images of an account. */
export const MAX_STORED_BYTES = 10 * 1024 * 1024 * 1024
/** Seconds that a KV entry of an image id lives at least: KV refuses less. */
export const MIN_TICKET_TTL_SECONDS = 60
/** Image ids of a post that are looked up in KV; the others are looked up in D1 alone. */
export const MAX_TICKETS_READ = 2 * MAX_POST_IMAGES
/** Seconds that browsers and caches may keep an image that a published post shows. */
export const PUBLISHED_IMAGE_CACHE_SECONDS = 365 * 24 * 60 * 60
/** Seconds after the start of an upload during which clean-up leaves its file alone. */
export const UPLOAD_GRACE_SECONDS = 10 * 60
/** Scans of a JPEG; encoders write about twelve, and each costs a pass over the whole image. */
export const MAX_JPEG_SCANS = 100
/** Bytes of a colour profile (ICC) that is kept; profiles of colour spaces are smaller, those of printers larger. */
export const MAX_PROFILE_BYTES = 4 * 1024
/** Bytes of WebAssembly memory, which never shrinks, that a decoder keeps between images. */
export const MAX_DECODER_BYTES = 44 * 1024 * 1024
/** Bytes of WebAssembly memory that an encoder keeps between images. */
export const MAX_ENCODER_BYTES = 50 * 1024 * 1024
/** Pixels up to which libwebp encodes without loss or with alpha; above, that needs more memory than an isolate has. */
export const MAX_LOSSLESS_PX = 2_000_000
/** Pixels up to which a JPEG gets libwebp's thorough method; above, it gets the quick one. */
export const MAX_THOROUGH_PX = 1_500_000
/** Uploads that an isolate reads, converts or stores at once, each of another account; it converts one at a time. */
export const MAX_BODIES = 3
/** Uploads that wait in an isolate for their turn; nothing of their bodies is read. */
export const MAX_WAITING_UPLOADS = 30
/** Uploads of an account that wait in an isolate; further ones get 503. */
export const MAX_WAITING_OF_ACCOUNT = 10
/** Seconds that an upload waits for its turn; then it gets 503. */
export const UPLOAD_WAIT_SECONDS = 25
/** Seconds within which the body of an upload must arrive, because it takes a place of the isolate. */
export const UPLOAD_BODY_SECONDS = 60
/** Bytes that the body of an upload must bring in each `upload_pace_seconds`, until its end. */
export const UPLOAD_PACE_BYTES = 64 * 1024
/** Seconds in which the body of an upload must bring `upload_pace_bytes`. */
export const UPLOAD_PACE_SECONDS = 3
/** Seconds after which an upload that found no place may be sent again, as `Retry-After` says. */
export const BUSY_RETRY_SECONDS = 5
/** Milliseconds before a conversion in which an isolate answers other requests. */
export const CONVERSION_PAUSE_MS = 50
/** Pixels up to which a conversion takes a few milliseconds, and begins without that pause. */
export const MAX_UNPAUSED_PX = 2 ** 16
/** Seconds after which a conversion counts as ended, because the platform ends its request. */
export const MAX_CONVERSION_SECONDS = 30

// ## Translations

/** Bytes of an engine's answer; a longer one counts as no answer in JSON. */
export const MAX_ENGINE_ANSWER_BYTES = 4 * 1024 * 1024
/** Attempts to translate a text that end in an error of the service; then the translation is `failed`. */
export const MAX_TRANSLATION_ATTEMPTS = 5
/** Seconds before the first retry of a failed translation; each further retry waits twice as long. */
export const TRANSLATION_RETRY_SECONDS = 10
/** Seconds that a retry waits at most. */
export const MAX_TRANSLATION_RETRY_SECONDS = 15 * 60
/** Seconds that one run may work on a post's translations before another run takes over. */
export const TRANSLATION_LEASE_SECONDS = 15 * 60
/** Seconds that a translation may be overdue before the scheduled job queues it again. */
export const TRANSLATION_OVERDUE_SECONDS = 60
/** Seconds in `Retry-After` of an answer whose translations are still to come. */
export const TRANSLATION_POLL_SECONDS = 5
/** Messages that the scheduled job sends to a queue at once. */
export const MAX_WAKE_UPS = 100
/** Steps in which the scheduled job looks for overdue translations, and as many in which it lets paused ones go on. */
export const MAX_WAKE_UP_STEPS = 100
/** Waiting translations that one step looks at, or posts of an account that go on in one. */
export const WAKE_UPS_A_STEP = 10
/** Translations that one press of "Approve all" approves. */
export const MAX_APPROVED_AT_ONCE = 40
/** Times that a translated segment may be as long as its source, before `max_translated_surplus_chars` is added. */
export const MAX_TRANSLATED_GROWTH = 4
/** Characters that a translated segment may have in addition to `max_translated_growth` times its source. */
export const MAX_TRANSLATED_SURPLUS_CHARS = 200
/** Bytes of a machine-translated body: more than an author may send, since some languages need more room. */
export const MAX_TRANSLATED_BODY_BYTES = 2 * MAX_BODY_BYTES
/** Attempts to put a translated document together before the remaining segments keep their source. */
export const MAX_REBUILDS = 100
/** Milliseconds that one call of an engine may take, however many requests it consists of. */
export const ENGINE_TIMEOUT_MS = 60_000
/** Times that the size of a batch is halved after failed calls. */
export const MAX_HALVINGS = 5
/** Calls of an engine in one run; the next run continues. Each takes four of the 1,000 queries that D1 answers in one run. */
export const MAX_ENGINE_CALLS = 180
/** Seconds of a run after which it makes no further call: the last call and the end of the run have a minute each until the lease ends. */
export const TRANSLATION_RUN_SECONDS = TRANSLATION_LEASE_SECONDS - 120
/** Segments of a text that are translated before those after them are read from memory. */
export const SEGMENTS_A_PART = 500
/** Segments that an engine cannot translate alone either, after which it gets no more of a text of which it has translated nothing. */
export const MAX_FAILED_ALONE = 16
/** Characters (Unicode code points) of one of an account's `translation_tones`. */
export const MAX_TONE_CHARS = 200
/** Characters (Unicode code points) of the heading above a segment, and of the sentence before it, that an engine gets as reference. */
export const MAX_CONTEXT_CHARS = 200
/** Tokens that an engine which chats may answer with. */
export const MAX_CHAT_TOKENS = 8192
/** Seconds before a segment that no engine could translate is tried again for a changed text. */
export const UNTRANSLATABLE_SECONDS = 2 * 24 * 60 * 60
/** Days that an unused translated segment is remembered. */
export const MEMORY_DAYS = 90
/** Remembered segments of an account after the daily cleanup, which deletes the least recently used. */
export const MAX_REMEMBERED_SEGMENTS = 50_000
/** Days between two notes that a remembered segment is in use. */
export const MEMORY_USED_DAYS = 7
/** Language codes whose canonical form an isolate remembers. */
export const MAX_REMEMBERED_LANGUAGES = 200

// ## Retries

/** Seconds in `Retry-After` of a 503 answer. */
export const RETRY_AFTER_SECONDS = 5
/** Hours that an `Idempotency-Key` is remembered. */
export const IDEMPOTENCY_KEY_HOURS = 24
/** Characters of an `Idempotency-Key`. */
export const MAX_IDEMPOTENCY_KEY_CHARS = 255
/** Values of a property of Micropub. */
export const MAX_MICROPUB_VALUES = 100
/** Characters of HTML that a post of Micropub may have, in all. */
export const MAX_MICROPUB_HTML_CHARS = 64 * 1024
/** Seconds that a running request locks its `Idempotency-Key`: longer than any request runs. */
export const IDEMPOTENCY_LOCK_SECONDS = 120
/** Attempts of a D1 call that may be repeated, the first one included. */
export const MAX_D1_TRIES = 3
/** Milliseconds after which no further attempt of a D1 call begins. */
export const MAX_D1_RETRY_MS = 2000
/** Milliseconds of the longest pause before the second attempt of a D1 call; the next one may be twice as long. */
export const D1_RETRY_MS = 50

// ## Accounts and sign-in

/** Characters (Unicode code points) of an account's `blog_title`. */
export const MAX_BLOG_TITLE_CHARS = 100
/** Characters (Unicode code points) of an account's `blog_description`. */
export const MAX_BLOG_DESCRIPTION_CHARS = 300
/** API keys of an account that are neither revoked nor expired. */
export const MAX_KEYS = 10
/** Days after which a revoked key of an account is deleted, when the account gets a new one. */
export const REVOKED_KEY_DAYS = 1
/** Characters of an API key's name: a-z, 0-9 and -, not at either end. */
export const MAX_KEY_NAME_CHARS = 40
/** Seconds between two notes that an API key was used. */
export const KEY_LAST_USED_SECONDS = 60 * 60
/** Seconds that a sign-in link is valid. */
export const SIGN_IN_LINK_SECONDS = 15 * 60
/** Seconds that an author's session lasts after its last use. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60
/** Seconds after signing in during which an author may make keys, add passkeys, export and erase; later, after signing in again. */
export const RECENT_SIGN_IN_SECONDS = 10 * 60
/** Seconds after which an author's session ends, however often it is used. */
export const MAX_SESSION_SECONDS = 90 * 24 * 60 * 60
/** Sessions of an account; one more ends the session that was unused for longest. */
export const MAX_SESSIONS = 50
/** Seconds between two notes that a session was used. */
export const SESSION_SEEN_SECONDS = 60 * 60
/** Passkeys of an account. */
export const MAX_PASSKEYS = 10
/** Characters of a passkey's name. */
export const MAX_PASSKEY_NAME_CHARS = 64
/** Characters of a passkey's credential id: WebAuthn allows 1023 bytes, in base64url. */
export const MAX_CREDENTIAL_ID_CHARS = 1364
/** Seconds to find a passkey, touch it and type its PIN. */
export const PASSKEY_CHALLENGE_SECONDS = 5 * 60
/** Bytes of a form that a page sends. */
export const MAX_FORM_BYTES = 64 * 1024
/** Bytes of the form of a post's text: a byte of the text takes up to three. */
export const MAX_POST_FORM_BYTES = 4 * MAX_BODY_BYTES
/** Attempts to sign in, or to use a wrong operator token, from one network in `rate_window_seconds`; approximate; also in wrangler.toml. */
export const MAX_ATTEMPTS = 10
/** Seconds in which the calls of all approximate limits are counted. */
export const RATE_WINDOW_SECONDS = 60

// ## Export

/** Posts in one zip of an export; more posts make further parts. */
export const MAX_EXPORT_POSTS = 500
/** Images in one zip of an export: a request may call D1 and R2 10,000 times, and a zip without Zip64 holds 65,535 files. */
export const MAX_EXPORT_IMAGES = 4000
/** Bytes of all images in one zip of an export. A checksum takes 3 ms of CPU a megabyte; a request has 30 s. */
export const MAX_EXPORT_IMAGE_BYTES = 2 * 1024 * 1024 * 1024
/** Parts of an export on a page of the settings. */
export const EXPORT_PARTS_PAGE_SIZE = 10

// ## Unknown credentials

/** Seconds that an isolate repeats its last answer of `/healthz/`. */
export const HEALTH_SECONDS = 10

/** Seconds that an isolate remembers an unknown API key, session, link or expired image, and refuses it without asking the primary. */
export const UNKNOWN_KEY_SECONDS = 60
/** Unknown API keys, sessions, links and expired images that an isolate remembers. */
export const MAX_UNKNOWN_KEYS = 1000
/** Unknown API keys, sessions, links or expired images from one network in `rate_window_seconds`; then unknown ones get 429; each kind counts alone; approximate; also in wrangler.toml. */
export const MAX_UNKNOWN_KEY_CALLS = 60
/** The same, from one network; then all of that kind get 429 without a lookup, except those seen valid; approximate; also in wrangler.toml. */
export const MAX_UNKNOWN_KEY_LOOKUPS = 600
/** Seconds that an isolate remembers that it has seen a valid API key, session or link. */
export const VALID_KEY_SECONDS = 10 * 60
/** Valid API keys, sessions and links that an isolate remembers. */
export const MAX_VALID_KEYS = 10_000

// ## Operator

/** Characters that `OPERATOR_TOKEN` and each secret of `WEBHOOK_SECRET` have at least. */
export const MIN_SECRET_CHARS = 32
/** Seconds that the operator's session lasts after its last use. */
export const OPERATOR_SESSION_SECONDS = 12 * 60 * 60
/** Seconds after which the operator's session ends, however often it is used. */
export const MAX_OPERATOR_SESSION_SECONDS = 24 * 60 * 60
/** Days that the audit log keeps what the operator did. */
export const OPERATOR_ACTION_DAYS = 400
/** Days that the counts of an account's refused requests are kept. */
export const ABUSE_COUNT_DAYS = 90
/** Accounts on one of the operator's pages. */
export const OPERATOR_PAGE_SIZE = 50
/** Rows that a clean-up job deletes in one batch. */
export const CLEANUP_BATCH = 500
/** Expired images that the cleanup handles at once. */
export const CLEANUP_IMAGES = 400
/** UTF-16 units of the folded titles of a post; searches find no more of them. */
export const MAX_FOLDED_CHARS = 10_000
/** Posts whose titles the scheduled job folds in one batch. They may have 20 languages each. */
export const FOLD_BATCH = 50
/** Batches of a run that erases an account; each removes at most `CLEANUP_BATCH` rows. */
export const MAX_ERASING_STEPS = 50
/** Batches of a clean-up job in one run. */
export const MAX_CLEANUP_BATCHES = 10

// ## Payments

/** Bytes of an event from Stripe. */
export const STRIPE_MAX_BYTES = 1024 * 1024
/** Seconds between the time in the signature of a Stripe event and the service's clock, in either direction: Stripe's libraries allow the same. */
export const STRIPE_TOLERANCE_SECONDS = 5 * 60
/** Attempts to apply an event while other events change the same subscription; then 503. */
export const STRIPE_MAX_ATTEMPTS = 5
/** Days that a handled event is remembered: Stripe repeats one for three days, and by hand for a month. */
export const STRIPE_MEMORY_DAYS = 30

// ## Webhooks

/** Seconds for which the secret before a new one signs as well, and for which what waits for an endpoint that is switched off is kept. */
export const WEBHOOK_GRACE_SECONDS = 24 * 60 * 60
/** Endpoints of an account. */
export const MAX_WEBHOOK_ENDPOINTS = 5
/** Events that may wait for an endpoint, counted after as many new ones; with more, it is switched off. */
export const MAX_WAITING_DELIVERIES = 10_000
/** Seconds in which an endpoint has to answer. */
export const WEBHOOK_TIMEOUT_SECONDS = 10
/** Seconds before the second attempt of a delivery. */
export const WEBHOOK_RETRY_SECONDS = 10
/** Times longer that each further attempt waits. */
export const WEBHOOK_RETRY_FACTOR = 4
/** The most seconds between two attempts, also if `Retry-After` says more. */
export const MAX_WEBHOOK_RETRY_SECONDS = 6 * 60 * 60
/** Parts of the time for which an endpoint fails, or its account is not served, of which one is the pause before it is tried again. */
export const WEBHOOK_PAUSE_PARTS = 10
/** Seconds after an event in which it is delivered; then it has failed. */
export const WEBHOOK_SECONDS = 24 * 60 * 60
/** Days for which an endpoint fails before it is switched off. */
export const WEBHOOK_OFF_DAYS = 3
/** Deliveries of an account that are shown, finished ones of an endpoint that are kept, and others that a run puts off or deletes. */
export const MAX_KEPT_DELIVERIES = 50
/** Deliveries to an endpoint in one run, and publications whose time has come that it queues. */
export const MAX_DELIVERIES_A_RUN = 10
/** Seconds of a run after which it begins no further delivery. */
export const WEBHOOK_RUN_SECONDS = 30
/** Seconds for which a run has an endpoint for itself. */
export const WEBHOOK_LEASE_SECONDS = 3 * 60
/** The most seconds of a pause, and those ahead for which the next delivery has a message; later ones are found by the scheduled job. */
export const MAX_WEBHOOK_DELAY_SECONDS = 15 * 60

// ## HTTP

/** Seconds that a browser may keep the answer to a CORS preflight. */
export const CORS_MAX_AGE_SECONDS = 24 * 60 * 60
/** Seconds for which a cache keeps that a page has another address. */
export const MOVED_CACHE_SECONDS = 60 * 60
/** Seconds for which the edge answers with a reader's page that it has kept. */
export const EDGE_PAGE_FRESH_SECONDS = 10
/** Seconds after that in which it still does, and gets a new one meanwhile. With those before: how old a page may be. */
export const EDGE_PAGE_STALE_SECONDS = 20
/** Seconds for which the edge keeps a blog's page of topics and its sitemap. */
export const EDGE_LISTS_SECONDS = 60 * 60
/** Seconds for which lists of a blog are removed from the edge each minute after something that they name was withdrawn. */
export const LISTS_REPURGE_SECONDS = 60
/** Seconds for which the edge keeps an image. */
export const EDGE_IMAGE_SECONDS = 24 * 60 * 60
/** Files that one call may delete in R2. */
export const MAX_DELETED_FILES = 1000
/** Tags that one call may remove from the edge. */
export const MAX_PURGED_TAGS = 100
/** Seconds after a blog was hidden, erased or moved in which its images are removed from the edge each minute. */
export const EDGE_REPURGE_SECONDS = 15 * 60
/** Seconds that a browser remembers to use HTTPS only (HSTS). */
export const HSTS_SECONDS = 365 * 24 * 60 * 60
