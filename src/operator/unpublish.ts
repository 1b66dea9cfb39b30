import { changePost, type Saver } from "../posts/save.ts"

/** Turns a post of the saver's account into a draft, as its author would. @throws ApiError 404, 403; 503 */
export const unpublish = async (saver: Saver, slug: string): Promise<void> => {
  await changePost(saver, slug, {}, ({ post }) => ({ ...post, status: "DF" }))
}
