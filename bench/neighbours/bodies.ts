// Makes bodies of HTML, Markdown, CSV and JSON that may take long to convert: known families and random shapes of markup.
import * as fc from "fast-check"

import { MAX_BODY_BYTES, MAX_MICROPUB_HTML_CHARS } from "../../src/limits.ts"
import { FAMILIES } from "../markdown/families.ts"

type Kind = "html" | "markdown" | "csv" | "json"

export interface Body {
  kind: Kind
  /** The name of its shape with its tokens, for the report. */
  family: string
  text: string
}

/** The outcome of a conversion. */
export interface Outcome {
  /** Why the body was refused, else null. */
  refused: string | null
  /** Steps that the service counted; 0 for the command line, which counts for each parse alone. */
  steps: number
}

/** Characters of the largest body of a kind. */
const MOST: Record<Kind, number> = {
  html: MAX_MICROPUB_HTML_CHARS,
  markdown: MAX_BODY_BYTES,
  csv: MAX_BODY_BYTES,
  json: MAX_BODY_BYTES,
}

const words = (text: string): string[] => text.split(" ").map((each) => each.replaceAll("_", " "))
const TAGS = words(
  "p div blockquote ul ol li table tbody tr td th pre code b i em a sub sup span h2 hr br img details summary figure figcaption dl dt dd math mi svg template select option form iframe script style textarea",
)
const TOKENS: Record<Kind, string[]> = {
  html: [
    ...TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
    ...words(
      '<!-- --> <a_href="/a"> <b_id=1> <p_style="color:red"> <li_value=9> <td_colspan=9> <p_hidden> <a a & &amp; * _ ` [ ] $ {{',
    ),
    "\n",
    " ",
    "a ",
  ],
  markdown: [
    ...words(
      "* ** _ ~~ ` `` ``` ~~~ [ ] ]( ) ![ [^1] [^1]: [a]: <b> </b> <p> <!-- --> <? <a_b=' & &#1 $ $$ | |-| \\ > - + 1. # = --- : :: :::",
    ),
    ...words(
      "{{ }} {{< >}} {% %} {#a} {: [[ ]] %% == ^[ ^a https://a.b www.a a@b.c !!! <T> </T> import_a {/* */} <p_hidden> [toc]",
    ),
    "\n",
    "\n\n",
    " ",
    "    ",
    "\t",
    "a ",
    "\r\n",
    "请",
  ],
  csv: ['"', '""', ",", ";", "\n", "\r\n", "a", "1", " ", "/a", "=a", "|", "|-|", "a,b\n", '"a\nb"', ",,"],
  json: [
    "{",
    "}",
    "[",
    "]",
    '"a":',
    ",",
    '"a"',
    '"',
    "\\",
    "\\u0041",
    "1",
    "-1e9",
    "null",
    " ",
    "\n",
    '{"a":[',
    "]},",
    "#",
    "&a ",
    "*a ",
    "- ",
    "a: ",
    "|\n",
  ],
}

const count = (length: number, unit: (i: number) => string): string => {
  const units: string[] = []
  for (let i = 0, chars = 0; chars < length; i++) {
    const next = unit(i)
    units.push(next)
    chars += next.length
  }
  return units.join("").slice(0, length)
}

/** Makes a text of a length of three short texts. */
const SHAPES: Record<string, (length: number, one: string, other: string, third: string) => string> = {
  repeated: (length, one) => count(length, () => one),
  "in lines": (length, one) => count(length, () => `${one}\n`),
  "in paragraphs": (length, one) => count(length, () => `${one}\n\n`),
  numbered: (length, one, other) => count(length, (i) => `${one}${i}${other}`),
  halves: (length, one, other) => count(length / 2, () => one) + count(length / 2, () => other),
  nested: (length, one, other, third) =>
    count(length / 3, () => one) + count(length / 3, () => third) + count(length / 3, () => other),
  "after few": (length, one, other) => one.repeat(20) + count(length - 20 * one.length, () => other),
  "after many": (length, one, other) => one.repeat(240) + count(length - 240 * one.length, () => other),
  "before one": (length, one, other) => count(length - other.length, () => one) + other,
  "lines after marks": (length, one, other) => count(length, (i) => `${one.repeat(i % 30)}${other}\n`),
}

const sizesOf = (kind: Kind): fc.Arbitrary<number> => fc.constantFrom(1, 1, 2, 2, 4, 8).map((part) => MOST[kind] / part)

const shaped = (kind: Kind): fc.Arbitrary<Body> => {
  const text = fc.array(fc.constantFrom(...TOKENS[kind]), { minLength: 1, maxLength: 4 }).map((all) => all.join(""))
  return fc
    .record({ shape: fc.constantFrom(...Object.keys(SHAPES)), texts: fc.tuple(text, text, text), size: sizesOf(kind) })
    .map(({ shape, texts, size }) => ({
      kind,
      family: `${shape}: ${texts.map((each) => JSON.stringify(each)).join(" ")}`,
      text: SHAPES[shape]?.(size, ...texts).slice(0, size) ?? "",
    }))
}

const familyName = fc.constantFrom(...Object.keys(FAMILIES))
const known: fc.Arbitrary<Body> = fc
  .record({ one: familyName, other: familyName, isMixed: fc.boolean(), size: sizesOf("markdown") })
  .map(({ one, other, isMixed, size }) => ({
    kind: "markdown" as const,
    family: isMixed ? `${one} + ${other}` : one,
    text: isMixed
      ? `${FAMILIES[one]?.(size / 2 - 2)}\n\n${FAMILIES[other]?.(size / 2)}`
      : (FAMILIES[one]?.(size) ?? ""),
  }))

/** Data as posts have it: in a block of code, in a table, or as it is. */
const inText = (kind: "csv" | "json"): fc.Arbitrary<Body> =>
  fc
    .record({ body: shaped(kind), around: fc.constantFrom("fence", "fences", "table", "text") })
    .map(({ body, around }) => {
      const { family, text } = body
      const fence = `\`\`\`${kind}\n${text}\n\`\`\``
      const texts: Record<string, string> = {
        fence,
        fences: text.replaceAll(/[^]{1,8000}/g, (part) => `\`\`\`${kind}\n${part}\n\`\`\`\n\n`),
        table: `|a|b|\n|-|-|\n${text.replaceAll(/[,;]/g, "|")}`,
        text,
      }
      return { kind, family: `${around}: ${family}`, text: (texts[around] ?? "").slice(0, MOST[kind]) }
    })

const BODIES: Record<Kind, fc.Arbitrary<Body>> = {
  html: shaped("html"),
  markdown: fc.oneof(shaped("markdown"), known),
  csv: inText("csv"),
  json: inText("json"),
}

/** Makes bodies of all kinds: of a seed always the same. */
export const makeBodies = (number: number, seed: number): Body[] =>
  fc.sample(fc.oneof(...["html", "html", "markdown", "markdown", "csv", "json"].map((kind) => BODIES[kind as Kind])), {
    numRuns: number,
    seed,
  })
