import type { Finding } from "../finding.ts"
import { readDate } from "./dates.ts"
import { type Field, findFields, findMisspelt, type Meaning } from "./dialects.ts"
import type { FrontMatter } from "./front-matter.ts"

// What the fields of a front matter say, within the limits of the service. What does not fit is cut or left out, with a warning.

const MAX_TITLE_CHARS = 255
const MAX_DESCRIPTION_CHARS = 300
const MAX_AUTHOR_CHARS = 100
const MAX_URL_CHARS = 2000
const MAX_LABEL_CHARS = 64
const MAX_CATEGORIES = 10
const MAX_TAGS = 20
const MAX_SCHEDULE_DAYS = 366
const DAY_MS = 86_400_000

/** Tags by which Eleventy collects its posts; they say nothing to readers. */
const COLLECTIONS = new Set(["posts", "all"])

/** The fields of one file. A list is empty and a text is null if the file does not have it. */
export interface Fields {
  title: string | null
  slug: string | null
  isDraft: boolean
  published_at: string | null
  meta_description: string | null
  cover: string | null
  canonical_url: string | null
  author_name: string | null
  categories: string[]
  tags: string[]
  lang: string | null
  translation_languages: string[] | null
  /** The path that the file gives itself on the old site. */
  permalink: string | null
  /** All paths of the old site that the file names. */
  paths: string[]
  /** Jekyll's `layout: page`: no post of a blog. */
  isPage: boolean
}

export interface FieldOptions {
  timezone: string | null
  now: Date
  /** Labels are separated by spaces, as in Jekyll. */
  isSpaced: boolean
  /** The date of the file's name, for files that give none. */
  fileDate: string | null
  /** Names of authors by their keys, as in Docusaurus. */
  authors: Record<string, string>
}

/** Reads the fields of one file, and collects what is to say about them. */
class FieldReader {
  readonly findings: Finding[] = []
  readonly #front: FrontMatter
  readonly #file: string

  constructor(front: FrontMatter, file: string) {
    this.#front = front
    this.#file = file
  }

