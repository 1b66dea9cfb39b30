import type { Plan } from "./plan.ts"
import { NO_REDIRECTS } from "./redirects.ts"
import type { Author, ServiceState } from "./service.ts"

// A plan against nothing, where there is no key.

/** Stands for an account. */
export const NO_ACCOUNT: Author = { username: "you", primary_language: "en", translation_languages: [], limits: {} }

/** The state of a service without posts and images. */
export const NO_STATE: ServiceState = {
  account: NO_ACCOUNT,
  there: new Map(),
  images: new Map(),
  redirects: null,
  others: new Set(),
}

/** Returns what a plan without the service knows: whether something in the folder blocks a post. */
export const toChecked = (plan: Plan): Plan => ({
  ...plan,
  redirects: NO_REDIRECTS,
  // Nothing is published, and the service is not asked whether it has the posts.
  stop: null,
  notices: [...plan.notices, ...(plan.stop === null ? [] : [plan.stop])],
  uploadSeconds: 0,
  translatedCharacters: 0,
  entries: plan.entries.map((entry) =>
    entry.action === "create" ? { ...entry, action: "checked", uploads: [] } : entry,
  ),
})
