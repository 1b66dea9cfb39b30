import { atMost, type Client, type ListedPost } from "../client/index.ts"
import { type FolderImage, IMAGES_AT_ONCE, type Library, type StoredImage, type StoredImages } from "./library.ts"

// Until 0.5: finds images that versions before 0.2 converted and uploaded, which did not say from which files.

/** Tells whether a post shows an image on the service of which no file is known. */
export const showsUnnamed = ({ images }: ListedPost, stored: StoredImages): boolean => {
  const known = new Set([...stored.values()].map(({ image_id }) => image_id))
  return images.some(
    ({ image_id, source_sha256, original_sha256 }) =>
      source_sha256 !== null && original_sha256 === null && !known.has(image_id),
  )
}

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
  const converted = new Map<string, string>()
  const inTurn = atMost(IMAGES_AT_ONCE)
  const convert = async ({ file, sha256 }: FolderImage): Promise<void> => {
    // A damaged file was never uploaded.
    const prepared = await library.read(file).catch(() => null)
    if (prepared) converted.set(prepared.sha256, sha256)
  }
  await Promise.all(unknown.map((image) => inTurn(() => convert(image))))
  const found = await client.findImages([...converted.keys()], "source_sha256")
  const unnamed = found.flatMap(({ image_id, image_url, source_sha256, original_sha256 }) => {
    const sha256 = original_sha256 === null && converted.get(source_sha256 ?? "")
    return sha256 ? [[sha256, { image_id, image_url, isUnnamed: true }] as const] : []
  })
  return new Map<string, StoredImage>([...stored, ...unnamed])
}
