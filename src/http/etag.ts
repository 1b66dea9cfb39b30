import { ApiError } from "./problem.ts"

/** `"<version>.<revision>"`: version for writers, both for caches. */
export const postEtag = ({ version, revision }: { version: number; revision: number }): string =>
  `"${version}.${revision}"`

const tags = (header: string): string[] => header.match(/"[^"]*"/g) ?? []

/** RFC 9110 section 13.1.2, weak comparison. */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.trim() === "*" || tags(ifNoneMatch ?? "").includes(etag)

/**
 * The versions that `If-Match` names; null when any will do.
 * `W/` is let through: proxies add it when they compress, and a version is exact all the same.
 */
export const matchVersions = (ifMatch: string | undefined): number[] | null =>
  ifMatch === undefined || ifMatch.trim() === "*"
    ? null
    : tags(ifMatch).map((tag) => Number(/^"(\d+)(?:\.\d+)?"$/.exec(tag)?.[1] ?? NaN))

/** Throws 412 when the post has moved on since the version in `If-Match` (RFC 9110 section 13.1.1). */
export const requireMatch = (ifMatch: string | undefined, version: number): void => {
  const versions = matchVersions(ifMatch)
  if (versions && !versions.includes(version))
    throw new ApiError(
      "version_conflict",
      `The post is at version ${version}, which If-Match does not name. Send its ETag as you got it, with the quotes.`,
    )
}
