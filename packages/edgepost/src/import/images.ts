import { existsSync } from "node:fs"
import { dirname, join, posix } from "node:path"

import { openFolder } from "../folder/files.ts"
import { slugify } from "../folder/slugify.ts"
import { sha256 } from "../hash.ts"
import { sniffFormat } from "../images/header.ts"
import { MAX_IMAGE_FILE_BYTES } from "../images/prepare.ts"
import { decode, resolveOnSite, UNKNOWN_SITE } from "../site.ts"
import type { Archive } from "./archive.ts"
import type { Download } from "./download.ts"

// Finds the images that posts show: in the archive, in the folder of uploads beside the export, or on the web.

const NAME_CHARS = 40

/** An image for the folder; or why there is none, and the address stays in the text. */
type FoundImage = { name: string; bytes: Buffer } | { problem: string }

/** Finds the images of an export by their addresses. */
export interface Images {
  /** Returns what the name of an image's file ends with, before its type. */
  hashOf: (address: string) => string
  /** Null is for an image that stays where it is. */
  find: (address: string) => Promise<FoundImage | null>
}

/** Tells whether an address names the file of an image. Matches `https://e.x/a.jpg?b`. Does not match `https://e.x/a.pdf`. */
export const isImageFile = (address: string): boolean =>
  /\.(?:avif|bmp|gif|hei[cf]|jpe?g|png|svg|tiff?|webp)(?:[?#].*)?$/i.test(address)

/** Returns the name of an image without its type and its size, such as `a` for `/b/a-300x200.jpg?c`. */
const stemOf = (address: string): string =>
  posix
    // Matches the query of `/a.jpg?b`. Does not match `/a.jpg`.
    .basename(decode(address.replace(/[?#].*$/, "")))
    // Matches the end of `a-300x200.jpg`, `a-scaled.jpg` and `a_thumb.png`. Does not match `a-2024`.
    .replace(/(?:[-_](?:\d+x\d+|scaled|rotated|thumb(?:nail)?|small|medium|large))*\.\w+$/i, "")

/** Tells whether an address is the file of an image, and another address a copy of it in another size. */
export const isSameImage = (address: string, copy: string): boolean =>
  isImageFile(address) && stemOf(address) === stemOf(copy)

/** Folders of uploads: of Ghost and of WordPress. */
const UPLOADS = ["content/images", "wp-content/uploads"]

/** Returns the path of an upload from the root of the old site, such as `content/images/a.png`; null for other addresses. */
const uploadPath = (address: string, siteUrl: string | null): string | null => {
  const path = decode(resolveOnSite(address, siteUrl)?.pathname ?? "")
  const folder = UPLOADS.find((each) => path.includes(`/${each}/`))
  return folder === undefined ? null : path.slice(path.indexOf(`/${folder}/`) + 1)
}

export const shortHash = (text: string): string => sha256(text).slice(0, 12)

/** Names an image: its old name as far as it is plain, the hash of its address, its type. */
const toFound = (path: string, bytes: Buffer, hash: string): FoundImage => {
  const format = sniffFormat(bytes)
  if (format === null) return { problem: "The file is not an image that edgepost knows." }
  const url = URL.canParse(path, UNKNOWN_SITE) ? new URL(path, UNKNOWN_SITE).pathname : ""
  // Matches the end of `a.png`. Does not match `a`.
  const stem = slugify(posix.basename(decode(url)).replace(/\.\w+$/, "")).slice(0, NAME_CHARS)
  const name = [stem, hash].filter(Boolean).join("-")
  return { name: `${name}.${format === "heif" ? "avif" : format}`, bytes }
}

/** Opens what may hold the images of an export. @param download null to leave images on the web where they are */
export const openImages = async (
  file: string,
  { archive, siteUrl }: { archive: Archive | null; siteUrl: string | null },
  download: Download | null,
): Promise<Images> => {
  const beside = UPLOADS.map((each) => ({ each, path: join(dirname(file), each) })).filter(({ path }) =>
    existsSync(path),
  )
  const folders = new Map(
    await Promise.all(beside.map(async ({ each, path }) => [each, await openFolder(path)] as const)),
  )
  const readUpload = async (path: string): Promise<Buffer | null> => {
    const name = archive?.names.find((each) => each === path || each.endsWith(`/${path}`))
    if (name !== undefined) return (await archive?.read(name)) ?? null
    const folder = UPLOADS.find((each) => path.startsWith(`${each}/`)) ?? ""
    const own = path.slice(folder.length + 1)
    const opened = folders.get(folder)
    return opened?.files.includes(own) ? opened.read(own, MAX_IMAGE_FILE_BYTES) : null
  }
  // An upload has the same name with the address of its site and without.
  const hashOf = (address: string): string => shortHash(uploadPath(address, siteUrl) ?? address)
  const find: Images["find"] = async (address) => {
    // Matches `data:image/png;base64,AAAA`. Does not match `data:image/png,a`.
    const [head] = /^data:image\/[\w.+-]+;base64,/i.exec(address) ?? []
    if (head !== undefined) return toFound("", Buffer.from(address.slice(head.length), "base64"), hashOf(address))
    const path = uploadPath(address, siteUrl)
    const upload = path === null ? null : await readUpload(path)
    // Matches `https://e.x/a`. Does not match `/a`.
    const isRemote = /^https?:/i.test(address)
    if (upload === null && !isRemote)
      return path === null
        ? null
        : {
            problem:
              "Copy the old site's folder of uploads beside the export, or set `site_url` in the configuration, and import again.",
          }
    if (upload === null && download === null) return null
    try {
      const bytes = upload ?? (await download?.(address)) ?? Buffer.alloc(0)
      return toFound(address, bytes, hashOf(address))
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      return { problem: code === undefined ? message : `The site cannot be reached (${code}).` }
    }
  }
  return { hashOf, find }
}
