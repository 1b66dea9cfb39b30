import { posix } from "node:path"

import type { ListedPost, PutPost } from "../client/index.ts"
import type { Finding } from "../finding.ts"
import { describeWords } from "../folder/first-words.ts"
import type { LocalPost, LocalText } from "../folder/post.ts"
import { MAX_BODY_BYTES } from "../limits.ts"
import type { Converted } from "../markdown/convert.ts"
import { type RewriteContext, rewrite } from "../markdown/rewrite.ts"
import type { Blog } from "./blog.ts"
import { BROKEN, type StoredImages } from "./image-library.ts"
import type { Place } from "./remarks.ts"
import type { ServiceState } from "./service.ts"

/** The text of a post in one language as it should be on the service. */
export interface DesiredText {
  title: string
  meta_description: string
  body: string
  /** RFC 3339; undefined: now, if the text changes. */
  changed_at?: string
}

/** A post as it should be on the service. A field that is undefined stays as it is there. */
export interface DesiredPost {
  slug: string
  /** Path of the source text's file. */
  file: string
  /** The fields of a PUT, but for the source text. */
  fields: Omit<PutPost, "title" | "meta_description" | "body">
  /** BCP 47 code of the source text. */
  primary_language: string
  source: DesiredText
  /** Translations made by hand, by BCP 47 code. */
  translations: Record<string, DesiredText>
  /** Place of each text in the folder, by BCP 47 code. */
  places: Record<string, Place>
  /** Paths of the images that the post shows, its cover first. */
  images: string[]
  findings: Finding[]
  /** Number of the missing and broken images that the post on the service shows. */
  lost: number
}

// Matches `/media/ann/blog_img/01J5….webp`, with the id. Does not match `/media/cat.png`.
const STORED_IMAGE = /^\/media\/[^/]+\/blog_img\/([0-9A-Z]{26})\.webp$/

// Matches the address of an image by the SHA-256 of its file. Does not match `/media/ann/blog_img/01J5….webp`.
const HASHED_IMAGE = /\/media\/[^/\s]+\/blog_img\/([0-9a-f]{64})\.webp/g

/** Returns the address of an image by the hash of its file with as many characters as it gets on the service. */
const shorten = (address: string, sha256: string): string => address.replace(sha256, sha256.slice(0, 26))

/** Returns the id of an image on the service, or the hash of its file. */
const idOf = (sha256: string, stored: StoredImages): string => stored.get(sha256)?.image_id ?? sha256

const isAddress = (reference: string): boolean => /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(reference)

/** Says why a cover is not shown. A broken image has a finding of its own. @param shown see `RewriteContext.findImage` */
const coverFindings = ({ cover, coverLine, source: { file } }: LocalPost, shown: string | null): Finding[] => {
  const warn = (code: string, message: string): Finding[] => [
    { level: "warning", code, message, file, line: coverLine },
  ]
  if (shown === "remote")
    return warn("remote_cover", `The cover ${cover} is on another site. Save it in the folder to show it.`)
  if (shown !== null) return []
  return warn("missing_image", `There is no image ${cover}, the cover. Add the file, or correct the path.`)
}

/**
 * Counts the images that the post on the service shows and this one would not, beyond those that are new: one of them may be lost.
 * @param ids of the images that the post will show; the hash of one that is not on the service
 */
const countLost = (found: ListedPost | undefined, ids: Set<string>): number => {
  const shown = new Set<string | null>(found && [...found.image_ids, found.cover_image_id])
  const lost = [...shown].filter((id) => id !== null && !ids.has(id))
  const added = [...ids].filter((id) => !shown.has(id))
  return Math.max(0, lost.length - added.length)
}

const isAboutImage = ({ code }: Finding): boolean => code === "missing_image" || BROKEN.has(code)

const LOSES =
  "The service shows an image in this post that would be lost. To remove it there, remove the reference here."

/** Makes errors of missing and broken images: a post that would lose an image waits. */
const keepImages = (finding: Finding): Finding =>
  isAboutImage(finding) ? { ...finding, level: "error", message: `${finding.message} ${LOSES}` } : finding

const placeOf = (file: string, { body, lineOf }: Pick<Converted, "body" | "lineOf">): Place => ({
  file,
  // New addresses of links and images end no line, so the lines of the converted text count.
  lineOf: (line) => lineOf(body.split("\n", line - 1).reduce((sum, { length }) => sum + length + 1, 0)),
})

/** Returns the time of a post. One of the service keeps the time that it has if versions before 0.4 gave it, also by finding none. */
const timeOf = ({ published_at, former_at }: LocalPost, found: ListedPost | undefined): string | null => {
  const kept = found?.published_at ?? null
  if (published_at === null || kept === null) return published_at
  return former_at === null || Date.parse(former_at) === Date.parse(kept) ? kept : published_at
}

