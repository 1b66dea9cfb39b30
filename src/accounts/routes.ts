import type { ApiKey } from "../db/schema.ts"
import type { AppContext } from "../http/context.ts"
import { route } from "../http/route.ts"
import * as limits from "../limits.ts"
import { viewSettings, viewUsage } from "./account.ts"
import { getOwnAccountOperation } from "./operations.ts"

/** Returns what answers show of a key: its name, scope and expiry in RFC 3339. */
export const viewKey = ({ name, scope, expires_at }: Pick<ApiKey, "name" | "scope" | "expires_at">) => ({
  name,
  scope,
  expires_at: expires_at?.toISOString() ?? null,
})

const viewOwnAccount = ({ account, key, config }: AppContext["var"]) => ({
  username: account.username,
  paid_until: account.paid_until?.toISOString() ?? null,
  ...viewSettings(account),
  key: key && viewKey(key),
  usage: viewUsage(account),
  limits: {
    image_id_ttl_seconds: config.imageIdTtlSeconds,
    uploads_per_minute: config.uploadsPerMinute,
    max_upload_bytes: limits.MAX_UPLOAD_BYTES,
    max_image_side_px: limits.MAX_IMAGE_SIDE_PX,
    max_post_images: limits.MAX_POST_IMAGES,
    max_body_bytes: limits.MAX_BODY_BYTES,
    max_title_chars: limits.MAX_TITLE_CHARS,
    max_meta_description_chars: limits.MAX_META_DESCRIPTION_CHARS,
    max_slug_chars: limits.MAX_SLUG_CHARS,
    max_categories: limits.MAX_CATEGORIES,
    max_tags: limits.MAX_TAGS,
    max_translation_languages: limits.MAX_TRANSLATION_LANGUAGES,
    max_stored_bytes: limits.MAX_STORED_BYTES,
    max_stored_text_bytes: config.maxStoredTextBytes,
    translated_characters_per_day: config.translatedCharactersPerDay,
  },
})

export const accountRoutes = [
  route(getOwnAccountOperation, (c) => c.json({ success: true, account: viewOwnAccount(c.var) })),
]
