import { posix } from "node:path"

import { FolderError } from "./files.ts"

// Tells files from what stands for them where Git has not fetched or linked them.

/** Bytes of a file that may stand for another one. */
const MAX_BYTES = 1024
/** Matches a pointer of Git LFS, in the form of today and in that of its first versions. */
const LFS = /^version https:\/\/(?:git-lfs|hawser)\.github\.com\//
/** Matches a pointer of git-annex, and the path of its link where a system has no links: `/annex/objects/SHA256E-a`, `../.git/annex/objects/a`. */
const ANNEX = /^(?:\/|(?:\.\.\/)*\.git\/)annex\/objects\//

/**
 * Refuses a file that only stands for another one.
 * @param files those of the folder
 * @throws FolderError that says what to do
 */
export const refusePointer = (bytes: Buffer, file: string, files: ReadonlySet<string>): void => {
  if (bytes.length > MAX_BYTES) return
  const text = bytes.toString()
  if (LFS.test(text))
    throw new FolderError(
      "The file is a pointer of Git LFS. Run `git lfs pull`, or check out with `lfs: true`.",
      "lfs_pointer",
    )
  if (ANNEX.test(text))
    throw new FolderError("The file is a pointer of git-annex. Run `git annex get` before.", "annex_pointer")
  const isOutside = text.startsWith("../") && !text.includes("\n") && posix.extname(text) === posix.extname(file)
  if (isOutside || files.has(posix.join(posix.dirname(file), text)))
    throw new FolderError(
      `The file holds the path of a symbolic link, ${text}. Check out with \`core.symlinks=true\`, or put the file itself there.`,
      "link_as_text",
    )
}
