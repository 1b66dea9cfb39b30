import { expect, it } from "vitest"

import { MAX_REFUSED_BODIES, REFUSED_BODIES_SECONDS } from "../../src/limits.ts"
import { signIn } from "../author-pages/browser.ts"
import { formTo } from "../author-pages/forms.ts"
import { create, get, patch } from "../calls.ts"
import { type Author, newAuthor, newPost, passSeconds, stopClock } from "../support.ts"

const TOO_DEEP = "> ".repeat(101)
/** Takes over a tenth of the steps of the dearest body. */
const LARGE = "*a* b ".repeat(8000)

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

/** Sends as many PATCHes as may be refused. */
const refuse = async (body: string, author: Author, slug: string, status: number): Promise<void> => {
  for (let i = 0; i < MAX_REFUSED_BODIES; i++)
    expect((await patch(author, slug, { body }, { ifMatch: '"0.0"' })).status).toBe(status)
}

it("a body that takes many steps counts as a refused body if its request is refused for anything else", async () => {
  stopClock()
  const [ann, ben] = [await newAuthor(), await newAuthor()]
  const [{ slug }, { slug: other }] = [await newPost(ann), await newPost(ben)]
  await refuse("Words.", ann, slug, 412)
  // Nothing is rendered for a caller who may not write.
  await refuse(LARGE, ann, other, 403)
  await refuse(LARGE, ann, slug, 412)
  expect([(await create(ann)).status, (await create(ben)).status]).toEqual([429, 201])
})
