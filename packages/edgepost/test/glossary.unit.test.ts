import { expect, it } from "vitest"

import { readGlossary, writeGlossary } from "../src/glossary-csv.ts"

const BIG = { term: "Big, “Edge”", keep: true, translations: {}, note: "A product" }
const INVOICE = {
  term: "invoice",
  keep: false,
  translations: { de: "Rechnung", "pt-BR": '"fatura"\nnova' },
  note: null,
}

it("a glossary as CSV is read as it was written, with commas, quotes and line breaks", () => {
  expect(readGlossary(writeGlossary([BIG, INVOICE]))).toEqual([BIG, INVOICE])
  expect(writeGlossary([BIG])).toBe('\uFEFFterm,keep,note\r\n"Big, “Edge”",yes,A product\r\n')
})

it.each([
  ["semicolons and other columns first", "de;Term;keep\nRechnung;invoice;\n;Edge;X\n"],
  ["tabs, CR LF, blanks and empty lines", "term\tkeep\tde\r\n\r\n invoice\tno\tRechnung \r\nEdge\tTrue\t\r\n\t\t\r\n"],
])("a glossary is read with %s", (_name, text) => {
  expect(readGlossary(text)).toEqual([
    { term: "invoice", keep: false, translations: { de: "Rechnung" }, note: null },
    { term: "Edge", keep: true, translations: {}, note: null },
  ])
})

it.each([
  ["word,de\na,b\n", "Line 1: There is no column `term`."],
  ["term,keep,de\nEdge,yes,\n,,b\n", "Line 3: The term is missing."],
  ["term,keep,de\nEdge,maybe,\n", 'Line 2: keep is "maybe"; write yes or nothing.'],
  ["term,keep,de\nEdge,yes,Kante\n", "Line 2: A term that is kept has no translations."],
  ["term,keep,de\nEdge,,\n", "Line 2: Needs a translation, or keep."],
  ["term,German\na,b\n", 'Line 1: The column "German" is there twice, or is no language code such as de.'],
  ["term,de,de\na,b,c\n", 'Line 1: The column "de" is there twice'],
  ["term,keep\n", "Line 1: There are no terms below it."],
  ["", "Line 1: There are no terms below it."],
  ['term,de\n"a,b\n', "The file is no CSV. "],
  ["term,de\na,b,c\n", "The file is no CSV. "],
])("a wrong glossary file is refused with its line: %j", (text, message) => {
  expect(() => readGlossary(text)).toThrow(message)
})
