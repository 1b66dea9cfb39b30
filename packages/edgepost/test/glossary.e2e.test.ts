import { readFile } from "node:fs/promises"

import { expect, test } from "vitest"

import { eventually } from "../../../test/e2e/support.ts"
import { newAccount } from "./account.ts"

test("edgepost glossary brings a CSV file into the glossary, says which posts have its terms, and writes it again", async () => {
  const { run, send, write, path } = await newAccount("cli-glossary", { languages: ["fr"] })
  await send("POST", "posts/", {
    slug: "an-invoice",
    status: "DF",
    title: "An invoice",
    meta_description: "Of invoices.",
    body: "Pay it.",
    categories: "Sea",
  })
  const french = "posts/an-invoice/?lang_code=fr"
  await eventually(async () => expect((await send("GET", french)).json.post.title).toBe("An·fr invoice·fr"))
  await write({ "terms.csv": "term;keep;fr\ninvoice;;facture\nEdge;yes;\n" })
  const importing = (...options: string[]) => run(["glossary", "import", path("terms.csv"), ...options])
  expect(await importing()).toMatchObject({
    code: 0,
    stdout: [
      "2 added, 0 changed, 0 removed; 2 terms.",
      "Posts with the words of these terms: 1, translations: 1.",
      "They stay as they are. --retranslate translates them again.\n",
    ].join("\n"),
  })
  expect((await importing()).stdout).toBe("0 added, 0 changed, 0 removed; 2 terms.\n")
  await write({ "terms.csv": "term,fr\ninvoice,note\n" })
  expect((await importing()).stdout).toContain("1 other terms stay; --prune deletes them.")
  const again = await importing("--prune", "--retranslate", "--json")
  expect(JSON.parse(again.stdout)).toEqual({
    added: 0,
    changed: 0,
    removed: 1,
    terms: 1,
    posts: 1,
    translations: 1,
    retranslated: true,
  })
  await eventually(async () => expect((await send("GET", french)).json.post.title).toBe("An·fr note"))
  expect(await run(["glossary", "export"])).toMatchObject({
    code: 0,
    stdout: "\uFEFFterm,keep,note,fr\ninvoice,,,note\n",
  })
  expect((await run(["glossary", "export", path("out.csv")])).stdout).toMatch(/^Wrote 1 terms to .*out\.csv\.\n$/)
  expect(await readFile(path("out.csv"), "utf8")).toBe("\uFEFFterm,keep,note,fr\r\ninvoice,,,note\r\n")
})

test("edgepost glossary says what is wrong with its arguments and files", async () => {
  const { run, write, path } = await newAccount("cli-glossary-wrong")
  await write({ "terms.csv": "term,keep\nEdge,\n" })
  const failing = async (...args: string[]) => {
    const { code, stderr } = await run(["glossary", ...args])
    return `${code} ${stderr}`
  }
  expect(await failing("import", path("terms.csv"))).toMatch(/^2 Line 2: Needs a translation, or keep\.\n/)
  expect(await failing("import", path("none.csv"))).toMatch(/^2 .*none\.csv cannot be read\.\n/)
  expect(await failing("import")).toMatch(/^2 Say what to do with the glossary\.\n/)
  expect(await failing("remove", "x")).toMatch(/^2 Say what to do with the glossary\.\n/)
})
