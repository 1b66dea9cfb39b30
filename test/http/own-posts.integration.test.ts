import { beforeAll, describe, expect, it } from "vitest"

import { isPagePost } from "../../src/http/operation.ts"
import { routes } from "../../src/routes.ts"
import { newLink, signIn } from "../author-pages/browser.ts"
import { signInOperator } from "../operator/operator.ts"
import { dumpStorage } from "../storage.ts"
import { fetchWorker, newPost, ORIGIN } from "../support.ts"

const TYPES = {
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data; boundary=x",
  json: "application/json",
  text: "text/plain",
  none: "",
}
const ORIGINS = { none: "", foreign: "https://evil.example", null: "null", own: ORIGIN }

/** Every combination of an origin and a content type. */
const SENT = Object.values(ORIGINS).flatMap((Origin) => Object.values(TYPES).map((type) => ({ Origin, type })))

const posts = routes.map(({ operation }) => operation).filter(isPagePost)

let values: Record<string, string>
let Cookie: string
beforeAll(async () => {
  const { browser, ...author } = await signIn()
  const operator = await signInOperator()
  const { slug } = await newPost(author, { status: "DF" })
  const link = await newLink(author.username)
  values = { username: author.username, slug, lang_code: "fr", secret: link.split("/")[2] ?? "" }
  Cookie = [...browser.cookies, ...operator.cookies].map((cookie) => cookie.join("=")).join("; ")
})

describe.each(posts.map((operation) => [operation.path, operation] as const))("a POST to %s", (path, operation) => {
  const taken = operation.contentType ?? TYPES.json
  const send = async ({ Origin, type }: (typeof SENT)[number], headers: Record<string, string>) => {
    const address = path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? "")
    const sent = { ...headers, ...(Origin && { Origin }), ...(type && { "Content-Type": type }) }
    const request = new Request(`${ORIGIN}${address}`, { method: "POST", headers: sent, redirect: "manual" })
    const answer = await fetchWorker(request)
    return answer.status < 400 ? answer.status : (await answer.json<{ code: string }>()).code
  }

  it("is refused unless its Origin is the own one, and its content type the one of the address", async () => {
    const before = await dumpStorage()
    for (const sent of SENT) {
      if (sent.Origin === ORIGIN && sent.type.split(";")[0] === taken) continue
      const code = sent.Origin === ORIGIN ? "unsupported_media_type" : "cross_site"
      // A browser says so of a request that another page of the site has started.
      const outcome = await send(sent, { Cookie, "Sec-Fetch-Site": "same-origin" })
      expect(outcome, JSON.stringify(sent)).toBe(code)
    }
    expect(await dumpStorage()).toEqual(before)
  })

  it("passes with its Origin and content type", async () => {
    const outcome = await send({ Origin: ORIGIN, type: taken }, {})
    expect(["cross_site", "unsupported_media_type"]).not.toContain(outcome)
  })
})
