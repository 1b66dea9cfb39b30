import { ApiError } from "./errors.ts"

/** `"<version>.<revision>"`: version for writers, both for caches. */
export const postEtag = ({ version, revision }: { version: number; revision: number }): string =>
  `"${version}.${revision}"`

const tags = (header: string): string[] => header.match(/"[^"]*"/g) ?? []

/** RFC 9110 section 13.1.2, weak comparison. */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.trim() === "*" || tags(ifNoneMatch ?? "").includes(etag)

/** What `If-Match` names: a version of a post that was created no later than `createdBy`, in ms. */
export interface NamedVersion {
  version: number
  createdBy: number
}

/** A revision counts from the time of its post's creation, so that no later post at the slug takes it; smaller ones tell none. */
const EARLIEST = Date.UTC(2000, 0)

/**
 * The versions that `If-Match` names; null when any will do.
 * `W/` is let through: proxies add it when they compress, and a version is exact all the same.
 */
export const matchVersions = (ifMatch: string | undefined): NamedVersion[] | null =>
  ifMatch === undefined || ifMatch.trim() === "*"
    ? null
    : tags(ifMatch).flatMap((tag) => {
        const [, version, revision] = /^"(\d+)(?:\.(\d+))?"$/.exec(tag) ?? []
        // One of hundreds of digits would be infinite, and null in JSON.
        const createdBy = Math.min(Number(revision ?? 0), Number.MAX_SAFE_INTEGER)
        if (version === undefined) return []
        return [{ version: Number(version), createdBy: createdBy < EARLIEST ? Number.MAX_SAFE_INTEGER : createdBy }]
      })

/** Throws 412 when the post is not at a version in `If-Match` (RFC 9110 section 13.1.1). */
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
