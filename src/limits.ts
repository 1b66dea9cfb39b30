// Every number of the contract, once. Errors, OpenAPI and the README take theirs from here.

export const RETRY_AFTER_SECONDS = 5

/** What may be asked of D1 twice is tried so often in all, begun for so long, the first pause at most so long. */
export const MAX_D1_TRIES = 3
export const MAX_D1_RETRY_MS = 2000
export const D1_RETRY_MS = 50

export const MAX_FIELD_ERRORS = 100
/** Languages of a post, those no longer listed and the own one too. */
export const MAX_POST_TEXTS = 50
export const MAX_JSON_BYTES = 2 * 1024 * 1024

export const MAX_SLUG_CHARS = 191
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
]
export const MAX_TITLE_CHARS = 255
export const MAX_META_DESCRIPTION_CHARS = 300
export const RECOMMENDED_META_DESCRIPTION_CHARS = { min: 120, max: 160 }
export const MAX_CATEGORIES = 10
export const MAX_TAGS = 20
export const MAX_LABEL_CHARS = 64
/** Entries of an array of categories or tags before empties and duplicates are dropped. */
export const MAX_LABELS_SENT = 1000
export const MAX_POST_IMAGES = 8
export const MAX_TRANSLATION_LANGUAGES = 20
export const MAX_LANGUAGE_CODE_CHARS = 35
/** Of which an isolate keeps what it has made; more than most services have. */
export const MAX_REMEMBERED_LANGUAGES = 200

export const MAX_BODY_BYTES = 256 * 1024
export const MAX_HTML_BYTES = 1024 * 1024
/** Code has colours only while the HTML is no longer. */
export const MAX_HIGHLIGHTED_HTML_BYTES = 512 * 1024
export const MAX_BODY_LINES = 20_000
/** What parsing a body may take, counted while it is done: a character or about 0.1 µs each. */
export const MAX_PARSER_STEPS = 10_000_000
/** Beginnings and ends of all that the parser finds in a body, which are kept to the end. */
export const MAX_PARSER_EVENTS = 250_000
/** Bodies of an account that may be too complex in the window; about, as each isolate counts for itself. */
export const MAX_REFUSED_BODIES = 10
export const REFUSED_BODIES_SECONDS = 60
/** Quotes and lists that a line is in. */
export const MAX_CONTAINERS = 100
/** Nested elements of HTML, whatever makes them. */
export const MAX_ELEMENT_DEPTH = 250
/** Elements that raw HTML makes: what is left open is made again in each block. */
export const MAX_HTML_ELEMENTS = 100_000
/** Of a block of code in colours; the second is for markup languages, which take longer. */
export const MAX_COLOURED_CODE_BYTES = 8 * 1024
export const MAX_COLOURED_MARKUP_BYTES = 2 * 1024
/** Nested pieces of coloured code, such as templates in templates. */
export const MAX_COLOURED_DEPTH = 50
/** All blocks with colours of a post. A block counts once more for each `<script` and `<style` in it. */
export const MAX_POST_COLOURED_BYTES = 64 * 1024
/** Of one formula, and of all different ones of a post. */
export const MAX_FORMULA_BYTES = 2 * 1024
export const MAX_POST_FORMULA_BYTES = 32 * 1024
/** MathML of all formulas of a post, equal ones included: macros make much of little. */
export const MAX_POST_MATHML_CHARS = 256 * 1024

export const DEFAULT_PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 100
export const MAX_UNKNOWN_FIELD_WARNINGS = 100
/** Of a field's name in a warning. */
export const MAX_WARNING_FIELD_CHARS = 64
/** Of one archive, as the next two: a request may call D1 and R2 10 000 times, and a zip without Zip64 holds 65 535 files. */
export const MAX_EXPORT_POSTS = 500
export const MAX_EXPORT_PICTURES = 4000
/** A checksum takes 3 ms of processor time a megabyte, of which a request has 30 s. */
export const MAX_EXPORT_PICTURE_BYTES = 2 * 1024 * 1024 * 1024
/** On a page of the settings. */
export const EXPORT_PARTS_PAGE_SIZE = 10

export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024
/** Multipart boundaries, part headers and small extra parts around the file. */
export const MAX_UPLOAD_OVERHEAD_BYTES = 256 * 1024
export const MAX_IMAGE_SIDE_PX = 2048
export const UPLOAD_WINDOW_SECONDS = 60
/** KV refuses a shorter expirationTtl. */
export const MIN_TICKET_TTL_SECONDS = 60
/** A body may name thousands of images; KV is asked for the first of them. */
export const MAX_TICKETS_READ = 2 * MAX_POST_IMAGES
export const MAX_STORED_BYTES = 10 * 1024 * 1024 * 1024
export const ATTACHED_IMAGE_CACHE_SECONDS = 365 * 24 * 60 * 60
/** No upload is under way any longer than this after its row was written. */
export const UPLOAD_GRACE_SECONDS = 10 * 60
export const SWEEP_BATCH = 500
export const SWEEP_ROUNDS = 10

