import { lstat, mkdir, readFile } from "node:fs/promises"
import { join, resolve } from "node:path"

import { stringify } from "yaml"

import { type Client, EdgepostError, type ListedPost, type Post } from "../client/index.ts"
import { isLanguage } from "../config.ts"
import { STORED } from "../folder/field-reader.ts"
import { sha256 } from "../hash.ts"
import { replaceFile } from "../replace-file.ts"
import { UsageError } from "../usage-error.ts"
import { type Command, openClient, printResult, readConfigHere, requireFolder } from "./context.ts"

/** Texts are written in one line, since not all of them come back as they were from several lines of YAML. */
const YAML = { lineWidth: 0, blockQuote: false, singleQuote: false, doubleQuotedMinMultiLineLength: Infinity }

const toHead = (data: object): string => `---\n${stringify(data, YAML)}---\n`

/** Returns what the Markdown file of a post begins with. With the body behind it, `publish` finds it unchanged; its images stay on the service. */
const headOf = (post: Post | ListedPost): string => {
  const cover = post.cover_image_id && `/media/${post.author}/blog_img/${post.cover_image_id}.webp`
  const data = {
    edgepost: STORED.post,
    title: post.title,
    slug: post.slug,
    status: post.status,
    ...(post.published_at && { published_at: post.published_at }),
    changed_at: post.changed_at,
    ...(!post.listed && { listed: false }),
    categories: post.categories,
    tags: post.tags,
    meta_description: post.meta_description,
    ...(cover && { cover }),
    ...(post.cover_alt && { cover_alt: post.cover_alt }),
    ...(post.cover_caption && { cover_caption: post.cover_caption }),
    ...(post.canonical_url && { canonical_url: post.canonical_url }),
    ...(post.author_name && { author_name: post.author_name }),
    lang: post.primary_language,
    translation_languages: post.translation_languages,
  }
  return toHead(data)
}

type Shown = Pick<Post, "title" | "meta_description" | "changed_at">

/** Returns what the file of a translation begins with. That of a language which the post does not list is a draft, for `publish` would list it. */
const translationHeadOf = ({ title, meta_description, changed_at }: Shown, isListed: boolean): string =>
  toHead({ edgepost: STORED.translation, title, ...(!isListed && { status: "DF" }), changed_at, meta_description })

/** Returns a file as version 0.3 wrote it. */
const asBefore = (file: string): string => file.replace(/^changed_at: .*\n/m, "")

/** Returns a file that is there if it has this head, and a body with this hash; else null. */
const sameFile = (there: string | null, head: string, body_sha256: string | null | undefined): string | null =>
  there?.startsWith(head) && sha256(there.slice(head.length)) === body_sha256 ? there : null

/** Matches the form of a slug: `a-2`. Does not match `../a`, `A` or `a--b`. */
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Returns the name of a text's file. @throws EdgepostError if the service's slug or language has not its form: either could lead elsewhere */
const nameOf = (slug: string, lang_code?: string): string => {
  if (SLUG.test(slug) && (lang_code === undefined || isLanguage(lang_code)))
    return `${[slug, ...(lang_code === undefined ? [] : [lang_code.toLowerCase()])].join(".")}.md`
  const detail = `The service names a post ${JSON.stringify(slug)}${lang_code === undefined ? "" : ` in the language ${JSON.stringify(lang_code)}`}, which is no name of a file. Check the address of the service.`
  throw new EdgepostError({ code: "unexpected_answer", detail })
}

/** Gets a post with its text in a language, by default in the source language. @returns null if there is no such post, or no whole text */
const getText = async (client: Client, slug: string, lang_code?: string): Promise<Post | null> => {
  try {
    return (await client.getPost(slug, lang_code === undefined ? {} : { lang_code })).post
  } catch (error) {
    if (error instanceof EdgepostError && error.status === 404) return null
    throw error
  }
}

