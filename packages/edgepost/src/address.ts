import type { Post } from "./client/index.ts"

/** Returns where a post can be seen: its page, or its preview until readers see it; null without a preview. */
export const addressOf = ({
  status,
  scheduled,
  url,
  preview_url,
}: Pick<Post, "status" | "scheduled" | "url" | "preview_url">): string | null =>
  status === "PB" && !scheduled ? url : preview_url
