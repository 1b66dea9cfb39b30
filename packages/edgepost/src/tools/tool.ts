import type { Finding } from "../finding.ts"
import type { Folder } from "../folder/files.ts"
import type { FrontMatter } from "../folder/front-matter.ts"
import type { Reading } from "../folder/languages.ts"
import type { LeftOut } from "../folder/post.ts"
import type { Edit } from "../markdown/edits.ts"

/** The configuration of a blog, as its folder has it. */
export interface Site {
  folder: Folder
  /** Path of the configuration file from the folder's root. */
  file: string
  /** Folder of the site from the folder's root, with `/` at its end; "" for the root itself. */
  base: string
}

/** The tool that makes the blog, and what its configuration says. */
export interface ToolSettings {
  tool: Tool
  /** Path of its configuration file from the folder's root; null without one. */
  file: string | null
  /** Folder of the site from the folder's root, with `/` at its end; "" for the root itself. */
  base: string
  title: string | null
  /** Absolute address of the site with its base path, which ends with `/`. */
  url: string | null
  /** IANA name of the zone of dates without an offset, for `edgepost init`; null if it is that of the author's machine, or unknown. */
  timezone: string | null
  /** BCP 47 codes, the main one first. */
  languages: string[]
  /** Folder of the posts from the folder's root, such as `content`; null if it is not there. */
  contentFolder: string | null
  /** The configuration and its files of data, as far as they are data (YAML, TOML, JSON). Code is never run. */
  data: Record<string, unknown>
  /** The question that the author must answer before the first publication of the folder; null without one. */
  question: string | null
  /** The question stands before each new post: nothing in the folder says for good which of its files are for readers. */
  asksAgain: boolean
  /** A single line end is a line break on the pages of the tool, or only in the app in which the author writes; null elsewhere. */
  lineBreaks: "shown" | "in the app" | null
  /** The app for notes that has written the folder, also where it is not read by its rules; null for others. */
  app: Pick<Tool, "name" | "skipsNote"> | null
}

/** The facts of a configuration as it has them, not checked. */
export interface Configuration extends Pick<ToolSettings, "title" | "url" | "timezone" | "languages" | "data"> {
  /** Path of the site below its address; null if the address has it. */
  path?: string | null
  /** Folder of the posts, from the folder of the configuration. */
  contentFolder: string
  /** A single line end is a line break. */
  breaksLines?: boolean
  /** Names of settings that hide files, whose values are code, which is not run. */
  unread?: string[]
}

/** Fields that a folder gives the files at a place, or why they cannot be read. */
export interface GivenFields {
  /** A folder, or a file with or without its extension; "." for all. */
  place: string
  /** Pattern of the files that are meant; null for all. */
  target: string | null
  /** Folder from which `target` counts. */
  base: string
  /** Tells which of these files are meant; all without it. */
  isOf?: (file: string) => boolean
  /** BCP 47 code of the texts that are meant; null for all. */
  lang: string | null
  fields: Record<string, unknown> | Error
}

/** The parts of a page of which a tool makes addresses. */
export interface Addressed {
  file: string
  lang: string | null
  title: string
  slug: string | null
  /** As the site's clock shows it, `2024-01-02T03:04:05`; null without one. */
  date: string | null
  categories: string[]
  tags: string[]
  data: Record<string, unknown>
}

/** A part of a text that stands in another file. */
export interface Inclusion {
  /** Paths from the folder's root at which it may be, the likeliest first. */
  paths: string[]
  /** The first and the last of its lines, from 1: `4-9`, `4,`, `:9`; all without them. */
  lines?: string | undefined
  /** Name of the region that is meant. */
  region?: string | undefined
  /** Language of the code that it is shown as, "" for that of its name; undefined for a text. */
  code?: string
}

/** Syntax by which a tool puts parts into a text. */
export interface InclusionSyntax {
  /** Matches it, global. */
  pattern: RegExp
  /** Reads what it names; nothing if it stays as it is. */
  read: (
    match: RegExpMatchArray,
    place: { file: string; data: Record<string, unknown>; settings: ToolSettings },
  ) => Inclusion[]
  /** It counts in code as well. */
  inCode?: boolean
  /** A tag, whose first part is the name of a file without logic. Where it cannot be included, it is syntax of another tool. */
  isForeign?: boolean
}

/** Tells why no page is made of a file; null if one may be made. */
export type FileRule = (file: string) => string | null

/** A value with labels, as a front matter has it. */
export interface LabelValue {
  value: unknown
  /** Blanks separate the names of a text, as commas do. */
  isSpaced?: boolean
}

/** The signs around a formula. */
export interface FormulaSigns {
  open: string
  close: string
  isBlock: boolean
  /** Matches in what is a formula; all are without it. */
  sign?: RegExp
}

/** What a tool draws of a text beside the Markdown of GitHub. */
export interface Markup {
  /** The elements of HTML that hold Markdown: those with the attribute `markdown`, those with signs of it, or all. */
  markdownInHtml?: "marked" | "signs" | "all"
  /** Tables without a head, `^` alone on its line, `$$` within a line, classes of notices. */
  isKramdown?: boolean
  /** The signs around formulas. */
  formulas?: FormulaSigns[]
  /** Lines that explain an abbreviation, `*[HTML]: Hyper`, are not shown. */
  hasAbbreviations?: boolean
  /** A line that begins with `: ` describes the one above it. */
  hasDefinitions?: boolean
  /** Names between colons are characters: `:tada:`. */
  hasEmoji?: boolean
  /** The braces that stay as written, since the tool does not evaluate them: those of values, `{{ a }}`, or all. */
  literalBraces?: "values" | "all"
  /** Links between notes begin with their text: `[[text|note]]`. */
  linksBeginWithText?: boolean
}

