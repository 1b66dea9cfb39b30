import { expect, it } from "vitest"

import { fieldOf, signIn, whereTo } from "../author-pages/browser.ts"
import { create } from "../calls.ts"
import { passSeconds, stopClock, unique } from "../support.ts"
import { newQueue, receive } from "./receiver.ts"

const PAGE = "/settings/webhooks/"
const URL = "https://hooks.example/edgepost"

it("an author adds an address in the settings, tests it, sends an event again and deletes it", async () => {
  stopClock()
  const queue = newQueue()
  const { browser, ...author } = await signIn({}, queue.vars)
  const all = receive((_, nth) => (nth === 2 ? 500 : 200))
  expect((await browser.get("/settings/")).html).toContain(`href="${PAGE}"`)
  expect(whereTo(await browser.post(PAGE, { url: URL }))).toEqual([303, `${PAGE}?saved=1`])
  const id = fieldOf((await browser.get(PAGE)).html, "id") ?? ""
  expect(whereTo(await browser.post(`${PAGE}test/`, { id }))).toEqual([303, `${PAGE}?saved=1`])
  await queue.run()
  await create(author, { slug: unique("told") }, queue.vars)
  await queue.run()
  const { html } = await browser.get(PAGE)
  expect(html).toContain("last answer 500")
  passSeconds(86_400)
  await queue.run(86_400)
  const event = all[0]?.headers.get("webhook-id") ?? ""
  const again = { id, event }
  expect(whereTo(await browser.post(`${PAGE}send-again/`, again))).toEqual([303, `${PAGE}?saved=1`])
  // It waits already.
  expect(whereTo(await browser.post(`${PAGE}send-again/`, again))).toEqual([303, `${PAGE}?unchanged=1`])
  await queue.run()
  expect(all.map(({ json, headers }) => [json.type, headers.get("webhook-id") === event])).toEqual([
    ["test", true],
    ["post.published", false],
    ["post.published", false],
    ["test", true],
  ])
  expect(whereTo(await browser.post(`${PAGE}delete/`, { id }))).toEqual([303, `${PAGE}?saved=1`])
  expect((await browser.get(PAGE)).html).toContain("There is no address yet.")
})

it("the form of an address keeps what was typed and says what is wrong, and nobody uses the address of another author", async () => {
  const { browser } = await signIn()
  const { status, html } = await browser.post(PAGE, { url: "ftp://hooks.example/" })
  expect([status, fieldOf(html, "url")]).toEqual([400, "ftp://hooks.example/"])
  expect(html).toContain("Must begin with https://.")
  await browser.post(PAGE, { url: URL })
  const id = fieldOf((await browser.get(PAGE)).html, "id") ?? "none"
  const { browser: other } = await signIn()
  for (const action of ["test", "delete"])
    expect(whereTo(await other.post(`${PAGE}${action}/`, { id }))).toEqual([303, `${PAGE}?unchanged=1`])
  expect(fieldOf((await browser.get(PAGE)).html, "id")).toBe(id)
})
