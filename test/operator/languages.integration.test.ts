import { expect, it } from "vitest"

import { call, env, newAuthor, OPERATOR, rows, unique } from "../support.ts"

const patchAccount = (username: string, json: object) =>
  call("PATCH", `/operator/api/accounts/${username}/`, { headers: OPERATOR, json })

it("the operator API refuses codes that are no languages, by their fields, and makes no account", async () => {
  const username = unique("none")
  const { status, json } = await patchAccount(username, {
    primary_language: "english",
    translation_languages: ["fr", "FR", "klingon"],
  })
  expect([status, json.code]).toEqual([400, "unknown_language"])
  expect(json.errors.map(({ field }: { field: string }) => field)).toEqual([
    "primary_language",
    "translation_languages.2",
  ])
  expect(await rows("select id from accounts where username = ?", username)).toEqual([])
})

it("the operator API reports other wrong fields before unknown languages", async () => {
  const { json } = await patchAccount(unique("none"), { restricted: "yes", primary_language: "english" })
  expect(json.errors.map(({ field }: { field: string }) => field)).toEqual(["restricted"])
})

it("the operator API accepts the codes that an account has already, each once", async () => {
  const { username } = await newAuthor()
  await env.DB.prepare("update accounts set primary_language = 'english' where username = ?").bind(username).run()
  const languages = { primary_language: "english", translation_languages: ["english", "fr", "FR"] }
  const { status, json } = await patchAccount(username, languages)
  expect(status).toBe(200)
  expect(json.account).toMatchObject({ primary_language: "english", translation_languages: ["english", "fr"] })
})

it("the operator API warns of a language without a name", async () => {
  const { status, json } = await patchAccount(unique("made"), { translation_languages: ["fr", "xx"], other: 1 })
  expect([status, json.warnings.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)]).toEqual(
    [201, ["other unknown_field", "translation_languages.1 unnamed_language"]],
  )
})
