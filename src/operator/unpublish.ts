import { changePost, type Saver } from "../posts/save.ts"

/**
 * Turns a post of the saver's account into a draft, as its author would.
 * @returns false when it was one
 * @throws ApiError 404, 403; 503
 */
export const unpublish = async (saver: Saver, slug: string): Promise<boolean> => {
  let wasPublished = false
  await changePost(saver, slug, {}, ({ post }) => {
    wasPublished = post.status === "PB"
    return { ...post, status: "DF" }
  })
  return wasPublished
}
