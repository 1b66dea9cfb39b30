import { beforeEach, expect, it } from "vitest"

import { fieldOf, newLink, signIn } from "../author-pages/browser.ts"
import { eraseAccount, setAccount } from "../calls.ts"
import { call, env, newAuthor, OPERATOR, passSeconds, rows, stopClock } from "../support.ts"
import { auditLogOf, pathOf, registerAuthor, signInOperator } from "./operator.ts"

beforeEach(() => stopClock())

const entries = (html: string) => html.split("Set hidden").length - 1
const all = () => rows("select * from operator_actions")

it("the operator's audit log has every change by the operator API and no secret", async () => {
  const author = await registerAuthor({ translation_languages: ["fr"] })
  const link = await newLink(author.username)
  await setAccount(author, { hidden: true })
  await eraseAccount(author)
  expect(await auditLogOf(author.username)).toEqual([
    "api set_account paid_until: 2099-01-01T00:00:00.000Z; translation_languages: fr",
    "api make_key default",
    "api make_sign_in_link",
    "api set_account hidden: true",
    "api erase_account",
  ])
  const stored = JSON.stringify(await all())
  for (const secret of [author.key, link.split("/")[2], env.OPERATOR_TOKEN]) expect(stored).not.toContain(secret)
})

it("the operator's audit log has no entries for refused requests or an author's own key rotation", async () => {
  const [{ browser }, unpaid] = [await signIn(), await newAuthor({ paid_until: null })]
  const [before, path] = [await all(), `/operator/api/accounts/${unpaid.username}/`]
  await setAccount(unpaid, { hidden: "yes" })
  await call("PATCH", path, { json: { hidden: true } })
  await call("POST", `${path}keys/`, { headers: OPERATOR })
  await eraseAccount({ username: "nobody" })
  const { html } = await browser.get("/settings/keys/")
  const form = { name: "default", scope: "publish", replaced: fieldOf(html, "replaced") ?? "" }
  expect((await browser.post("/settings/keys/", form)).status).toBe(200)
  expect(await all()).toEqual(before)
})

it("the operator's audit log is shown page by page, newest first, for all accounts or one", async () => {
  const browser = await signInOperator()
  const { username } = await registerAuthor()
  for (let i = 0; i < 52; i++) {
    passSeconds(1)
    await browser.post(`${pathOf(username)}hidden/`, { value: String(i % 2 === 0) })
  }
  const see = async (path: string) => (await browser.get(path)).html
  const first = await see(`/operator/audit-log/?username=${username}`)
  const next = /href="(\/operator\/audit-log\/\?[^"]*cursor[^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? ""
  expect(next).toContain(`username=${username}`)
  const second = await see(next)
  expect([entries(first), entries(second), entries(await see(pathOf(username)))]).toEqual([50, 2, 20])
  expect(second).toContain("Made an API key")
  expect(second).not.toContain("Older entries")
  expect(await see("/operator/audit-log/")).toContain("Older entries")
})
