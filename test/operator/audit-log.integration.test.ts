import { describe, expect, it } from "vitest"

import { fieldOf, newLink, signIn } from "../author-pages/browser.ts"
import { call, env, newAuthor, OPERATOR, passSeconds, rows, stopClock } from "../support.ts"
import { pathOf, signInOperator, auditLogOf } from "./operator.ts"

const entries = (html: string) => html.split("Set hidden").length - 1
describe("the audit log", () => {
  it("the operator's audit log has every change by the operator API and no secret", async () => {
    stopClock()
    const { username, key } = await newAuthor({ translation_languages: ["fr"] })
    passSeconds(1)
    const link = await newLink(username)
    passSeconds(1)
    await call("PATCH", `/operator/api/accounts/${username}/`, { headers: OPERATOR, json: { hidden: true } })
    passSeconds(1)
    await call("DELETE", `/operator/api/accounts/${username}/`, { headers: OPERATOR })
    expect((await auditLogOf(username)).toSorted()).toEqual(
      [
        "api set_account paid_until: 2099-01-01T00:00:00.000Z; translation_languages: fr",
        "api make_key default",
        "api make_sign_in_link",
        "api set_account hidden: true",
        "api erase_account",
      ].toSorted(),
    )
    const all = JSON.stringify(await rows("select * from operator_actions"))
    for (const secret of [key, link.split("/")[2] ?? "none", env.OPERATOR_TOKEN]) expect(all).not.toContain(secret)
  })

  it("the operator's audit log has no entries for refused requests", async () => {
    const { username } = await newAuthor({ paid_until: null })
    const before = await rows("select * from operator_actions")
    const path = `/operator/api/accounts/${username}/`
    await call("PATCH", path, { headers: OPERATOR, json: { hidden: "yes" } })
    await call("PATCH", path, { json: { hidden: true } })
    await call("POST", `${path}keys/`, { headers: OPERATOR })
    await call("DELETE", "/operator/api/accounts/nobody/", { headers: OPERATOR })
    expect(await rows("select * from operator_actions")).toEqual(before)
  })

  it("the operator's audit log has no entry for an author's own key rotation", async () => {
    const { browser, username } = await signIn()
    const before = await auditLogOf(username)
    const { html } = await browser.get("/settings/keys/")
    const form = { name: "default", scope: "publish", replaced: fieldOf(html, "replaced") ?? "" }
    expect((await browser.post("/settings/keys/", form)).status).toBe(200)
    expect(await auditLogOf(username)).toEqual(before)
  })

  it("the operator's audit log is shown page by page, newest first, for all accounts or one", async () => {
    stopClock()
    const browser = await signInOperator()
    const { username } = await newAuthor()
    for (let i = 0; i < 52; i++) {
      passSeconds(1)
      await browser.post(`${pathOf(username)}hidden/`, { value: String(i % 2 === 0) })
    }
    const first = await browser.get(`/operator/audit-log/?username=${username}`)
    expect(entries(first.html)).toBe(50)
    const next =
      /href="(\/operator\/audit-log\/\?[^"]*cursor[^"]*)"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? ""
    expect(next).toContain(`username=${username}`)
    const second = await browser.get(next)
    expect(entries(second.html)).toBe(2)
    expect(second.html).toContain("Made an API key")
    expect(second.html).not.toContain("Older entries")
    expect((await browser.get("/operator/audit-log/")).html).toContain("Older entries")
    expect(entries((await browser.get(pathOf(username))).html)).toBe(20)
  })
})
