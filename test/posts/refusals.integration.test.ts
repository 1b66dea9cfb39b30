import { expect, it } from "vitest"

import { MAX_REFUSED_BODIES, REFUSED_BODIES_SECONDS } from "../../src/limits.ts"
import { signIn } from "../author-pages/browser.ts"
import { formTo } from "../author-pages/forms.ts"
import { create, get, patch } from "../calls.ts"
import { newAuthor, newPost, passSeconds, stopClock } from "../support.ts"

const TOO_DEEP = "> ".repeat(101)

it("after ten too complex post bodies in a minute an account gets 429 until the minute ends", async () => {
  stopClock()
  const [ann, ben] = [await newAuthor(), await newAuthor()]
  const { slug } = await newPost(ann)
  for (let i = 0; i < MAX_REFUSED_BODIES; i++)
    expect((await create(ann, { body: TOO_DEEP })).json.code).toBe("body_too_complex")
  const { status, json, headers } = await create(ann)
  expect([status, json.code, headers.get("Retry-After")]).toEqual([429, "rate_limited", `${REFUSED_BODIES_SECONDS}`])
  expect((await patch(ann, slug, { title: "t" })).status).toBe(429)
  expect((await get(ann, slug)).status).toBe(200)
  expect((await create(ben)).status).toBe(201)
  passSeconds(REFUSED_BODIES_SECONDS)
  expect((await patch(ann, slug, { title: "t" })).status).toBe(200)
  expect((await create(ann)).status).toBe(201)
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
  const typed = formTo(html, path)["body"]
  expect([status, headers.get("Retry-After"), typed]).toEqual([429, `${REFUSED_BODIES_SECONDS}`, "Words."])
})
