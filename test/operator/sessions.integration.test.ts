import { describe, expect, it } from "vitest"

import { Browser, signIn } from "../author-pages/browser.ts"
import { call, env, passSeconds, rows, stopClock } from "../support.ts"
import { signInOperator } from "./operator.ts"

/** Every page and form that requires an operator session. */
const PATHS: [method: "GET" | "POST", path: string][] = [
  ["GET", "/operator/"],
  ["GET", "/operator/audit-log/"],
  ["GET", "/operator/accounts/somebody/"],
  ["GET", "/operator/accounts/somebody/posts/"],
  ["POST", "/operator/accounts/"],
  ...["sign-in-links", "paid-until", "restricted", "hidden", "unpublish"].map((last): ["POST", string] => [
    "POST",
    `/operator/accounts/somebody/${last}/`,
  ]),
]

describe("operator sessions", () => {
  it("signing in with the operator's token opens an operator session, and a wrong token opens none", async () => {
    const browser = new Browser()
    expect((await browser.get("/operator/sign-in/")).html).toContain('type="password"')
    const wrong = await browser.post("/operator/sign-in/", { token: `${env.OPERATOR_TOKEN}x` })
    expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([401, []])
    expect(wrong.html).not.toContain(env.OPERATOR_TOKEN)
    expect((await browser.post("/operator/sign-in/", {})).status).toBe(400)
    const right = await browser.post("/operator/sign-in/", { token: env.OPERATOR_TOKEN })
    expect([right.status, right.headers.get("Location")]).toEqual([303, "/operator/"])
    expect(right.headers.getSetCookie()).toEqual([expect.stringMatching(/^operator_session=.*HttpOnly; SameSite=Lax/)])
    expect((await browser.get("/operator/")).status).toBe(200)
    expect(await rows("select account_id, token_hash from sessions")).toEqual([
      { account_id: null, token_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
  })

  it("an operator session ends 24 hours after it began, however often it is used", async () => {
    stopClock()
    const browser = await signInOperator()
    for (let i = 0; i < 2; i++) {
      passSeconds(11 * 3600)
      expect((await browser.get("/operator/")).status).toBe(200)
    }
    passSeconds(2 * 3600 - 1)
    expect((await browser.get("/operator/")).status).toBe(200)
    passSeconds(1)
    expect((await browser.get("/operator/")).headers.get("Location")).toBe("/operator/sign-in/")
  })

  it.each(PATHS)(
    "the operator page %s %s redirects to the sign-in page without an operator session",
    async (method, path) => {
      const form = { body: new URLSearchParams(), headers: { Origin: "http://localhost:8787" } }
      expect((await call(method, path, method === "POST" ? form : {})).json.code).toBe("sign_in_required")
      const browser = new Browser()
      const sent = await (method === "GET" ? browser.get(path) : browser.post(path))
      expect([sent.status, sent.headers.get("Location")]).toEqual([303, "/operator/sign-in/"])
    },
  )

  it.each([
    ...PATHS,
    ["GET", "/operator/sign-in/"],
    ["POST", "/operator/sign-in/"],
    ["POST", "/operator/sign-out/"],
  ] as const)("the operator page %s %s answers 404 if the deployment has no OPERATOR_TOKEN", async (method, path) => {
    expect((await call(method, path, { env: { OPERATOR_TOKEN: "" } })).json.code).toBe("not_found")
  })

  it("an operator session ends with a new operator token, at its time limit or on signing out", async () => {
    stopClock()
    const OPERATOR_TOKEN = "another-operator-token-of-the-test-suite"
    const before = await signInOperator()
    const changed = new Browser({ OPERATOR_TOKEN })
    for (const [name, value] of before.cookies) changed.cookies.set(name, value)
    expect((await before.get("/operator/")).status).toBe(200)
    expect((await changed.get("/operator/")).status).toBe(303)
    const cookies = new Map(before.cookies)
    expect((await before.post("/operator/sign-out/")).headers.get("Location")).toBe("/operator/sign-in/")
    for (const [name, value] of cookies) before.cookies.set(name, value)
    expect((await before.get("/operator/")).status).toBe(303)
    const late = await signInOperator()
    passSeconds(12 * 3600 + 1)
    expect((await late.get("/operator/")).status).toBe(303)
  })

  it("an author's session cookie opens no operator page, and an operator's opens no author page", async () => {
    const { browser: author } = await signIn()
    const operator = await signInOperator()
    const [session = ""] = author.cookies.values()
    const [operatorSession = ""] = operator.cookies.values()
    const swapped = new Browser()
    swapped.cookies.set("operator_session", session)
    swapped.cookies.set("session", operatorSession)
    expect((await swapped.get("/operator/")).headers.get("Location")).toBe("/operator/sign-in/")
    expect((await swapped.get("/settings/")).headers.get("Location")).toBe("/sign-in/")
    await swapped.post("/operator/sign-out/")
    for (const [name, value] of [
      ["operator_session", session],
      ["session", operatorSession],
    ] as const)
      swapped.cookies.set(name, value)
    await swapped.post("/sign-out/")
    expect((await author.get("/settings/")).status).toBe(200)
    expect((await operator.get("/operator/")).status).toBe(200)
    expect((await author.get("/operator/")).status).toBe(303)
    expect((await operator.get("/settings/")).status).toBe(303)
  })
})
