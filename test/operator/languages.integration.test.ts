import { expect, it } from "vitest"

import { setAccount } from "../calls.ts"
import { newAuthor, rows, unique } from "../support.ts"

const fieldsOf = (problems: { field: string; code: string }[]) => problems.map(({ field, code }) => `${field} ${code}`)

it("the operator API refuses codes that are no languages, by their fields, and makes no account", async () => {
  const username = unique("none")
  const languages = { primary_language: "english", translation_languages: ["fr", "FR", "klingon"] }
  const { status, json } = await setAccount({ username }, languages)
  expect([status, json.code]).toEqual([400, "unknown_language"])
  const wrong = ["primary_language unknown_language", "translation_languages.2 unknown_language"]
  expect(fieldsOf(json.errors)).toEqual(wrong)
  expect(await rows("select id from accounts where username = ?", username)).toEqual([])
})

it("the operator API reports other wrong fields before unknown languages", async () => {
  const wrong = { restricted: "yes", primary_language: "english" }
  const { json } = await setAccount({ username: unique("none") }, wrong)
  expect(json.errors).toMatchObject([{ field: "restricted" }])
})

it("the operator API accepts the codes that an account has already, each once", async () => {
  const author = await newAuthor()
  await rows("update accounts set primary_language = 'english' where username = ?", author.username)
  const languages = { primary_language: "english", translation_languages: ["english", "fr", "FR"] }
  const { status, json } = await setAccount(author, languages)
  expect(status).toBe(200)
  expect(json.account).toMatchObject({ primary_language: "english", translation_languages: ["english", "fr"] })
})

it("the operator API warns of a language without a name", async () => {
  const changes = { translation_languages: ["fr", "xx"], other: 1 }
  const { status, json } = await setAccount({ username: unique("made") }, changes)
  const warnings = ["other unknown_field", "translation_languages.1 unnamed_language"]
  expect([status, fieldsOf(json.warnings)]).toEqual([201, warnings])
})
