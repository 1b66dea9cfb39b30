import { convert } from "../../src/markdown/convert.ts"
import { rewrite, type RewriteContext } from "../../src/markdown/rewrite.ts"
import { NO_THEME, type Theme } from "../../src/markdown/theme.ts"

interface Options {
  file?: string
  title?: string
  bodyLine?: number
  isStored?: boolean
  /** The front matter. */
  data?: Record<string, unknown>
  theme?: Partial<Theme>
}

export const textOf = (body: string, options: Options = {}) => ({
  file: "posts/a.md",
  title: "Title",
  bodyLine: 1,
  isStored: false,
  ...options,
  body,
  data: options.data ?? {},
  meta_description: "",
  changed_at: null,
})

export const convertText = (body: string, options: Options = {}) =>
  convert(textOf(body, options), { ...NO_THEME, ...options.theme })

/** Converts a text. @returns its body, and its findings as `line code`, after a line `!` */
export const converted = (body: string, options?: Options): string => {
  const { body: result, findings } = convertText(body, options)
  return [
    result,
    ...findings.map(
      ({ line, message }) => `! ${line} ${message.split(/ is syntax of| has no end tag| has an address that/)[0]}`,
    ),
  ].join("\n")
}

/** Converts and rewrites a text. Nothing is found unless the context says so. */
export const rewritten = (body: string, context: Partial<RewriteContext> = {}, options: Options = {}) => {
  const text = textOf(body, options)
  return rewrite(convert(text, { ...NO_THEME, ...options.theme }), text.file, {
    findPost: () => null,
    findImage: () => null,
    isBroken: false,
    ...context,
  })
}

/** Like `rewritten`. @returns the body, and the findings as `! line code` */
export const shown = (body: string, context?: Partial<RewriteContext>, options?: Options): string => {
  const { body: result, findings } = rewritten(body, context, options)
  return [result, ...findings.map(({ level, line, code }) => `! ${line} ${level} ${code}`)].join("\n")
}
