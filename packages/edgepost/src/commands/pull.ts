import { lstat, mkdir, readFile } from "node:fs/promises"
import { join, resolve } from "node:path"

import { stringify } from "yaml"

import { type Client, EdgepostError, type Post } from "../client/index.ts"
import { findRoot, isLanguage, readConfig } from "../config.ts"
import { STORED } from "../folder/field-reader.ts"
import { replaceFile } from "../replace-file.ts"
import { UsageError } from "../usage-error.ts"
import { type Command, openClient, printResult, requireFolder } from "./context.ts"

/** Texts are written in one line, since not all of them come back as they were from several lines of YAML. */
const YAML = { lineWidth: 0, blockQuote: false, singleQuote: false, doubleQuotedMinMultiLineLength: Infinity }

const toFile = (data: object, body: string | null): string => `---\n${stringify(data, YAML)}---\n${body ?? ""}`

/** Returns a post as a Markdown file that `publish` finds unchanged. Its images stay on the service. */
const fileOf = (post: Post): string => {
  const cover = post.cover_image_id && `/media/${post.author}/blog_img/${post.cover_image_id}.webp`
  const data = {
    edgepost: STORED.post,
    title: post.title,
    slug: post.slug,
    status: post.status,
    ...(post.published_at && { published_at: post.published_at }),
    categories: post.categories,
    tags: post.tags,
    meta_description: post.meta_description,
    ...(cover && { cover }),
    ...(post.canonical_url && { canonical_url: post.canonical_url }),
    ...(post.author_name && { author_name: post.author_name }),
    lang: post.primary_language,
    translation_languages: post.translation_languages,
  }
  return toFile(data, post.body)
}

/** Returns a translation as a file. That of a language which the post does not list is a draft, for `publish` would list it. */
const translationOf = ({ lang_code, title, meta_description, translation_languages, body }: Post): string => {
  const status = translation_languages.includes(lang_code) ? {} : { status: "DF" }
  return toFile({ edgepost: STORED.translation, title, ...status, meta_description }, body)
}

/** Matches the form of a slug: `a-2`. Does not match `../a`, `A` or `a--b`. */
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Returns the name of a text's file. @throws EdgepostError if the service's slug or language has not its form: either could lead elsewhere */
const nameOf = (slug: string, lang_code?: string): string => {
  if (SLUG.test(slug) && (lang_code === undefined || isLanguage(lang_code)))
    return `${[slug, ...(lang_code === undefined ? [] : [lang_code.toLowerCase()])].join(".")}.md`
  const detail = `The service names a post ${JSON.stringify(slug)}${lang_code === undefined ? "" : ` in the language ${JSON.stringify(lang_code)}`}, which is no name of a file. Check the address of the service.`
  throw new EdgepostError({ code: "unexpected_answer", detail })
}

/** Gets the text of a post in a language; null while a part of it is not translated, or waits for approval. */
const getText = async (client: Client, slug: string, lang_code: string): Promise<Post | null> => {
  try {
    const { post } = await client.getPost(slug, { lang_code })
    return [post.title, post.meta_description, post.body].includes(null) ? null : post
  } catch (error) {
    if (error instanceof EdgepostError && error.status === 404) return null
    throw error
  }
}

/** Yields the files of posts: of those with the given slugs, or of all. The content is null for a translation that is not complete. */
export async function* filesOf(client: Client, slugs: string[]) {
  for await (const { slug, texts, primary_language } of client.paginatePosts()) {
    if (slugs.length > 0 && !slugs.includes(slug)) continue
    yield { slug, file: nameOf(slug), content: fileOf((await client.getPost(slug)).post) }
    for (const [lang_code, { edited }] of Object.entries(texts)) {
      if (lang_code === primary_language || edited.length === 0) continue
      const file = nameOf(slug, lang_code)
      const post = await getText(client, slug, lang_code)
      yield { slug, file, content: post && translationOf(post) }
    }
  }
}

/** Writes posts of the service, and their translations edited by hand, as Markdown files. */
export const pull: Command = async (context) => {
  const { operands, options, cwd, terminal } = context
  const client = openClient(context, readConfig(findRoot(cwd)))
  if (options.output === undefined)
    throw new UsageError("The folder to write to is missing.", "Give it: edgepost pull -o DIR")
  const folder = resolve(cwd, options.output)
  requireFolder(folder)
  await mkdir(folder, { recursive: true })
  const files: { file: string; result: "written" | "unchanged" | "differs" | "incomplete" }[] = []
  const found = new Set<string>()
  for await (const { slug, file, content } of filesOf(client, operands)) {
    found.add(slug)
    terminal.progress(file)
    if (content === null) {
      files.push({ file, result: "incomplete" })
      continue
    }
    const path = join(folder, file)
    const stats = await lstat(path).catch(() => null)
    const there = stats?.isFile() ? await readFile(path, "utf8") : null
    const isKept = stats !== null && there !== content && !options.force
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
