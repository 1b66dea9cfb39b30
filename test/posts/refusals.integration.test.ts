import { expect, it } from "vitest"

import { MAX_REFUSED_BODIES, REFUSED_BODIES_SECONDS } from "../../src/limits.ts"
import { signIn } from "../author-pages/browser.ts"
import { formTo } from "../author-pages/forms.ts"
import { API, type Author, call, newAuthor, newPost, passSeconds, postInput, stopClock } from "../support.ts"

const TOO_DEEP = "> ".repeat(101)

const create = async ({ key }: Author, body: string) => {
  const json = postInput({ body })
  return call("POST", `${API}/posts/`, { key, json })
}

it("after ten too complex post bodies in a minute an account gets 429 until the minute ends", async () => {
  stopClock()
  const [ann, ben] = [await newAuthor(), await newAuthor()]
  const { slug } = await newPost(ann)
  for (let i = 0; i < MAX_REFUSED_BODIES; i++) expect((await create(ann, TOO_DEEP)).json.code).toBe("body_too_complex")
  const { status, json, headers } = await create(ann, "Words.")
  expect([status, json.code, headers.get("Retry-After")]).toEqual([429, "rate_limited", `${REFUSED_BODIES_SECONDS}`])
  const change = { lang_code: "en", primary_language: "en", translation_languages: [], title: "t" }
  const patch = () => call("PATCH", `${API}/posts/${slug}/`, { key: ann.key, json: change })
  expect((await patch()).status).toBe(429)
  expect((await call("GET", `${API}/posts/${slug}/`, { key: ann.key })).status).toBe(200)
  expect((await create(ben, "Words.")).status).toBe(201)
  passSeconds(REFUSED_BODIES_SECONDS)
  expect((await patch()).status).toBe(200)
  expect((await create(ann, "Words.")).status).toBe(201)
})

it("after ten too complex bodies from the form of a post an account gets 429, with what was typed", async () => {
  stopClock()
  const author = await signIn()
  const { slug } = await newPost(author)
  const path = `/settings/posts/${slug}/`
  const form = formTo((await author.browser.get(path)).html, path)
  const preview = (body: string) => author.browser.post(`${path}preview/`, { ...form, body })
  for (let i = 0; i < MAX_REFUSED_BODIES; i++) expect((await preview(TOO_DEEP)).status).toBe(400)
  const { status, headers, html } = await author.browser.post(path, { ...form, body: "Words." })
  expect([status, headers.get("Retry-After"), formTo(html, path)["body"]]).toEqual([
    429,
    `${REFUSED_BODIES_SECONDS}`,
    "Words.",
  ])
})