export const MAX_PATCH_ATTEMPTS = 5
export const IDEMPOTENCY_KEY_HOURS = 24
export const MAX_IDEMPOTENCY_KEY_CHARS = 255
/** Longer than any request runs. */
export const IDEMPOTENCY_LOCK_SECONDS = 120
export const KEY_LAST_USED_SECONDS = 60 * 60
export const MIN_OPERATOR_TOKEN_CHARS = 32

export const SIGN_IN_LINK_SECONDS = 15 * 60
/** From its last use on. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60
/** Of an account. */
export const MAX_SESSIONS = 50
export const OPERATOR_SESSION_SECONDS = 12 * 60 * 60
/** The use of a session is noted once in so long. */
export const SESSION_SEEN_SECONDS = 60 * 60
/** Attempts to sign in, or with a wrong operator's token, from one address in the window; wrangler.toml has both, too. */
export const MAX_ATTEMPTS = 10
export const ATTEMPT_WINDOW_SECONDS = 60
export const OPERATOR_ACTION_DAYS = 400
export const ABUSE_COUNT_DAYS = 90
export const OPERATOR_PAGE_SIZE = 50
export const MAX_PASSKEYS = 10
export const MAX_PASSKEY_NAME_CHARS = 64
/** WebAuthn: at most 1023 bytes, in base64url. */
export const MAX_CREDENTIAL_ID_CHARS = 1364
/** To find the passkey, touch it and type its PIN. */
export const PASSKEY_CHALLENGE_SECONDS = 5 * 60
export const MAX_FORM_BYTES = 64 * 1024

export const MAX_WEBHOOK_BYTES = 1024 * 1024
/** Between the time in a webhook's signature and ours, either way: what Stripe's own libraries allow. */
export const WEBHOOK_TOLERANCE_SECONDS = 5 * 60
export const MAX_WEBHOOK_ATTEMPTS = 5
/** Stripe repeats an event for three days, and by hand for a month. */
export const WEBHOOK_MEMORY_DAYS = 30

export const TRANSLATION_LEASE_SECONDS = 15 * 60
export const MAX_TRANSLATION_ATTEMPTS = 5
export const MAX_TRANSLATION_RETRY_SECONDS = 15 * 60
export const TRANSLATION_RETRY_SECONDS = 10
/** A language that waits this long past its due time is woken again by the sweep. */
export const TRANSLATION_OVERDUE_SECONDS = 60
export const TRANSLATION_POLL_SECONDS = 5
export const SWEEP_WAKE_UPS = 100
/** A translation longer than this many times its source, and this many characters on top, is none. */
export const MAX_TRANSLATED_GROWTH = 4
export const MAX_TRANSLATED_SURPLUS_CHARS = 200
/** More than an author may send: some languages take more room. */
export const MAX_TRANSLATED_BODY_BYTES = 2 * MAX_BODY_BYTES
/** Tries to put a translated document together before its segments keep their source. */
export const MAX_REBUILDS = 100
/** Of one call, of however many requests it consists. */
export const ENGINE_TIMEOUT_MS = 60_000
/** What an engine is asked for at once is halved after a try in vain, so many times at most. */
export const MAX_HALVINGS = 5
/** Then the next delivery goes on: a lease outlives so many calls. */
export const MAX_ENGINE_CALLS = 8
/** A batch as long as engines get, in scripts of a token a character, and as much again. */
export const MAX_CHAT_TOKENS = 8192
/** What came to nothing is tried again for a text that begins so long after; one that takes many days of its limit counts on it. */
export const UNTRANSLATABLE_SECONDS = 2 * 24 * 60 * 60
export const MEMORY_DAYS = 90
/** A remembered segment is marked as used once in so long. */
export const MEMORY_USED_DAYS = 7

export const CORS_MAX_AGE_SECONDS = 24 * 60 * 60
export const HSTS_SECONDS = 365 * 24 * 60 * 60

/** Encoders write a dozen scans; each costs a walk over the whole image, however little it says. */
export const MAX_JPEG_SCANS = 100
/** An ICC profile larger than this is dropped: profiles of colour spaces are smaller, those of printers larger. */
export const MAX_PROFILE_BYTES = 4 * 1024
/** WebAssembly memory, which never shrinks, that a codec may keep from one image to the next. */
export const MAX_DECODER_BYTES = 44 * 1024 * 1024
export const MAX_ENCODER_BYTES = 50 * 1024 * 1024
/** Above it libwebp's lossless coder and its coder of alpha need more memory than an isolate has. */
export const MAX_LOSSLESS_PX = 2_000_000
/** Above it a JPEG is encoded by libwebp's quick method, and no encoder is kept beside photon. */
export const MAX_THOROUGH_PX = 1_500_000
/** Conversions that wait for the one that runs; the next is asked to come back. */
export const MAX_WAITING_CONVERSIONS = 2
/** The platform ends a request that computes for longer. */
export const MAX_CONVERSION_SECONDS = 30