async function* getPosts(client: Client, slugs: string[]) {
  for (const slug of slugs) {
    const post = await getText(client, slug)
    if (post) yield post
  }
}

/**
 * Yields the files of posts: of those with the given slugs, or of all. The content is null for a translation that is not complete.
 * @param read returns the file of a name that is there: a text is asked for only if the list of posts tells that it is another one
 */
export async function* filesOf(client: Client, slugs: string[], read: (file: string) => Promise<string | null>) {
  const posts = slugs.length > 0 ? getPosts(client, slugs) : client.paginatePosts()
  for await (const post of posts) {
    const { slug } = post
    const known = "texts" in post ? post.texts : {}
    const file = nameOf(slug)
    const there = await read(file)
    const same = sameFile(there, headOf(post), known[post.primary_language]?.body_sha256)
    const whole = "body" in post ? post : same === null ? (await client.getPost(slug)).post : null
    yield { slug, file, there, content: whole ? `${headOf(whole)}${whole.body ?? ""}` : same }
    for (const { lang_code, edited, listed } of post.translations) {
      if (edited.length === 0) continue
      const summary = known[lang_code]
      const name = nameOf(slug, lang_code)
      const thereToo = await read(name)
      const sameText = summary ? sameFile(thereToo, translationHeadOf(summary, listed), summary.body_sha256) : null
      const text = sameText === null ? await getText(client, slug, lang_code) : null
      // A part of it is not translated, or waits for approval.
      const isWhole = text && ![text.title, text.meta_description, text.body].includes(null)
      const content = isWhole ? `${translationHeadOf(text, listed)}${text.body ?? ""}` : null
      yield { slug, file: name, there: thereToo, content: sameText ?? content }
    }
  }
}

/** Writes posts of the service, and their translations edited by hand, as Markdown files. */
export const pull: Command = async (context) => {
  const { operands, options, cwd, terminal } = context
  const client = openClient(context, readConfigHere(context))
  if (options.output === undefined)
    throw new UsageError("The folder to write to is missing.", "Give it: edgepost pull -o DIR")
  const folder = resolve(cwd, options.output)
  requireFolder(folder)
  await mkdir(folder, { recursive: true })
  const files: { file: string; result: "written" | "unchanged" | "differs" | "incomplete" }[] = []
  const found = new Set<string>()
  const read = async (file: string): Promise<string | null> => {
    const stats = await lstat(join(folder, file)).catch(() => null)
    return stats?.isFile() ? readFile(join(folder, file), "utf8") : null
  }
  for await (const { slug, file, there, content } of filesOf(client, operands, read)) {
    found.add(slug)
    terminal.progress(file)
    if (content === null) {
      files.push({ file, result: "incomplete" })
      continue
    }
    const path = join(folder, file)
    const isKept =
      (there !== null || (await lstat(path).catch(() => null)) !== null) &&
      ![content, asBefore(content)].includes(there ?? "") &&
      !options.force
    if (there !== content && !isKept) await replaceFile(path, content)
    files.push({ file, result: there === content ? "unchanged" : isKept ? "differs" : "written" })
  }
  const missing = operands.filter((slug) => !found.has(slug))
  printResult(context, { files, missing }, () => {
    const count = (result: string) => files.filter((one) => one.result === result).length
    return [
      ...files
        .filter(({ result }) => result === "differs")
        .map(({ file }) => `differs    ${file}: kept. --force replaces it.`),
      ...files
        .filter(({ result }) => result === "incomplete")
        .map(({ file }) => `incomplete ${file}: not written, since a part is not translated. Pull again later.`),
      ...missing.map((slug) => `missing    ${slug}: no such post.`),
      `${count("written")} written, ${count("unchanged")} unchanged in ${folder}.`,
    ].join("\n")
  })
  return missing.length > 0 || files.some(({ result }) => result === "differs" || result === "incomplete") ? 1 : 0
}
