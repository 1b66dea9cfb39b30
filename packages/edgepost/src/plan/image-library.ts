import { posix } from "node:path"

import { atMost, type Client } from "../client/index.ts"
import type { Finding } from "../finding.ts"
import type { Folder } from "../folder/files.ts"
import { FolderError, UNREADABLE } from "../folder/folder-error.ts"
import { sha256 as hash } from "../hash.ts"
import { findImageFile } from "../images/find.ts"
import { sniffFormat } from "../images/header.ts"
import {
  ImageError,
  type ImageErrorCode,
  inspectImage,
  MAX_IMAGE_FILE_BYTES,
  type PreparedImage,
  prepareImage,
} from "../images/prepare.ts"
import { isData } from "../markdown/images.ts"
import { resolveOnSite } from "../site.ts"

/** An image of the folder: a file, or a part of a text. */
export interface FolderImage {
  /** Path from the root, or the name of an image in a text. */
  file: string
  /** SHA-256 of the file, in hex. */
  sha256: string
  /** The service takes the file as it is. */
  isAccepted: boolean
}

/** An image of the folder that is on the service. */
export interface StoredImage {
  image_id: string
  image_url: string
  /** An older version converted and uploaded it: the service does not know the file. */
  isUnnamed: boolean
}

/** The images that are on the service, by the SHA-256 of their files. */
export type StoredImages = ReadonlyMap<string, StoredImage>

/** The images of a folder that its posts show, by path. */
export interface Library {
  images: Map<string, FolderImage>
  /** Findings about an image, by path. A file of which no upload can be made is not in `images`. */
  notes: Map<string, Omit<Finding, "file" | "line">[]>
  /** Paths that posts refer to and that have no file, from the root. */
  missing: Set<string>
  /** Returns the path of the image that a reference in `file` means, or null. */
  find: (reference: string, file: string) => string | null
  /** Tells whether a reference means a file of the folder, which may be missing. */
  isOfFolder: (reference: string) => boolean
  /** Reads an image file and makes an upload of it. @throws ImageError */
  read: (file: string) => Promise<PreparedImage & { originalSha256: string }>
}

/** Codes of files that no browser shows either: posts are published without them. */
export const BROKEN: ReadonlySet<string> = new Set<ImageErrorCode>(["damaged_image", "unsupported_image"])

/** Images that are read or converted at once: each conversion takes one core. */
const AT_ONCE = 2

/** Tells whether an image must be sent before a post can show it, or so that the service knows its file. */
export const isToSend = ({ sha256 }: FolderImage, stored: StoredImages): boolean =>
  stored.get(sha256)?.isUnnamed ?? true

/** Matches the end of a file's name: `a.png` and `/b/a.jpeg?v=2`. Does not match `A sentence.` */
const ENDING = /\.[a-z0-9]{2,5}(?:[?#].*)?$/i

/** Reads an image in a text, such as `data:image/png;base64,…`. @returns null if it is broken, or no image */
const readData = async (url: string): Promise<{ name: string; bytes: Buffer } | null> => {
  try {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    const { format } = inspectImage(bytes)
    return { name: `data:image/${format} ${hash(bytes).slice(0, 16)}`, bytes }
  } catch {
    return null
  }
}

/** Returns an SVG with single line feeds, as it is known on all systems; other images as they are. */
const withLineFeeds = (bytes: Buffer): Buffer =>
  sniffFormat(bytes) === "svg" ? Buffer.from(bytes.toString("latin1").replaceAll(/\r\n?/g, "\n"), "latin1") : bytes

const keyOf = (reference: string, file: string): string => `${file}\n${reference}`

/**
 * Reads all images that posts refer to, each once. Converts none.
 * @param references the references of each Markdown file
 */
export const openLibrary = async (
  folder: Folder,
  references: Iterable<{ reference: string; file: string; isStored: boolean }>,
  siteUrl: string | null,
): Promise<Library> => {
  const paths = new Map<string, string | null>()
  const isOfFolder = (reference: string): boolean => resolveOnSite(reference, siteUrl) !== null
  const missing: Library["missing"] = new Set()
  const inTexts = new Map<string, Buffer>()
  for (const { reference, file, isStored } of references) {
    const found = isData(reference) ? await readData(reference) : null
    if (found) inTexts.set(found.name, found.bytes)
    const path = isData(reference) ? (found?.name ?? null) : findImageFile(folder, reference, file, siteUrl)
    paths.set(keyOf(reference, file), path)
    // Images of a stored text are on the service.
    if (path === null && !isStored && ENDING.test(reference) && isOfFolder(reference))
      missing.add(posix.resolve("/", posix.dirname(file), reference))
  }
  const images = new Map<string, FolderImage>()
  const notes: Library["notes"] = new Map()
  const readFile = async (path: string) =>
    withLineFeeds(inTexts.get(path) ?? (await folder.read(path, MAX_IMAGE_FILE_BYTES)))
  const found = [...new Set(paths.values())].filter((path) => path !== null)
  const inTurn = atMost(AT_ONCE)
  const inspect = async (file: string): Promise<void> => {
    try {
      const bytes = await readFile(file)
      const { isAccepted, warnings } = inspectImage(bytes)
      const sha256 = hash(bytes)
      images.set(file, { file, sha256, isAccepted })
      notes.set(
        file,
        warnings.map((message) => ({ level: "warning", code: "image_changed", message: `${file}: ${message}` })),
      )
    } catch (error) {
      const isKnown = error instanceof ImageError || (error instanceof FolderError && error.code !== UNREADABLE)
      const code = isKnown ? error.code : "unreadable_image"
      const level = BROKEN.has(code) ? "warning" : "error"
      notes.set(file, [{ level, code, message: `${file}: ${(error as Error).message}` }])
    }
  }
  await Promise.all(found.map((file) => inTurn(() => inspect(file))))
  return {
    images,
    notes,
    missing,
    find: (reference, file) => paths.get(keyOf(reference, file)) ?? null,
    isOfFolder,
    read: (file) =>
      inTurn(async () => {
        const bytes = await readFile(file)
        return { ...(await prepareImage(bytes)), originalSha256: hash(bytes) }
      }),
  }
}

/** Finds which images the service has, by their files. */
export const findStored = async (client: Pick<Client, "findImages">, { images }: Library): Promise<StoredImages> => {
  const byHash = new Map([...images.values()].map((image) => [image.sha256, image]))
  const found = await client.findImages([...byHash.keys()], "original_sha256")
  const stored = new Map<string, StoredImage>()
  // Of two images of a file the older one counts, in every plan.
  for (const { image_id, image_url, ...hashes } of found.toSorted((a, b) => (a.image_id < b.image_id ? 1 : -1))) {
    const image = byHash.get(hashes.original_sha256 ?? hashes.source_sha256 ?? "")
    // A client may name any file as the original, but a file that is sent as it is has the hash that the service made.
    if (image && (!image.isAccepted || hashes.source_sha256 === image.sha256))
      stored.set(image.sha256, { image_id, image_url, isUnnamed: false })
  }
  return stored
}
