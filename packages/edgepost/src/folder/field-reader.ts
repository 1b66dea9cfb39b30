import type { Finding } from "../finding.ts"
import { MAX_AUTHOR_NAME_CHARS, MAX_TRANSLATION_LANGUAGES, MAX_URL_CHARS } from "../limits.ts"
import { pathOnSite } from "../site.ts"
import type { LabelValue, ToolSettings } from "../tools/tool.ts"
import { type ReadDate, readDate } from "./dates.ts"
import { plainText } from "./description.ts"
import {
  dateNames,
  type Field,
  fieldsOf,
  findFields,
  type Meaning,
  namesOf,
  ownName,
  PATH_DATE,
} from "./field-names.ts"
import { cutAtWord } from "./first-words.ts"
import type { FrontMatter } from "./front-matter.ts"
import { labelsOf } from "./labels.ts"
import { knownLanguage } from "./languages.ts"
import { TURNING, asList, asText, clean, targetOf, textIn } from "./values.ts"

// Reads the fields of one file by what they mean, and collects what is to say about them.

/** Matches what may name an image: `a b.png`, `/media/a`, `https://a.example/b?c`. Does not match `On cats and dogs.` or `5`. */
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|tiff?|ico|heic)(?:[?#].*)?$|^[^\s]*\/[^\s]*$/i

/** The cover as it is named, its line, and the fields beside its name that have its words. */
export interface Cover {
  reference: string
  line: number
  words: Partial<Record<"alt" | "caption", string>>
}

/** The values of the field `edgepost`, by which files of `edgepost pull` say that they hold a text as the service stores it. */
export const STORED = { post: "stored post", translation: "stored translation" }

/** Returns a text as it is, but for what the service never stores. Other values: see `asText`. */
const asStored = (value: unknown): string | null =>
  typeof value === "string" && value.isWellFormed() && !value.includes("\0") ? value.normalize("NFC") : asText(value)

export interface FieldOptions {
  timezone: string | null
  now: Date
  /** The date of the file's name, for files that give none. */
  fileDate: string | null
  /** The date that the path gives by the rule of the tool. */
  pathDate: string | null
  /** Versions before 0.4 read no fields of the file. */
  isNewForm: boolean
  /** The tool that makes the blog, and its configuration. */
  settings: ToolSettings
  /** Fields that the tool does not know hide no post. */
  showHidden: boolean
  /** Names of authors by their keys. */
  authors: Record<string, string>
}

/** Returns a date without what tools put around it: `[[2024-03-10]]`, `{ created: 2024-03-10 }`. */
const plainDate = (value: unknown): unknown => {
  const text = targetOf(value)
  // Matches the folders of a link: `Daily/` of `[[Daily/2024-03-10]]`. Does not match `2024/03/10`.
  return typeof text === "string" && text !== value
    ? text.replace(/^(?:.*\/)?(?=\d{4}-)/, "")
    : (textIn(text, ["created", "date"]) ?? text)
}

/** Fields that themes use for other things as well: they count as a date only with one. */
const UNSURE = new Set(["published", "lastmod", "updated", "modified"])

/** A field with a date, and how it is read. */
type FoundDate = Field & { read: ReadDate }

/** Reads the fields of one file, and collects what is to say about them. */
export class FieldReader {
  readonly findings: Finding[] = []
  readonly stored: string | null
  readonly front: FrontMatter
  readonly #file: string
  readonly #asText: (value: unknown) => string | null

  constructor(front: FrontMatter, file: string) {
    this.front = front
    this.#file = file
    this.stored = Object.values(STORED).find((value) => value === front.data["edgepost"]) ?? null
    this.#asText = this.stored === null ? asText : asStored
  }

  say(level: Finding["level"], code: string, message: string, line = 1): void {
    this.findings.push({ level, code, message, file: this.#file, line })
  }

  all(meaning: Meaning): Field[] {
    return findFields(this.front, meaning)
  }

  /** Returns a text of at most `max` characters. */
  text(meaning: Meaning, max: number): string | null {
    for (const { name, value, line } of this.all(meaning)) {
      const given = this.#asText(value)
      const text = given !== null && this.stored === null && meaning !== "slug" ? plainText(given) : given
      if (text === null) this.say("warning", "wrong_type", `\`${name}\` is no text, and is left out.`, line)
      if (!text?.trim()) continue
      const cut = cutAtWord(text, max)
      if (cut !== text) this.say("warning", "too_long", `\`${name}\` has over ${max} characters, and is cut.`, line)
      return cut
    }
    return null
  }

  /** Returns a text in one line; null for a field without a value, which clears it, and undefined without the field. */
  line(meaning: "coverAlt" | "coverCaption", max: number): string | null | undefined {
    const beside = this.cover()?.words[meaning === "coverAlt" ? "alt" : "caption"]
    const text = this.text(meaning, max) ?? (beside === undefined ? null : cutAtWord(plainText(beside), max))
    if (text !== null) return this.#inOneLine(text) || null
    return ownName(meaning) in this.front.data ? null : undefined
  }

  /** Returns a text as the service takes one in one line; a stored one as it is. */
  #inOneLine(text: string): string {
    const line = text.replaceAll(TURNING, "")
    // Matches `\t` and a blank text, which the service never stores. Does not match `A  b`.
    return this.stored === null || /\p{Cc}|^\s*$/u.test(line) ? clean(line) : line
  }

  /** Tells whether a field gives an answer. */
  says(meaning: Meaning, answer: boolean): boolean {
    return this.answers(meaning).includes(answer)
  }

  /** Returns what fields answer. A word that is neither yes nor no is an error: a draft must not be published by mistake. */
  answers(meaning: Meaning): (boolean | null)[] {
    return this.all(meaning).map(({ name, value, line }) => {
      const word = String(typeof value === "boolean" ? value : asText(value)).toLowerCase()
      if (/^(?:true|yes|on|1)$/.test(word)) return true
      if (/^(?:false|no|off|0)$/.test(word)) return false
      // Some tools keep a time in `published`.
      if (meaning !== "published")
        this.say("error", "wrong_type", `\`${name}\` must be true or false, and is ${word}.`, line)
      return null
    })
  }

  labels(meaning: "categories" | "tags", { settings }: FieldOptions, max: number): string[] {
    const field = this.all(meaning).find(({ value }) => !Array.isArray(value) || value.length > 0)
    const isStored = this.stored !== null
    const byTool = isStored ? null : settings.tool.labelsOf?.(meaning, this.front, this.#file, settings)
    const warn = (code: string, message: string) =>
      this.say("warning", code, `\`${field?.name ?? meaning}\` has ${message}`, field?.line)
    const known = byTool?.filter(({ value }) => asList(value ?? []).length > 0) ?? []
    const values: LabelValue[] = known.length > 0 || !field ? known : [field]
    const all = values.flatMap(({ value, isSpaced = false }) => labelsOf(value, { isSpaced, isStored }, warn))
    const labels = [...new Set(all)]
    if (labels.length > max) warn("too_many", `${labels.length} names: the first ${max} are taken.`)
    if (meaning === "categories") return labels.slice(0, max)
    // The service lower-cases tags, and so `Go` and `go` are one.
    const tags = new Set(labels.map((label) => label.toLowerCase()))
    return [...tags].filter((label) => isStored || !settings.tool.isCollection?.(label)).slice(0, max)
  }

  /** Finds the first of some fields with a date, and reads it. @param names in lower case, with `PATH_DATE` for the path */
  findDate(names: string[], { timezone, fileDate, pathDate, settings: { tool } }: FieldOptions): FoundDate | null {
    const path = this.stored === null ? (pathDate ?? fileDate) : null
    const fields = names.flatMap((name) =>
      name === PATH_DATE ? (path === null ? [] : [{ name, value: path, line: 1 }]) : fieldsOf(this.front, [name]),
    )
    for (const field of fields) {
      const { name, value } = field
      if (typeof value === "string" && tool.isFileDate?.(value)) continue
      const isSure = !UNSURE.has(name.toLowerCase())
      const zone = (typeof value === "string" ? tool.zoneOf?.(value) : null) ?? timezone ?? (isSure ? null : "UTC")
      const read = readDate(plainDate(value), zone)
      if (isSure || "time" in read) return { ...field, read }
    }
    return null
  }

  date(meaning: Meaning, options: FieldOptions): { time: number; line: number } | null {
    const { settings } = options
    const names = meaning === "date" ? dateNames(settings.tool.dateFields?.(settings)) : namesOf(meaning)
    const found = this.findDate(names, options)
    if (found === null) return null
    const { name, value, line, read } = found
    if ("time" in read) return { time: read.time, line }
    const given = asText(value) ?? typeof value
    const [code, problem] =
      read.problem === "invalid"
        ? ["invalid_date", `is no date: ${given}. Write it as 2024-01-31 or 2024-01-31T12:00:00Z.`]
        : [
            "date_without_timezone",
            "has a time without an offset. Set `timezone` in edgepost.config.yaml, or add +01:00.",
          ]
    this.say("error", code, `\`${name}\` ${problem}`, line)
    return null
  }

  cover(): Cover | null {
    const NAMES = ["image", "src", "url", "path", "teaser", "relative"]
    for (const { value, line } of this.all("cover")) {
      const linked = targetOf(value)
      const one: unknown = Array.isArray(linked) ? targetOf(linked[0]) : linked
      const text = typeof one === "string" ? one.trim() : textIn(one, NAMES)
      const reference = String(targetOf(text ?? ""))
      const [alt, caption] = ["alt", "caption"].map((name) => textIn(one, [name]))
      if (IMAGE.test(reference)) return { reference, line, words: { ...(alt && { alt }), ...(caption && { caption }) } }
    }
    return null
  }

  author(authors: Record<string, string>): string | null {
    const [field] = this.all("author")
    if (!field) return null
    const names = asList(field.value).map((one) => {
      const text = this.#asText(one)
      if (text === null) return textIn(one, ["name", "title", "key"])
      return this.stored === null && Object.hasOwn(authors, text) ? clean(authors[text] ?? "") : text
    })
    const line = this.#inOneLine(names.filter(Boolean).join(", "))
    const text = this.stored === null ? plainText(line) : line
    if (text === "") this.say("warning", "wrong_type", `\`${field.name}\` has no name, and is left out.`, field.line)
    const cut = cutAtWord(text, MAX_AUTHOR_NAME_CHARS)
    if (cut !== text)
      this.say("warning", "too_long", `\`${field.name}\` is over ${MAX_AUTHOR_NAME_CHARS} characters: cut.`, field.line)
    return cut || null
  }

  canonical(): string | null {
    const [field] = this.all("canonical")
    if (!field) return null
    const text = typeof field.value === "string" ? field.value.trim() : ""
    // Matches `https://a.example/b`. Does not match `http://a.example`.
    if (/^https:\/\/[^\s\0]+$/i.test(text) && URL.canParse(text) && text.length <= MAX_URL_CHARS) return text
    this.say("warning", "invalid_canonical_url", `\`${field.name}\` is no https address, and is left out.`, field.line)
    return null
  }

  /** Returns the code of a language; null if no language has that name. */
  language({ name, line }: Field, value: unknown): string | null {
    const code = this.stored === null ? knownLanguage(asText(value) ?? "") : asText(value) || null
    if (code === null)
      this.say("warning", "unknown_language", `\`${name}\` is no language code such as en or pt-BR.`, line)
    return code
  }

  languages(): string[] | null {
    const [field] = this.all("languages")
    if (!field) return null
    const codes = asList(field.value).flatMap((one) => (typeof one === "string" ? one.split(",") : [one]))
    const known = new Set(codes.map((code) => this.language(field, code)).filter((code) => code !== null))
    return [...known].slice(0, MAX_TRANSLATION_LANGUAGES)
  }

  /** Returns the paths on the blog's site that fields name. Where its address is not known, an alias is one, and each in the blog of a tool. */
  paths({ settings: { url, file } }: FieldOptions, ...meanings: Meaning[]): string[] {
    const texts = meanings
      .flatMap((meaning) => this.all(meaning).flatMap(({ value }) => asList(value).map((path) => ({ path, meaning }))))
      .flatMap(({ path, meaning }) => {
        if (typeof path !== "string") return []
        const isOwn = (meaning === "aliases" || file !== null) && url === null && URL.canParse(path)
        return (isOwn ? new URL(path).pathname : pathOnSite(path, url)) ?? []
      })
    return (
      texts
        // A pattern such as `/:year/{{ title }}/` is no path, and an alias of Obsidian is a name, or a link: `[[a/b]]`.
        .filter((path) => path.includes("/") && !/[:{}]|^\[\[/.test(path))
        .map((path) => `/${path.replace(/^\/+/, "").replace(/(?:^|\/)(?:index\.html?)?$/, "")}`)
    )
  }
}
