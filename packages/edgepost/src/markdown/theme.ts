import { NO_TOOL } from "../tools/index.ts"
import type { Markup, Tool, ToolSettings } from "../tools/tool.ts"
import { textAt } from "../tools/values.ts"
import type { Arguments } from "./arguments.ts"
import { knownNameOf, pairOf } from "./elements.ts"
import { type Conversion, conversionOf, keyOfName } from "./shortcodes.ts"
import { writeValue } from "./write.ts"

// Gives shortcodes and variables of the author's theme the meaning that the configuration has for them.

/** The settings that give a theme's names a meaning: of edgepost's configuration and of the blog's tool. */
export interface Theme {
  /** Templates by the names of shortcodes, tags, components and containers; null without any. */
  shortcodes: Record<string, string> | null
  /** Markdown by the paths of variables; null without any. */
  variables: Record<string, string> | null
  /** Single line ends are line breaks; null: as the tool shows them. */
  line_breaks: boolean | null
  settings: ToolSettings
}

export const NO_THEME: Theme = { shortcodes: null, variables: null, line_breaks: null, settings: NO_TOOL }

/** Matches places of a template: `{{0}}`, `{{ id }}`. Does not match `{{ a b }}`. */
const PLACE = /\{\{\s*([\w-]+)\s*\}\}/g
/** Matches the place of what is between two tags. Does not match `{{contents}}`. */
const CONTENT = /\{\{\s*content\s*\}\}/
/** Matches the path of `site.title` and `a.b | upcase`. Does not match `a(1)` and `"a" | b`. */
const PATH = /^[a-z_$][\w$.-]*(?=\s*(?:\||$))/i

/** Puts arguments into a template: by their number, or by their name. Missing ones are empty. */
const fill = (template: string, { positional, named }: Arguments): string =>
  template.replaceAll(PLACE, (_, name: string, at: number) => {
    const value = /^\d+$/.test(name) ? positional[Number(name)] : named.get(name.toLowerCase())
    return writeValue(value ?? "", template.slice(0, at))
  })

/** Writes what stands instead of a tag. @returns the text before its content and after it; null if the content is dropped */
const fillTemplate = (template: string, call: Arguments): [string, string | null] => {
  const [before = "", ...after] = template.split(CONTENT)
  return [fill(before, call), after.length === 0 ? null : fill(after.join(""), call)]
}

/** The names that have a meaning in one text. */
export class Names {
  readonly tool: Tool
  readonly markup: Markup
  readonly #templates: Map<string, string>
  readonly #variables: Map<string, string>
  readonly #page: Record<string, unknown>
  readonly #data: Record<string, unknown>
  /** The values that expressions of the blog's tool can name. */
  readonly #scope: Record<string, unknown>

  /** @param page the front matter of the text @param isMdx its elements hold Markdown */
  constructor(
    { shortcodes, variables, settings: { tool, data } }: Theme,
    page: Record<string, unknown>,
    isMdx = false,
  ) {
    this.tool = tool
    this.markup = { ...(isMdx && { markdownInHtml: "signs" }), ...tool.markup?.(data, page) }
    this.#templates = new Map(Object.entries(shortcodes ?? {}).map(([name, text]) => [keyOfName(name), text]))
    this.#variables = new Map(Object.entries(variables ?? {}))
    this.#page = page
    this.#data = data
    this.#scope = tool.scope ? tool.scope(data, page) : { site: data, page, frontMatter: page }
  }

  /** Returns how a tag becomes text: the author's template wins. Undefined for a tag that only its own tool knows. */
  conversionOf(name: string): Conversion | undefined {
    const template = this.#templates.get(keyOfName(name))
    if (template !== undefined)
      return { as: "template", write: (call) => fillTemplate(template === "keep" ? "{{content}}" : template, call) }
    return keyOfName(name) === "param"
      ? { as: "text", write: ({ positional: [path = ""] }, _, before) => this.#param(path, before) }
      : conversionOf(name)
  }

  /** Returns how a component or a container becomes text, as `conversionOf` does. */
  elementOf(name: string, call: Arguments): Conversion | undefined {
    const key = keyOfName(name)
    return this.conversionOf(name) ?? pairOf(key) ?? conversionOf(knownNameOf(key, call))
  }

  /** Returns the text of an expression such as `site.title`; null if it is unknown. @param before the text before it on its line @param isLiteral the tool does not evaluate it */
  valueOf(expression: string, before: string, isLiteral = false): string | null {
    const given = this.#variables.get(expression) ?? this.#variables.get(PATH.exec(expression)?.[0] ?? "")
    if (given !== undefined || isLiteral) return given ?? null
    const value = textAt(this.#scope, expression)
    return value === null ? null : writeValue(value, before)
  }

  /** Returns a parameter of the page, else of the site. */
  #param(path: string, before: string): string | null {
    const value = textAt(this.#page, `params.${path}`, path) ?? textAt(this.#data, `params.${path}`)
    return value === null ? null : writeValue(value, before)
  }
}
