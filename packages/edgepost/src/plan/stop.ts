import type { ListedPost } from "../client/index.ts"
import { some } from "../terminal.ts"
import type { Entry } from "./entry.ts"

// Stops a run whose changes look like those of a mistake: of a checkout, of a configuration, or of a new version of edgepost.

/** Kinds of changes of posts that the service has. */
const KINDS = ["withdraw", "remove", "make public", "rename", "re-date"] as const

/** A change of a post that the service has. */
export interface Risk {
  kind: (typeof KINDS)[number]
  slug: string
  /** The file has not changed, and no field of it asks for this. */
  isByRule: boolean
}

/** Above this part of the folder's posts, and from this number on, so many changes at once are taken for a mistake. */
const MAX_PART = 1 / 10
const MIN_COUNT = 3

const kindOf = (
  { action, changes, state, published_at }: Entry,
  there: ListedPost | undefined,
  now: Date,
): Risk["kind"] | null => {
  if (action === "withdraw" || action === "remove") return action
  if (action !== "update" || !there) return null
  if (changes.post.includes("status")) return state === "draft" ? "withdraw" : "make public"
  if (there.status === "DF" || published_at === null || !changes.post.includes("published_at")) return null
  const isShown = Date.parse(there.published_at ?? "") <= now.getTime()
  if (isShown) return "re-date"
  return state === "published" ? "make public" : null
}

/** Lists the change of an entry if it is one for which a run may stop. @param byRule slugs of posts that a rule alone withdraws or shows */
export const toRisk = (entry: Entry, there: ListedPost | undefined, byRule: ReadonlySet<string>, now: Date): Risk[] => {
  const kind = kindOf(entry, there, now)
  return kind === null ? [] : [{ kind, slug: entry.slug, isByRule: byRule.has(entry.slug) }]
}

const ADVICE = "If that is right, give --accept-changes (`accept_changes: true` in the Action)."

/**
 * Says that changes of posts are too many, or not the author's; null if they may be carried out.
 * @param count number of the posts that the service has of the folder
 */
export const tooManyChanges = (risks: Risk[], count: number): string | null => {
  const isMany = risks.length >= MIN_COUNT && risks.length > count * MAX_PART
  const shown = isMany ? risks : risks.filter(({ isByRule }) => isByRule)
  if (shown.length === 0) return null
  const parts = KINDS.flatMap((kind) => {
    const slugs = shown.filter((risk) => risk.kind === kind).map(({ slug }) => slug)
    return slugs.length > 0 ? [`${kind} ${some(slugs)}`] : []
  })
  const what = `This run would ${parts.join("; ")}`
  const why = isMany
    ? `, which is ${shown.length} of the ${count} posts that the service has of this folder`
    : `, whose ${shown.length === 1 ? "file has" : "files have"} not changed: a folder, the configuration or a new version of edgepost decides it`
  return `${what}${why}. So nothing is written. ${ADVICE}`
}

/** Over this part of the images missing, the folder is taken for incomplete. */
const MAX_MISSING = 1 / 10

/**
 * Says that so many images that readers see are missing that the checkout of the folder must be incomplete; null if they are few.
 * @param lost number of the images that the service shows in posts of the folder, and that have no file
 */
export const tooManyMissing = (lost: number, images: number): string | null => {
  if (lost <= images * MAX_MISSING) return null
  const advice = "Add the files, or correct their paths. If the checkout is sparse, run `git sparse-checkout disable`"
  return `${lost} of ${images} images are missing that readers see, so nothing is written. ${advice}. To publish without them, give --allow-missing-images.`
}
