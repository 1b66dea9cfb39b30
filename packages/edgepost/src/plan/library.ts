import { posix } from "node:path"

import type { Finding } from "../finding.ts"
import type { Folder } from "../folder/files.ts"
import { findImageFile } from "../images/find.ts"
import { ImageError, MAX_IMAGE_FILE_BYTES, prepareImage } from "../images/prepare.ts"
import { ADDRESS } from "../site.ts"
import type { Service } from "./offline.ts"

/** An image file of the folder. */
interface FolderImage {
  /** Path from the root. */
  file: string
  /** SHA-256 of the bytes that go to the service, in hex. */
  sha256: string
  /** The image on the service, once it is there. */
  image_id: string | null
  image_url: string | null
}

/** The images of a folder that its posts show, by path. */
export interface Library {
  images: Map<string, FolderImage>
  /** Findings about an image, by path. An image with an error is not in `images`. */
  notes: Map<string, Omit<Finding, "file" | "line">[]>
  /** Paths that posts refer to and that have no file, from the root. */
  missing: Set<string>
  /** Paths of files that Git LFS has not fetched: they stand for an image. */
  pointers: Set<string>
  /** Returns the path of the image that a reference in `file` means, or null. */
  find: (reference: string, file: string) => string | null
  /** Reads an image as it goes to the service. */
  read: (file: string) => Promise<Buffer>
}

/** Images that are converted at once: each takes one core. */
const AT_ONCE = 2

const runAtMost = async <T>(items: T[], count: number, run: (item: T) => Promise<void>): Promise<void> => {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (const item of queue) await run(item)
    }),
  )
}

/** Tells whether a reference names a file. Matches `a.png` and `/b/a.jpeg?v=2`. Does not match `A sentence.` and `https://e.x/a.png`. */
const namesFile = (reference: string): boolean =>
  !ADDRESS.test(reference) && /\.[a-z0-9]{2,5}(?:[?#].*)?$/i.test(reference)

const keyOf = (reference: string, file: string): string => `${file}\n${reference}`

/**
 * Prepares all images that posts refer to, each once.
 * @param references the references of each Markdown file
 */
export const openLibrary = async (
  folder: Folder,
  references: Iterable<{ reference: string; file: string }>,
  siteUrl: string | null,
): Promise<Library> => {
  const paths = new Map<string, string | null>()
  const missing: Library["missing"] = new Set()
  const pointers: Library["pointers"] = new Set()
  for (const { reference, file } of references) {
    const path = findImageFile(folder, reference, file, siteUrl)
    paths.set(keyOf(reference, file), path)
    if (path === null && namesFile(reference)) missing.add(posix.resolve("/", posix.dirname(file), reference))
  }
  const images = new Map<string, FolderImage>()
  const notes: Library["notes"] = new Map()
  const prepare = async (path: string) => prepareImage(await folder.read(path, MAX_IMAGE_FILE_BYTES))
  const found = [...new Set(paths.values())].filter((path) => path !== null)
  await runAtMost(found, AT_ONCE, async (file) => {
    try {
      const { sha256, warnings } = await prepare(file)
      images.set(file, { file, sha256, image_id: null, image_url: null })
      notes.set(
        file,
        warnings.map((message) => ({ level: "warning", code: "image_changed", message: `${file}: ${message}` })),
      )
    } catch (error) {
      const code = error instanceof ImageError ? error.code : "unreadable_image"
      if (code === "lfs_pointer") pointers.add(file)
      else notes.set(file, [{ level: "error", code, message: `${file}: ${(error as Error).message}` }])
    }
  })
  return {
    images,
    notes,
    missing,
    pointers,
    find: (reference, file) => paths.get(keyOf(reference, file)) ?? null,
    read: async (file) => (await prepare(file)).bytes,
  }
}

/** Finds which images the service has. */
export const lookUp = async (service: Service, { images }: Library): Promise<void> => {
  const byHash = Map.groupBy(images.values(), ({ sha256 }) => sha256)
  for (const { source_sha256, image_id, image_url } of await service.findImages([...byHash.keys()]))
    for (const image of byHash.get(source_sha256 ?? "") ?? []) Object.assign(image, { image_id, image_url })
}
