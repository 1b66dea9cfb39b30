import type { ListedPost } from "../client/index.ts"
import { type LocalPost, textsOf } from "../folder/post.ts"
import { sha256 } from "../hash.ts"
import { some } from "../terminal.ts"
import type { Blog } from "./blog.ts"
import type { DesiredPost } from "./desired.ts"
import type { ServiceState } from "./service.ts"

// Decides for which posts single line ends are line breaks.

/** Makes a post as it should be on the service, with the images that are there. */
type Make = (post: LocalPost, isBroken: boolean) => DesiredPost

/** Returns how the service has the line ends of a post; undefined if it does not have the post so. */
const readingOf = (post: LocalPost, there: ListedPost | undefined, make: Make): boolean | undefined => {
  if (!there) return undefined
  const [plain = {}, broken = {}] = [false, true].map((isBroken) => {
    const { primary_language, source, translations } = make(post, isBroken)
    return { ...translations, [primary_language]: source }
  })
  for (const [lang, { body }] of Object.entries(plain)) {
    const hash = there.texts[lang]?.body_sha256
    const other = broken[lang]?.body ?? body
    if (body !== other && [body, other].map(sha256).includes(hash ?? "")) return sha256(other) === hash
  }
  return undefined
}

/**
 * Decides how the line ends of posts are read: as the configuration says, else as the tool shows them. A post of the service keeps its
 * line ends until its file changes, and a folder of which the service has posts goes on with blanks, unless one shows that it has breaks.
 * @param posts those that are planned
 * @param all the posts of the folder
 */
export const settleLineBreaks = (
  posts: LocalPost[],
  all: LocalPost[],
  { config: { line_breaks: given }, lineBreaks, convertOnce }: Blog,
  { there }: Pick<ServiceState, "there">,
  make: Make,
): { isBroken: (post: LocalPost) => boolean; notices: string[] } => {
  if (given !== null || lineBreaks === null) return { isBroken: () => given === true, notices: [] }
  const hasLineEnds = (post: LocalPost): boolean => textsOf(post).some((text) => convertOnce(text).lineEnds.length > 0)
  const found = posts.filter(hasLineEnds)
  const known = new Map<LocalPost, boolean>()
  if (lineBreaks === "shown" && there.size > 0)
    for (const post of found.length > 0 ? all.filter(hasLineEnds) : []) {
      const reading = readingOf(post, there.get(post.slug), make)
      if (reading !== undefined) known.set(post, reading)
    }
  const readings = new Set(known.values())
  // Where nothing tells, a folder that the service has goes on with blanks.
  const isNew = readings.has(true) || !all.some(({ slug }) => there.has(slug))
  const isShown = lineBreaks === "shown" && isNew && !readings.has(false)
  const isBroken = (post: LocalPost): boolean => known.get(post) ?? isShown
  const plain = found.filter((post) => !isBroken(post))
  const advice =
    plain.length > 0
      ? "Readers see blanks there: set `line_breaks: true` in edgepost.config.yaml to show line breaks, or `false`."
      : "So they are for readers: `line_breaks: false` in edgepost.config.yaml makes blanks of them."
  const named = plain.length > 0 ? plain : known.size > 0 ? [] : found
  const files = some(named.map(({ source }) => source.file))
  const what = `Posts with single line ends, which are line breaks where you write: ${named.length} (${files}).`
  return { isBroken, notices: named.length > 0 ? [`${what} ${advice}`] : [] }
}