/** Makes a post as it should be on the service. Images of the folder have the hash of their file for an id: see `withImages`. @param isBroken single line ends are line breaks */
export const toDesired = (
  post: LocalPost,
  { config, library, convertOnce }: Blog,
  { account, there, images: stored }: ServiceState,
  findPost: RewriteContext["findPost"],
  isBroken: boolean,
): DesiredPost => {
  const findings = [...post.findings]
  /** The images by path, with the place that shows each first. */
  const images = new Map<string, Pick<Finding, "file" | "line">>()
  const ids = new Set<string>()
  const use = (reference: string, file: string, line: number): string | null => {
    const [, id] = STORED_IMAGE.exec(reference) ?? []
    if (id !== undefined) {
      ids.add(id)
      return reference
    }
    const path = library.find(reference, file)
    if (path === null) return isAddress(reference) && !library.isOfFolder(reference) ? "remote" : null
    if (!images.has(path)) images.set(path, { file, line })
    const image = library.images.get(path)
    if (!image) return ""
    ids.add(idOf(image.sha256, stored))
    return `/media/${account.username}/blog_img/${image.sha256}.webp`
  }
  const places: DesiredPost["places"] = {}
  const textOf = (lang: string, local: LocalText): DesiredText => {
    const { file, title, meta_description, changed_at } = local
    const text = convertOnce(local)
    places[lang] = placeOf(file, text)
    const { body, findings: found } = rewrite(text, file, { findPost, findImage: use, isBroken })
    findings.push(...text.findings, ...found)
    const bytes = Buffer.byteLength(body.replaceAll(HASHED_IMAGE, shorten))
    if (bytes > MAX_BODY_BYTES && findings.every(({ code }) => code !== "too_complex")) {
      const message = `The text has ${bytes} bytes in UTF-8; the service takes ${MAX_BODY_BYTES}. Split the post.`
      findings.push({ level: "error", code: "too_long", message, file, line: local.bodyLine })
    }
    if (body.trim() === "" && !findings.some((one) => one.file === file && one.level === "error"))
      findings.push({ level: "error", code: "empty_body", message: "The post has no text.", file, line: 1 })
    const description = meta_description ?? (describeWords(text.document.words) || title)
    return { title, meta_description: description, body, ...(changed_at !== null && { changed_at }) }
  }
  const cover = post.cover === null ? "" : use(post.cover, post.source.file, post.coverLine)
  findings.push(...coverFindings(post, cover))
  const published_at = timeOf(post, there.get(post.slug))
  const primary_language = post.primary_language ?? config.primary_language ?? account.primary_language
  const source = textOf(primary_language, post.source)
  const translations = Object.fromEntries(
    Object.entries(post.translations).map(([lang, text]) => [lang, textOf(lang, text)] as const),
  )
  for (const [path, place] of images)
    for (const note of library.notes.get(path) ?? []) findings.push({ ...note, ...place })
  const given = post.translation_languages ?? config.translation_languages
  const languages = given ?? there.get(post.slug)?.translation_languages ?? account.translation_languages
  const byHand = Object.keys(translations)
  const isGiven = post.primary_language !== null || config.primary_language !== null
  // Without a list of its own the folder only adds languages to those that the post has.
  const isListed = given !== null || byHand.some((lang) => !languages.includes(lang))
  const translation_languages = [...new Set([...languages, ...byHand])].filter((lang) => lang !== primary_language)
  const lost = countLost(there.get(post.slug), ids)
  return {
    slug: post.slug,
    file: post.source.file,
    fields: {
      status: post.status,
      categories: post.categories,
      tags: post.tags,
      // The id of an image on the service, or the hash of a file.
      cover_image_id: cover?.startsWith("/") ? posix.basename(cover, ".webp") : null,
      canonical_url: post.canonical_url,
      author_name: post.author_name,
      ...(post.listed !== undefined && { listed: post.listed }),
      ...(post.cover_alt !== undefined && { cover_alt: post.cover_alt }),
      ...(post.cover_caption !== undefined && { cover_caption: post.cover_caption }),
      ...(published_at !== null && { published_at }),
      ...(config.source !== null && { source: config.source }),
      ...(isGiven && { primary_language }),
      ...(isListed && { translation_languages }),
    },
    primary_language,
    source,
    translations,
    places,
    images: [...images.keys()],
    findings: lost > 0 ? findings.map(keepImages) : findings,
    lost: Math.min(lost, findings.filter(isAboutImage).length),
  }
}

/** Gives the images of a post that are on the service their ids and addresses. */
export const withImages = (post: DesiredPost, stored: StoredImages): DesiredPost => {
  const fill = ({ body, ...text }: DesiredText): DesiredText => ({
    ...text,
    body: body.replaceAll(HASHED_IMAGE, (address, sha256: string) => stored.get(sha256)?.image_url ?? address),
  })
  const { cover_image_id: cover } = post.fields
  return {
    ...post,
    fields: { ...post.fields, cover_image_id: cover && idOf(cover, stored) },
    source: fill(post.source),
    translations: Object.fromEntries(Object.entries(post.translations).map(([lang, text]) => [lang, fill(text)])),
  }
}
