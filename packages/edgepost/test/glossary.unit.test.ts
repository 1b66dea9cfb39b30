import { expect, it } from "vitest"

import { readGlossary as readBytes, writeGlossary } from "../src/glossary-csv.ts"

const readGlossary = (text: string) => readBytes(Buffer.from(text))

const BIG = { term: "Big, “Edge”", keep: true, translations: {}, note: "A product" }
const INVOICE = {
  term: "invoice",
  keep: false,
  translations: { de: "Rechnung", "pt-BR": '"fatura"\nnova' },
  note: null,
}

it("a glossary as CSV is read as it was written, with commas, quotes and line breaks", () => {
  const onOneLine = { ...INVOICE, translations: { de: "Rechnung", "pt-BR": '"fatura" nova' } }
  expect(readGlossary(writeGlossary([BIG, INVOICE]))).toEqual([BIG, onOneLine])
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

const BAR = { term: "bar", keep: false, translations: { de: "Fähre" }, note: null }
const utf16 = Buffer.from("\uFEFFterm\tkeep\tde\r\nbar\t\tFähre\r\n", "utf16le")

it.each([
  ["Windows-1252", Buffer.from("term;de\r\nbar;Fähre\r\n", "latin1")],
  ["UTF-16 with its mark", utf16],
  ["UTF-16 with the other order of bytes", Buffer.from(utf16).swap16()],
  ["a line sep=;", Buffer.from("sep=;\r\nterm;de\r\nbar;Fähre\r\n")],
  ["a line sep=, and other signs", Buffer.from("SEP=,\nterm,de,pt_BR\nbar,Fähre,\n")],
  ["line breaks in cells", Buffer.from('\uFEFFterm,note,de\n"bar\n","\r\n","\nFähre"\n')],
])("a glossary of a spreadsheet is read with %s", (_name, bytes) => {
  expect(readBytes(bytes)).toEqual([BAR])
})

it("a glossary has the canonical form of a column's language, and line breaks of its notes as blanks", () => {
  expect(readGlossary('term,note,pt_BR,zh_Hant\nbar,"a\nb",c,d\n')).toEqual([
    { ...BAR, translations: { "pt-BR": "c", "zh-Hant": "d" }, note: "a b" },
  ])
})

it.each([
  [Buffer.from("term;cs\na;b\nbar;\u00f8eka\n", "latin1"), "Line 3: This is not UTF-8. Save the file as CSV in UTF-8."],
  [Buffer.from("term\tde\nbar\tx\n", "utf16le"), "Line 1: Holds NUL characters."],
])("a glossary in an encoding that is not known is refused with its line: %j", (bytes, message) => {
  expect(() => readBytes(bytes)).toThrow(message)
})

it.each([
  ['term,de\n"bar\n",a\nx,y\n bar ,b\n', 'Line 5: The term "bar" is in line 2 as well.'],
  ["sep=;\nword;de\na;b\n", "Line 2: There is no column `term`."],
  ["sep=;\nterm;de\na;\n", "Line 3: Needs a translation, or keep."],
  ['term,de,note\n"a\nb",,"c"\n', "Line 2: Needs a translation, or keep."],
  ["term,pt_BR,pt-BR\na,b,c\n", 'Line 1: The column "pt-BR" is there twice'],
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
