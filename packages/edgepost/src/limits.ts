// Limits of the service that the folder is checked against before anything is sent. They have the service's names and values.

export const MAX_AUTHOR_NAME_CHARS = 100
export const MAX_BODY_BYTES = 256 * 1024
export const MAX_BODY_LINES = 20_000
export const MAX_CATEGORIES = 10
/** Blocks within each other. */
export const MAX_CONTAINERS = 100
/** Events of the parser, of which the tree of a body is made. */
export const MAX_PARSER_EVENTS = 250_000
/** Steps of work that a body may take. */
export const MAX_PARSER_STEPS = 10_000_000
export const MAX_COVER_ALT_CHARS = 500
export const MAX_COVER_CAPTION_CHARS = 300
/** Pixels of the width and of the height of an upload. */
export const MAX_IMAGE_SIDE_PX = 2048
/** Characters of a category or tag. */
export const MAX_LABEL_CHARS = 64
export const MAX_META_DESCRIPTION_CHARS = 300
/** Characters of an address that a blog had before. */
export const MAX_OLD_PATH_CHARS = 1000
/** Addresses of an account that a blog had before. */
export const MAX_REDIRECTS = 5000
export const MAX_SCHEDULE_DAYS = 366
export const MAX_SLUG_CHARS = 191
export const MAX_TAGS = 20
export const MAX_TITLE_CHARS = 255
export const MAX_TRANSLATION_LANGUAGES = 20
export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024
/** Characters of a canonical address. */
export const MAX_URL_CHARS = 2000
/** The window in which the service counts uploads. */
export const UPLOAD_WINDOW_SECONDS = 60
/** Slugs that the service keeps for itself. */
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
