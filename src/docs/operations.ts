import * as accounts from "../accounts/schema.ts"
import * as billing from "../billing/schema.ts"
import type { Access, Operation } from "../http/operation.ts"
import type { ProblemCode } from "../http/problems.ts"
import * as images from "../images/schema.ts"
import * as posts from "../posts/operations.ts"
import * as reader from "../reader/schema.ts"
import * as sessions from "../sessions/schema.ts"
import * as translations from "../translations/schema.ts"
import { getErrorsPage, getHealth, getReference } from "./schema.ts"

/** Every documented operation. A test holds this list against the router. */
export const operations: Operation[] = [
  posts.createPost,
  posts.listPosts,
  posts.getPost,
  posts.patchPost,
  posts.patchPostByShortPath,
  posts.deletePost,
  images.uploadImage,
  images.getMedia,
  translations.listTranslations,
  translations.retranslate,
  translations.deleteTranslation,
  accounts.getOwnAccount,
  accounts.patchAccount,
  accounts.getAccount,
  accounts.eraseAccount,
  accounts.rotateAccountKey,
  sessions.createSignInLink,
  billing.receiveStripeEvent,
  reader.getPage,
  reader.getTranslatedPage,
  getReference,
  getErrorsPage,
  getHealth,
]

const ACCESS_PROBLEMS: Record<Access, ProblemCode[]> = {
  public: [],
  key: ["unauthorized", "subscription_required", "account_restricted"],
  operator: ["unauthorized", "not_found", "rate_limited"],
  page: ["cross_site"],
  author: ["cross_site", "sign_in_required"],
  "operator-page": ["cross_site", "sign_in_required", "not_found"],
}

/** What was made may be gone by then. */
const ONCE_PROBLEMS: ProblemCode[] = [
  "validation_error",
  "idempotency_in_progress",
  "idempotency_key_reused",
  "not_found",
  "image_expired",
]

/** Every code that an operation may answer: its own, its access class's, and those that can befall any. */
export const problemsOf = ({ access, problems, isOnce }: Operation): ProblemCode[] => [
  ...new Set<ProblemCode>([
    ...problems,
    ...ACCESS_PROBLEMS[access],
    ...(isOnce ? ONCE_PROBLEMS : []),
    "not_found",
    "internal_error",
    "misconfigured",
    "unavailable",
  ]),
]