/** Syntax that the service does not have. */
export interface Lack extends Pick<Finding, "level" | "message"> {
  /** Its place in the text. The message goes on after it. */
  at: number
}

/** What a tool is: how it is recognised, and what it does differently from others. Paths are from the folder's root. */
export interface Tool {
  /** The name for people. */
  name: string
  /** The rules of a folder without a tool count where it has none of its own. */
  isOfNotes?: boolean
  /** Reads a configuration. Null if it is another tool's. */
  read?: (site: Site) => Promise<Configuration | null>

  /** Tells which files are left out because their form is not read. */
  unread?: (settings: ToolSettings) => FileRule
  /** Tells which files are left out because the tool makes no page of them, by their paths. */
  skipsFile?: (folder: Folder, settings: ToolSettings) => FileRule | Promise<FileRule>
  /** Splits a file whose fields do not stand in a front matter. Null for other files. */
  splitFields?: (text: string, file: string) => FrontMatter | null
  /** Tells why no page is made of a file with these fields. */
  skipsPost?: (front: FrontMatter, file: string, settings: ToolSettings) => Omit<LeftOut, "file"> | null
  /** Tells why a note is not for readers, whatever its fields say: a new one is left out. @param publishesAll the author says that all notes are for readers */
  skipsNote?: (front: FrontMatter, file: string, publishesAll: boolean) => string | null
  /** Reads the fields that folders and the configuration give posts. */
  givenFields?: (folder: Folder, settings: ToolSettings) => Promise<GivenFields[]>
  /** Matches the file that names authors by keys. */
  authors?: RegExp

  /** Tells why a file is left out, unless it or a folder above it is asked for by its path. */
  skipsUnasked?: (settings: ToolSettings) => FileRule
  /** Tells whether a file is a page of the site, and no post: a new one is in no list. */
  isPageFile?: (file: string, settings: ToolSettings) => boolean

  /** Lists the values that have the labels of a file; null if they are those of the first field. */
  labelsOf?: (
    meaning: "categories" | "tags",
    front: FrontMatter,
    file: string,
    settings: ToolSettings,
  ) => LabelValue[] | null
  /** Tells whether a tag only collects pages, and says nothing to readers. */
  isCollection?: (tag: string) => boolean
  /** Names the fields of a date: the first that is there counts. `:filename` stands for the date of the path. */
  dateFields?: (settings: ToolSettings) => string[]
  /** Returns the date that a path gives in its folders, or in a name without a day, as `2024-1-31`. */
  dateOfPath?: (file: string) => string | null
  /** Tells whether a file without a date has that of the first commit with it. */
  isDatedByCommit?: (file: string) => boolean
  /** Tells whether a text in place of a date leaves the date to the file. */
  isFileDate?: (text: string) => boolean
  /** Names the zone of a date without an offset, if it is not that of the site. */
  zoneOf?: (date: string) => string | null
  /** Returns a link or an image's path without what the tool writes before the path of a file. @param page the front matter */
  pathOfLink?: (href: string, settings: ToolSettings, page?: Record<string, unknown>) => string
  /** Tells whether `share: false` hides a post. Without an answer it did before 0.4, and a draft of the service stays one. */
  hidesByShare?: boolean
  /** Tells whether a file that has nothing but a date as its name is a note of that day. */
  hasDailyNotes?: boolean
  /** Names, in lower case, the fields by which the tool hides a page. Without the rule the blog's theme decides. */
  hidesBy?: string[]
  /** Names the fields of which a page needs one with yes to be public; null if all pages are. */
  publishesBy?: (settings: ToolSettings) => string[] | null

  /** Reads a path as that of a text in one of the blog's languages. */
  translationOf?: (path: string, settings: ToolSettings) => Reading | null
  /** Names what the texts of a post in several languages have in common, if not their paths. */
  pairOf?: (front: FrontMatter) => string | null
  /** Names of folders that say where posts are, and not what they are about. */
  roots?: string[]
  /** Returns the paths below the site's address at which the tool shows a page, the surest first; none if they cannot be known. */
  addressesOf?: (page: Addressed, settings: ToolSettings, files: ReadonlySet<string>) => string[]

  /** Writes blocks of the tool as Markdown, or as containers between `:::`. */
  blocks?: (body: string, file: string, data: Configuration["data"]) => Edit[]
  /** Lists the syntax in a text that the service does not have, the first of each kind. */
  lacks?: (body: string) => Lack[]
  /** Returns what the tool shows instead of code: "" if the author wrote none of that, null for the code. `sign` matches a text with such code. */
  shownCode?: { sign: RegExp; of: (source: string) => string | null }
  /** Tells which comments readers do not see, by their starts, of those that some tools show. */
  comments: ("%%" | "^" | "{#" | "{/*")[]
  /** Tells what the tool draws of a text beside Markdown. @param page the front matter */
  markup?: (data: Configuration["data"], page: Record<string, unknown>) => Markup
  /** A single line end is a line break, whatever the configuration says. */
  breaksLines?: boolean
  /** Lists the syntax that puts parts of other files into a text. */
  inclusions?: InclusionSyntax[]
  /** Shortcodes are calls with parentheses, `{{ a(b="c") }}`, and those around a text end with `{% end %}`. */
  hasCalls?: boolean
  /** Returns the values that expressions in a text can name. @param page the front matter */
  scope?: (data: Configuration["data"], page: Record<string, unknown>) => Record<string, unknown>
}
