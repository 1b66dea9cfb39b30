import type { ListedPost } from "../client/index.ts"
import type { LocalPost } from "../folder/post.ts"
import type { FolderText } from "./gone.ts"

const warn = (post: LocalPost, message: string, code: string, file: string, line: number): LocalPost => ({
  ...post,
  findings: [...post.findings, { level: "warning", code, message, file, line }],
})

/** Leaves out the translations that the service has as a draft of its own, and says so. */
const holdTranslations = (post: LocalPost, drafts: ReadonlyMap<string, string>): LocalPost => {
  const translations = { ...post.translations }
  let held = post
  for (const [lang, { file }] of Object.entries(translations)) {
    const slug = drafts.get(file)
    if (slug === undefined) continue
    delete translations[lang]
    const message = `The service has this text as the draft ${slug}, so it is left out as a translation. \`edgepost delete ${slug}\` lets it be published.`
    held = warn(held, message, "draft_translation", file, 1)
  }
  return { ...held, translations }
}

/**
 * Keeps a draft of the service a draft if its file does not say that readers may see it, and says what becomes of the post.
 * @param drafts slugs of drafts of the service that have another slug than their files, by path: see `findDrafts`
 */
export const settleStatus = (
  post: LocalPost,
  there: ReadonlyMap<string, Pick<ListedPost, "status">>,
  drafts: ReadonlyMap<string, string>,
): LocalPost => {
  const held = holdTranslations(post, drafts)
  const { unknownStatus, slug, source, status } = held
  if (unknownStatus === null || status === "DF") return held
  const isDraft = drafts.has(source.file)
  const found = isDraft ? "DF" : there.get(slug)?.status
  if (found === "PB" || (!found && unknownStatus.name !== "status")) return held
  const [becomes, advice] = found
    ? ["stays a draft", "`status: PB` publishes it."]
    : ["is public", "`status: DF` makes it a draft."]
  const message = `\`${unknownStatus.name}: ${unknownStatus.word}\` is neither DF nor PB, and so the post ${becomes}. ${advice}`
  return { ...warn(held, message, "unknown_status", source.file, unknownStatus.line), status: found ?? "PB" }
}

/**
 * Lists the texts of a post that must not be public if they are drafts of the service: that of a new post of which no field says it, and translations that the service does not have.
 * @param known the post on the service
 */
export const textsToHold = (
  { unknownStatus, translations }: LocalPost,
  texts: FolderText[],
  known: ListedPost | undefined,
): FolderText[] => {
  const there = Object.entries(known?.texts ?? {}).filter(([, { edited }]) => edited.length > 0)
  const files = new Set(there.flatMap(([lang]) => translations[lang]?.file ?? []))
  return texts.filter(({ file, slug }) => (slug === null ? !files.has(file) : !known && unknownStatus !== null))
}
