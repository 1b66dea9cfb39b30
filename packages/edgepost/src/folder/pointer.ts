import { readlink } from "node:fs/promises"
import { posix } from "node:path"

import { FolderError } from "./folder-error.ts"

// Tells files from what stands for them where Git has not fetched or linked them.

/** Bytes of a file that may stand for another one. */
const MAX_BYTES = 1024
/** Matches a pointer of Git LFS, in the form of today and in that of its first versions. */
const LFS = /^version https:\/\/(?:git-lfs|hawser)\.github\.com\//
/** Matches a pointer of git-annex, and the path of its links: `/annex/objects/SHA256E-a`, `../.git/annex/objects/a`. */
const ANNEX = /^(?:\/|(?:\.\.\/)*\.git\/)annex\/objects\//
/** The first bytes of a file that git-crypt has encrypted. */
const ENCRYPTED = "\0GITCRYPT\0"

/** Returns the error of a file that git-annex keeps. */
export const keptByAnnex = (): FolderError =>
  new FolderError("The file is kept by git-annex. Run `git annex get` and `git annex unlock`.", "annex_pointer")

/** Tells whether a symbolic link leads to what git-annex keeps. @param path absolute path of the link */
export const isOfAnnex = async (path: string): Promise<boolean> =>
  ANNEX.test((await readlink(path).catch(() => "")).replaceAll("\\", "/"))

/**
 * Refuses a file that only stands for another one.
 * @param files those of the folder
 * @throws FolderError that says what to do
 */
export const refusePointer = (bytes: Buffer, file: string, files: ReadonlySet<string>): void => {
  if (bytes.toString("latin1", 0, ENCRYPTED.length) === ENCRYPTED)
    throw new FolderError("The file is encrypted by git-crypt. Run `git-crypt unlock`.", "encrypted")
  if (bytes.length > MAX_BYTES) return
  const text = bytes.toString()
  if (LFS.test(text))
    throw new FolderError(
      "The file is a pointer of Git LFS. Run `git lfs pull`, or check out with `lfs: true`.",
      "lfs_pointer",
    )
  if (ANNEX.test(text)) throw keptByAnnex()
  const isLink = posix.extname(text) === posix.extname(file) && !text.includes("\n")
  const target = posix.join(posix.dirname(file), text)
  if (isLink && target !== file && (text.startsWith("../") || files.has(target)))
    throw new FolderError(
      `The file holds the path of a symbolic link, ${text}. Check out with \`core.symlinks=true\`, or put the file itself there.`,
      "link_as_text",
    )
}
