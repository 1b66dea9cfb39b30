import type { Client, ListedPost } from "../client/index.ts"
import type { FolderImage, Library, StoredImage, StoredImages } from "./image-library.ts"

// To be removed with 0.5: finds images that an older version converted and uploaded, which did not say from which files.

/** Tells whether the service does not say from which file an image was made. @param known ids of images whose files are known */
export const isUnnamed = (
  { image_id, source_sha256, original_sha256 }: ListedPost["images"][number],
  known: ReadonlySet<string>,
): boolean => source_sha256 !== null && original_sha256 === null && !known.has(image_id)

/**
 * Adds images without a known file to those that are on the service, by converting files as those versions did.
 * @param files of posts that show such images
 */
export const findUnnamed = async (
  client: Pick<Client, "findImages">,
  library: Library,
  stored: StoredImages,
  files: string[],
): Promise<StoredImages> => {
  const unknown = [...new Set(files)]
    .flatMap((file) => library.images.get(file) ?? [])
    .filter(({ sha256, isAccepted }) => !isAccepted && !stored.has(sha256))
  /** The hashes of files, by those of what they were converted to. */
  const converted = new Map<string, string[]>()
  const convert = async ({ file, sha256 }: FolderImage): Promise<void> => {
    // A damaged file was never uploaded.
    const prepared = await library.read(file).catch(() => null)
    if (prepared) converted.set(prepared.sha256, [...(converted.get(prepared.sha256) ?? []), sha256])
  }
  await Promise.all(unknown.map(convert))
  const found = await client.findImages([...converted.keys()], "source_sha256")
  const unnamed = found.flatMap(({ image_id, image_url, source_sha256, original_sha256 }) =>
    ((original_sha256 === null && converted.get(source_sha256 ?? "")) || []).map(
      (sha256) => [sha256, { image_id, image_url, isUnnamed: true }] as const,
    ),
  )
  return new Map<string, StoredImage>([...stored, ...unnamed])
}
