import { expect, it } from "vitest"

import { routes } from "../../src/routes.ts"
import { Browser, signIn, whereTo } from "../author-pages/browser.ts"
import { again } from "../faults/pages.ts"
import { call, env, passSeconds, rows, stopClock } from "../support.ts"
import { signInOperator } from "./operator.ts"

/** Every page and form of the operator. test/access.integration.test.ts calls them without a session. */
const PAGES = routes
  .map(({ operation }) => operation)
  .filter(({ path }) => path.startsWith("/operator/") && !path.startsWith("/operator/api/"))
const SIGN_IN = [303, "/operator/sign-in/"]
const isIn = async (browser: Browser) => (await browser.get("/operator/")).status === 200

it("signing in with the operator's token opens an operator session, and a wrong token opens none", async () => {
  const browser = new Browser()
  expect((await browser.get("/operator/sign-in/")).html).toContain('type="password"')
  const send = (form: Record<string, string>) => browser.post("/operator/sign-in/", form)
  const wrong = await send({ token: `${env.OPERATOR_TOKEN}x` })
  expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([401, []])
  expect(wrong.html).not.toContain(env.OPERATOR_TOKEN)
  expect((await send({})).status).toBe(400)
  const right = await send({ token: env.OPERATOR_TOKEN })
  expect(whereTo(right)).toEqual([303, "/operator/"])
  expect(right.headers.getSetCookie()).toEqual([expect.stringMatching(/^operator_session=.*HttpOnly; SameSite=Lax/)])
  expect(await isIn(browser)).toBe(true)
  const token_hash = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(await rows("select account_id, token_hash from sessions")).toEqual([{ account_id: null, token_hash }])
})

it("an operator session ends 24 hours after it began, however often it is used", async () => {
  stopClock()
  const browser = await signInOperator()
  for (const seconds of [11 * 3600, 11 * 3600, 2 * 3600 - 1]) {
    passSeconds(seconds)
    expect(await isIn(browser)).toBe(true)
  }
  passSeconds(1)
  expect(whereTo(await browser.get("/operator/"))).toEqual(SIGN_IN)
})

it.each(PAGES.map(({ method, path }) => [method, path] as const))(
  "the operator page %s %s answers 404 if the deployment has no OPERATOR_TOKEN",
  async (method, path) => {
    const address = path.replaceAll(/:\w+/g, "somebody")
    expect((await call(method, address, { env: { OPERATOR_TOKEN: "" } })).json.code).toBe("not_found")
  },
)

it("an operator session ends with a new operator token, at its time limit or on signing out", async () => {
  stopClock()
  const browser = await signInOperator()
  expect(await isIn(again(browser, { OPERATOR_TOKEN: "another-operator-token-of-the-test-suite" }))).toBe(false)
  const copy = again(browser, {})
  expect(await isIn(copy)).toBe(true)
  expect(whereTo(await browser.post("/operator/sign-out/"))).toEqual(SIGN_IN)
  expect(whereTo(await copy.get("/operator/"))).toEqual(SIGN_IN)
  const late = await signInOperator()
  passSeconds(12 * 3600 + 1)
  expect(whereTo(await late.get("/operator/"))).toEqual(SIGN_IN)
})

it("an author's session cookie opens no operator page, and an operator's opens no author page", async () => {
  const { browser: author } = await signIn()
  const operator = await signInOperator()
  const swap = () => {
    const swapped = new Browser()
    swapped.cookies.set("operator_session", author.cookies.get("session") ?? "")
    swapped.cookies.set("session", operator.cookies.get("operator_session") ?? "")
    return swapped
  }
  expect(whereTo(await swap().get("/operator/"))).toEqual(SIGN_IN)
  expect(whereTo(await swap().get("/settings/"))).toEqual([303, "/sign-in/"])
  for (const path of ["/operator/sign-out/", "/sign-out/"]) await swap().post(path)
  expect([await isIn(operator), await isIn(author)]).toEqual([true, false])
  expect((await author.get("/settings/")).status).toBe(200)
  expect((await operator.get("/settings/")).status).toBe(303)
})
