import type { Entry } from "./entry.ts"
import type { Service } from "./service.ts"

/** Stands for the service where there is no key: somebody who has no posts and images. */
export const NO_SERVICE: Service = {
  getAccount: async () => ({ username: "you", primary_language: "en", translation_languages: [], limits: {} }),
  // oxlint-disable-next-line no-empty-function -- There are no posts.
  paginatePosts: async function* () {},
  findImages: async () => [],
}

/** Returns what a plan without the service knows of a post: whether something in the folder blocks it. */
export const toChecked = (entry: Entry): Entry =>
  entry.action === "create" ? { ...entry, action: "checked", uploads: [] } : entry