  say(level: Finding["level"], code: string, message: string, line = 1): void {
    this.findings.push({ level, code, message, file: this.#file, line })
  }

  all(meaning: Meaning): Field[] {
    return findFields(this.#front, meaning)
  }

  /** Returns a text, cut to `max` characters. */
  text(meaning: Meaning, max: number): string | null {
    for (const { name, value, line } of this.all(meaning)) {
      if (typeof value === "object" || typeof value === "boolean") {
        this.say("warning", "wrong_type", `\`${name}\` is no text, and is left out.`, line)
        continue
      }
      const text = String(value).replaceAll(/\s+/g, " ").trim()
      if (text === "") continue
      if ([...text].length <= max) return text
      this.say("warning", "too_long", `\`${name}\` has more than ${max} characters, and is cut.`, line)
      return `${[...text].slice(0, max - 1).join("")}…`
    }
    return null
  }

  flag(meaning: Meaning): boolean | null {
    for (const { value } of this.all(meaning)) {
      if (typeof value === "boolean") return value
      if (value === "true" || value === "false") return value === "true"
    }
    return null
  }

  labels(meaning: Meaning, isSpaced: boolean, max: number): string[] {
    const [field] = this.all(meaning)
    if (!field) return []
    const { name, value, line } = field
    const list = (Array.isArray(value) ? value.flat(3) : [value]).filter((one) => typeof one !== "object")
    const separator = isSpaced && typeof value === "string" && !value.includes(",") ? /\s+/ : /,/
    const labels = list.flatMap((one) => String(one).split(separator)).map((label) => label.trim())
    const found = [...new Set(labels.filter((label) => label !== ""))]
    const isLong = found.some((label) => [...label].length > MAX_LABEL_CHARS)
    if (isLong) this.say("warning", "too_long", `\`${name}\` has names over ${MAX_LABEL_CHARS} characters: cut.`, line)
    if (found.length > max)
      this.say("warning", "too_many", `\`${name}\` has ${found.length} names: the first ${max} are taken.`, line)
    return found.slice(0, max).map((label) => [...label].slice(0, MAX_LABEL_CHARS).join("").trim())
  }

  date(meaning: Meaning, { timezone, fileDate }: FieldOptions): number | null {
    // Astro's and Jekyll's `published` may be a time or true.
    const fields = this.all(meaning).filter(({ value }) => typeof value === "string" || value instanceof Date)
    // Eleventy takes words instead of a date, such as `Last Modified`.
    const [field] = fields.filter(
      ({ value }) => !(typeof value === "string" && /^(?:git )?(?:last modified|created)$/i.test(value)),
    )
    const value = field?.value ?? (meaning === "date" ? fileDate : null)
    if (value === null || value === undefined) return null
    const [name, line] = [field?.name ?? "the file's name", field?.line ?? 1]
    const read = readDate(value, timezone)
    if ("time" in read) return read.time
    if (read.problem === "invalid")
      this.say(
        "error",
        "invalid_date",
        `\`${name}\` is no date: ${String(value)}. Write it as 2024-01-31 or 2024-01-31T12:00:00Z.`,
        line,
      )
    else
      this.say(
        "error",
        "date_without_timezone",
        `\`${name}\` has a time without an offset. Set \`timezone\` in edgepost.config.yaml, or add one such as +01:00.`,
        line,
      )
    return null
  }

  publishedAt(options: FieldOptions): string | null {
    const time = this.date("date", options)
    if (time === null) return null
    const isRight = time >= 0 && time <= options.now.getTime() + MAX_SCHEDULE_DAYS * DAY_MS
    if (isRight) return new Date(time).toISOString()
    const line = this.all("date")[0]?.line
    this.say(
      "error",
      "date_out_of_range",
      `The date must be from 1970 to ${MAX_SCHEDULE_DAYS} days ahead. Mark the post as a draft, or change it.`,
      line,
    )
    return null
  }

  cover(): string | null {
    for (const { value } of this.all("cover")) {
      const one: unknown = Array.isArray(value) ? value[0] : value
      if (typeof one === "string") return one
      if (typeof one !== "object" || one === null) continue
      const { image, src, url, path, teaser } = one as Record<string, unknown>
      const found = [image, src, url, path, teaser].find((each) => typeof each === "string" && each !== "")
      if (typeof found === "string") return found
    }
    return null
  }

  author(authors: Record<string, string>): string | null {
    const [field] = this.all("author")
    if (!field) return null
    const list: unknown[] = Array.isArray(field.value) ? field.value : [field.value]
    const nameOf = (one: unknown): unknown =>
      typeof one === "object" && one !== null
        ? (one as { name?: unknown; key?: unknown }).name
        : (authors[String(one)] ?? one)
    const names = list.map(nameOf).filter((name) => typeof name === "string" && name.trim() !== "")
    // Control characters are no part of a name.
    const text = names.join(", ").replaceAll(/\p{C}/gu, "").trim()
    return text === "" ? null : [...text].slice(0, MAX_AUTHOR_CHARS).join("")
  }

  canonical(): string | null {
    const [field] = this.all("canonical")
    if (!field) return null
    const text = String(field.value).trim()
    // Matches `https://a.example/b`. Does not match `http://a.example`.
    if (/^https:\/\/\S+$/i.test(text) && URL.canParse(text) && text.length <= MAX_URL_CHARS) return text
    this.say("warning", "invalid_canonical_url", `\`${field.name}\` is no https address, and is left out.`, field.line)
    return null
  }

  isDraft(options: FieldOptions): boolean {
    const [status] = this.all("status")
    const expiry = this.date("expiry", { ...options, fileDate: null })
    const isExpired = expiry !== null && expiry <= options.now.getTime()
    if (isExpired) this.say("warning", "expired", "The post has expired, and is a draft.", this.all("expiry")[0]?.line)
    const isMarked = /^(?:df|draft|private|pending)$/i.test(String(status?.value ?? ""))
    return (
      isMarked ||
      isExpired ||
      this.flag("draft") === true ||
      this.flag("published") === false ||
      this.flag("unlisted") === true
    )
  }

  paths(...meanings: Meaning[]): string[] {
    return (
      meanings
        .flatMap((meaning) => this.all(meaning))
        .flatMap(({ value }): unknown[] => (Array.isArray(value) ? value : [value]))
        .filter((path) => typeof path === "string")
        // A pattern such as `/:year/:title/` is no path.
        .filter((path) => path.includes("/") && !path.includes(":"))
        .map((path) => `/${path.replaceAll(/^\/+|\/+$|index\.html$/g, "")}`)
    )
  }
}

/** Reads the fields of a file. @returns the fields, and what is to say about them */
export const readFields = (
  front: FrontMatter,
  file: string,
  options: FieldOptions,
): { fields: Fields; findings: Finding[] } => {
  const reader = new FieldReader(front, file)
  for (const [name, meant] of findMisspelt(front))
    reader.say("warning", "unknown_field", `\`${name}\` is unknown. Is \`${meant}\` meant?`, front.lines[name])
  const languages = reader.all("languages")[0]?.value
  const fields: Fields = {
    title: reader.text("title", MAX_TITLE_CHARS),
    slug: reader.text("slug", Infinity),
    isDraft: reader.isDraft(options),
    published_at: reader.publishedAt(options),
    meta_description: reader.text("description", MAX_DESCRIPTION_CHARS),
    cover: reader.cover(),
    canonical_url: reader.canonical(),
    author_name: reader.author(options.authors),
    categories: reader.labels("categories", options.isSpaced, MAX_CATEGORIES),
    tags: reader.labels("tags", options.isSpaced, MAX_TAGS).filter((tag) => !COLLECTIONS.has(tag.toLowerCase())),
    lang: reader.text("language", Infinity),
    translation_languages: Array.isArray(languages) ? languages.map(String) : null,
    permalink: reader.paths("permalink")[0] ?? null,
    paths: reader.paths("permalink", "slug", "aliases"),
    isPage: front.data["layout"] === "page",
  }
  return { fields, findings: reader.findings }
}
