import type { ListedPost } from "../client/index.ts"
import type { LocalPost } from "../folder/post.ts"

/** Keeps a draft of the service a draft if its file does not say that readers may see it, and says what becomes of the post. */
export const settleStatus = (post: LocalPost, there: ReadonlyMap<string, Pick<ListedPost, "status">>): LocalPost => {
  const { unknownStatus, slug, source } = post
  if (unknownStatus === null || post.status === "DF") return post
  const found = there.get(slug)
  if (found?.status === "PB" || (!found && unknownStatus.name !== "status")) return post
  const [becomes, advice] = found
    ? ["stays a draft", "`status: PB` publishes it."]
    : ["is public", "`status: DF` makes it a draft."]
  const message = `\`${unknownStatus.name}: ${unknownStatus.word}\` is neither DF nor PB, and so the post ${becomes}. ${advice}`
  const { file } = source
  const finding = { level: "warning" as const, code: "unknown_status", message, file, line: unknownStatus.line }
  return { ...post, status: found?.status ?? "PB", findings: [...post.findings, finding] }
}
