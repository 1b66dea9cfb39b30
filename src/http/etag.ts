import type { PostRow } from "../db/schema.ts"
import { isScheduled } from "../db/visibility.ts"
import { ApiError } from "./errors.ts"

/**
 * Formats the ETag of a post with its quotes, `"<version>.<revision>"`, and `.s` while the post is scheduled. `If-Match`
 * compares the version, caches compare all.
 */
export const postEtag = (
  { version, revision, ...post }: Pick<PostRow, "version" | "revision" | "status" | "published_at">,
  now: Date,
): string => `"${version}.${revision}${isScheduled(post, now) ? ".s" : ""}"`

const tags = (header: string): string[] => header.match(/"[^"]*"/g) ?? []

/** Tells whether `If-None-Match` is `*` or names the ETag, by weak comparison (RFC 9110 section 13.1.2); false without the header. */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.trim() === "*" || tags(ifNoneMatch ?? "").includes(etag)

/** A version in `If-Match`, of a post created no later than `createdBy` (milliseconds since the epoch). */
export interface NamedVersion {
  version: number
  createdBy: number
}

/** Revisions start at the post's creation time in milliseconds. Smaller ones do not tell when the post was created. */
const EARLIEST = Date.UTC(2000, 0)

/**
 * Reads the post versions in `If-Match`, each with the latest time at which its post was created. `W/` is ignored.
 * @returns null without the header or for `*`: any version matches; an empty array: none matches
 */
export const matchVersions = (ifMatch: string | undefined): NamedVersion[] | null =>
  ifMatch === undefined || ifMatch.trim() === "*"
    ? null
    : tags(ifMatch).flatMap((tag) => {
        // Matches `"3.1700000000000.s"`, `"3.1700000000000"` and `"3"`. Does not match `"a"`.
        const [, version, revision] = /^"(\d+)(?:\.(\d+)(?:\.s)?)?"$/.exec(tag) ?? []
        // Hundreds of digits would become Infinity, which is null in JSON.
        const createdBy = Math.min(Number(revision ?? 0), Number.MAX_SAFE_INTEGER)
        if (version === undefined) return []
        return [{ version: Number(version), createdBy: createdBy < EARLIEST ? Number.MAX_SAFE_INTEGER : createdBy }]
      })

/**
 * Requires that `If-Match` (RFC 9110 section 13.1.1) names the version of this post, not that of an earlier one at its
 * slug. `*` and a missing header are right for every version.
 * @throws ApiError 412 `version_conflict`
 */
export const requireMatch = (
  ifMatch: string | undefined,
  { version, created_at }: { version: number; created_at: Date },
): void => {
  const named = matchVersions(ifMatch)
  if (named && !named.some((one) => one.version === version && one.createdBy >= created_at.getTime()))
    throw new ApiError(
      "version_conflict",
      `The post is at version ${version}; If-Match names another, or an earlier post at the slug. Send its ETag as you got it, with the quotes.`,
    )
}
