import { describe, expect, it } from "vitest"

import { setAccount } from "../calls.ts"
import { beforeCall } from "../faults.ts"
import { checkInvariants } from "../faults/invariants.ts"
import { API, call, passSeconds, rows } from "../support.ts"
import { newDesk, newQueued, setUpTranslations, TEXT } from "./author.ts"
import { holdEngine, watchEngine } from "./engine.ts"

setUpTranslations()

/** Creates a post of an account with the review `hold`, to be translated into French. */
const newHeld = async (input: Record<string, unknown> = {}) => {
  const desk = await newDesk({ translation_review: "hold" })
  const post = await newQueued(input, desk)
  const approve = (json?: unknown, lang = "fr") => desk.send("POST", `${post.slug}/translations/${lang}/approve/`, json)
  /** Returns the translation of the author's GET: what readers have, and what waits. */
  const look = async () => {
    const { status, json } = await desk.get(post.slug, "fr")
    const { title, body, pending } = json.post ?? {}
    return { status, title, body, pending }
  }
  const pageOf = async () => {
    const { status, text } = await desk.page(post.slug, "fr")
    return { status, title: /<h1[^>]*>([^<]*)/.exec(text)?.[1] }
  }
  return { ...post, approve, look, pageOf }
}

/** Makes a post whose first translation is approved. */
const newApproved = async () => {
  const post = await newHeld()
  await post.run()
  expect((await post.approve()).status).toBe(200)
  return post
}

/** Returns the row of the translation, and the numbers of its post. */
const storedOf = async (slug: string) => {
  const [row] = await rows(
    `select texts.*, posts.version, posts.revision, posts.text_bytes from texts join posts on posts.id = post_id
      where slug = ? and lang_code = 'fr'`,
    slug,
  )
  return row ?? {}
}

/** Lists the invariants that do not hold. Posts of earlier tests were deleted without the service. */
const broken = async (): Promise<string[]> => {
  await rows("update accounts set text_bytes = 0 where id not in (select account_id from posts)")
  return checkInvariants(false)
}

const FRENCH = { title: "Hello·fr world·fr", meta_description: "About·fr things·fr.", body: "Some·fr *words·fr*." }
const PENDING = { ...FRENCH, html: "<p>Some·fr <em>words·fr</em>.</p>" }
const HIDDEN = { status: 404, title: undefined }

describe("POST …/translations/{lang_code}/approve/", () => {
  it("a first translation waits until it is approved, and then has its page", async () => {
    const { run, translation, look, pageOf, approve, slug } = await newHeld()
    await run()
    expect(await translation()).toMatchObject({
      status: "ready",
      approved: false,
      pending: true,
      title: null,
      url: null,
    })
    expect(await look()).toMatchObject({ status: 200, title: null, body: null, pending: PENDING })
    expect(await pageOf()).toMatchObject(HIDDEN)
    const before = await storedOf(slug)
    const { status, json } = await approve()
    expect([status, json]).toMatchObject([
      200,
      { translation: { approved: true, pending: false, title: FRENCH.title } },
    ])
    expect(json.translation.url).toContain(`/${slug}/fr/`)
    expect(await look()).toEqual({ status: 200, title: FRENCH.title, body: FRENCH.body, pending: null })
    expect(await pageOf()).toEqual({ status: 200, title: FRENCH.title })
    // An approval is no change by a client, as the end of a run is none.
    const after = await storedOf(slug)
    expect([after["version"], after["revision"]]).toEqual([before["version"], Number(before["revision"]) + 1])
    expect(await broken()).toEqual([])
  })

  it("a repeated approval changes nothing", async () => {
    const { approve, slug } = await newApproved()
    const before = await storedOf(slug)
    const { status, json } = await approve({ updated_at: "2020-01-01T00:00:00.000Z" })
    expect([status, json.translation.approved]).toEqual([200, true])
    expect(await storedOf(slug)).toEqual(before)
  })

  it("an approval of an older text than the one that waits answers 412 and shows readers nothing", async () => {
    const { run, translation, patch, approve, pageOf } = await newHeld()
    await run()
    const { updated_at } = (await translation()) as unknown as { updated_at: string }
    await patch({ title: "Good day" })
    passSeconds(60)
    await run()
    const refused = await approve({ updated_at })
    expect([refused.status, refused.json.code]).toEqual([412, "version_conflict"])
    expect(await pageOf()).toMatchObject(HIDDEN)
    const newest = (await translation()) as unknown as { updated_at: string }
    expect((await approve({ updated_at: newest.updated_at })).status).toBe(200)
    expect(await pageOf()).toEqual({ status: 200, title: "Good·fr day·fr" })
  })

  it.each([
    ["the unlisted language de", "de", undefined, 404],
    ["the source language", "en", undefined, 404],
    ["an invalid language", "not_one", undefined, 404],
    ["fr, with a text for updated_at,", "fr", { updated_at: "now" }, 400],
    ["fr, with a list for a body,", "fr", [], 400],
  ])("an approval of %s (%s %j) answers %i", async (_, lang, body, status) => {
    const { run, approve, pageOf } = await newHeld()
    await run()
    expect((await approve(body, lang)).status).toBe(status)
    expect(await pageOf()).toMatchObject(HIDDEN)
  })
})

it("readers keep the approved text while a newer one waits, and only changed fields wait", async () => {
  const { run, patch, look, pageOf, approve, translation, slug } = await newApproved()
  await patch({ title: "Good day" })
  await run()
  expect(await look()).toEqual({
    status: 200,
    ...FRENCH,
    meta_description: undefined,
    pending: { title: "Good·fr day·fr" },
  })
  expect(await translation()).toMatchObject({ approved: true, pending: true, title: FRENCH.title })
  expect(await pageOf()).toEqual({ status: 200, title: FRENCH.title })
  const { changed_at } = await storedOf(slug)
  passSeconds(60)
  await approve()
  expect(await pageOf()).toEqual({ status: 200, title: "Good·fr day·fr" })
  expect(Number((await storedOf(slug))["changed_at"])).toBeGreaterThan(Number(changed_at))
})

it("a run that makes what readers have already leaves nothing to approve", async () => {
  watchEngine(async (segments) => segments.map(() => "Les mêmes mots"))
  const { run, patch, approve, translation, slug } = await newHeld({ body: "Some words." })
  await run()
  await approve()
  const before = await storedOf(slug)
  await patch({ title: "Good day", body: "Other words." })
  passSeconds(60)
  await run()
  expect(await translation()).toMatchObject({ status: "ready", approved: true, pending: false })
  const after = await storedOf(slug)
  expect([after["versions"], after["changed_at"]]).toEqual([
    '{"title":2,"meta_description":1,"body":2}',
    before["changed_at"],
  ])
})

it("a field edited by hand counts as approved, and the others still wait", async () => {
  const { run, patch, look, pageOf, approve, translation } = await newHeld()
  await run()
  const { title: _, ...others } = PENDING
  const edited = await patch({ lang_code: "fr", title: "Bonjour" })
  expect(edited.json.post.translations[0]).toMatchObject({ edited: ["title"], approved: false, pending: true })
  expect(await look()).toMatchObject({ title: "Bonjour", body: null, pending: others })
  expect(await pageOf()).toMatchObject(HIDDEN)
  await patch({ lang_code: "fr", body: "Des mots." })
  expect((await look()).pending).toEqual({ meta_description: FRENCH.meta_description })
  expect(await broken()).toEqual([])
  await approve()
  expect(await translation()).toMatchObject({ edited: ["title", "body"], approved: true, pending: false })
  expect(await pageOf()).toEqual({ status: 200, title: "Bonjour" })
})

it("a translation whose fields are all edited by hand needs no approval", async () => {
  const { run, patch, pageOf, translation } = await newHeld()
  await run()
  await patch({ lang_code: "fr", ...TEXT, title: "Bonjour" })
  expect(await translation()).toMatchObject({ approved: true, pending: false })
  expect(await pageOf()).toEqual({ status: 200, title: "Bonjour" })
})

it("switching the review on leaves visible texts, and switching it off shows nothing that waits", async () => {
  const { desk, run, patch, pageOf, approve, slug } = await newHeld({ translation_review: "none" })
  await run()
  expect(await pageOf()).toEqual({ status: 200, title: FRENCH.title })
  await patch({ translation_review: "hold" })
  expect(await pageOf()).toEqual({ status: 200, title: FRENCH.title })
  await patch({ title: "Good day" })
  await run()
  await patch({ translation_review: null })
  await setAccount(desk, { translation_review: "none" })
  expect(await pageOf()).toEqual({ status: 200, title: FRENCH.title })
  expect((await desk.get(slug)).json.post.translation_review).toBeNull()
  await approve()
  expect(await pageOf()).toEqual({ status: 200, title: "Good·fr day·fr" })
})

it("a run without review replaces what has waited", async () => {
  const { desk, run, patch, look, pageOf, slug } = await newApproved()
  await patch({ title: "Good day", meta_description: "Of things." })
  await run()
  await setAccount(desk, { translation_review: "none" })
  await patch({ title: "Good night" })
  await run()
  expect(await pageOf()).toEqual({ status: 200, title: "Good·fr night·fr" })
  expect((await look()).pending).toEqual({ meta_description: "Of·fr things·fr." })
  expect((await storedOf(slug))["pending_versions"]).toBe('{"meta_description":2}')
})

it.each([
  ["hold", "none", "the account's", FRENCH.title],
  ["none", "hold", "the account's", undefined],
  ["none", "hold", "the post's", undefined],
] as const)(
  "a review %s that becomes %s while a run works, by %s setting, counts when it ends, and nothing is sent twice",
  async (before, after, whose, title) => {
    const desk = await newDesk({ translation_review: before })
    const { slug, patch, run, translation } = await newQueued({}, desk)
    const engine = holdEngine()
    const running = desk.run()
    const held = await engine.next()
    if (whose === "the post's") await patch({ translation_review: after })
    else await setAccount(desk, { translation_review: after })
    held.finish()
    await running
    await run()
    expect(engine.calls.length).toBe(1)
    expect(await translation()).toMatchObject({
      status: "ready",
      approved: title !== undefined,
      pending: title === undefined,
    })
    const page = await desk.page(slug, "fr")
    expect(page.status).toBe(title === undefined ? 404 : 200)
  },
)

it("an approval while a newer translation is made stays, and the newer one waits", async () => {
  const { desk, run, patch, look, pageOf, approve, translation } = await newHeld()
  await run()
  await patch({ title: "Good day" })
  const engine = holdEngine()
  const running = desk.run()
  const held = await engine.next()
  expect((await approve()).status).toBe(200)
  held.finish()
  await running
  await run()
  expect(engine.calls.length).toBe(1)
  expect(await pageOf()).toEqual({ status: 200, title: FRENCH.title })
  expect(await translation()).toMatchObject({ status: "ready", approved: true, pending: true })
  expect((await look()).pending).toEqual({ title: "Good·fr day·fr" })
})

it("an unlisted language keeps what waits, and has it still when it is listed again", async () => {
  const { run, patch, look, approve, pageOf, translation } = await newHeld()
  await run()
  await patch({ translation_languages: [] })
  expect(await translation()).toMatchObject({ status: "ready", listed: false, approved: false, pending: true })
  expect((await approve()).status).toBe(404)
  const engine = watchEngine()
  await patch({ translation_languages: ["fr"] })
  await run()
  expect(engine).toEqual([])
  expect((await look()).pending).toEqual(PENDING)
  await approve()
  expect(await pageOf()).toEqual({ status: 200, title: FRENCH.title })
})

it("a translation that waits is made again on request, and waits", async () => {
  const { run, repeat, look, pageOf, translation } = await newHeld()
  await run()
  watchEngine(async (segments) => segments.map((text) => text.replaceAll(/[a-z]+/gi, "$&·new")))
  expect((await repeat()).status).toBe(202)
  await run()
  expect(await translation()).toMatchObject({ status: "ready", approved: false, pending: true })
  expect((await look()).pending.title).toBe("Hello·new world·new")
  expect(await pageOf()).toMatchObject(HIDDEN)
})

it("a post takes none, hold or null for translation_review, and a PUT without it keeps it", async () => {
  const { desk, slug, patch } = await newHeld({ translation_review: "none" })
  const read = async () => (await desk.get(slug)).json.post.translation_review
  expect(await read()).toBe("none")
  await patch({ translation_review: "hold" })
  const put = { ...TEXT, categories: "news", status: "PB" }
  await call("PUT", `${API}/posts/${slug}/`, { key: desk.key, json: put })
  expect(await read()).toBe("hold")
  await call("PUT", `${API}/posts/${slug}/`, { key: desk.key, json: { ...put, translation_review: null } })
  expect(await read()).toBeNull()
  const wrong = await patch({ translation_review: "later" })
  expect([wrong.status, wrong.json.errors]).toMatchObject([400, [{ field: "translation_review" }]])
})

it("the account's review is set by the operator and shown to its keys", async () => {
  const desk = await newDesk({ translation_review: "hold" })
  const { json } = await call("GET", `${API}/account/`, { key: desk.key })
  expect(json.account.translation_review).toBe("hold")
  expect((await setAccount(desk, { translation_review: "maybe" })).json.errors).toMatchObject([
    { field: "translation_review" },
  ])
})

it("what waits counts as stored text, and gives its bytes back when it is approved", async () => {
  const { run, patch, slug } = await newApproved()
  const bytes = async () => Number((await storedOf(slug))["text_bytes"])
  const before = await bytes()
  await patch({ title: "Hello dear" })
  await run()
  expect(await broken()).toEqual([])
  expect(await bytes()).toBeGreaterThan(before)
})

it("a translation that is too long to be stored beside the one that readers have fails, and readers keep theirs", async () => {
  const { deliverNext, patch, pageOf, translation, slug } = await newApproved()
  await patch({ title: "Good day" })
  // Only the platform has the limit of 2 MB that production has.
  const DB = beforeCall(/json_patch/, () => {
    throw new Error("D1_ERROR: string or blob too big: SQLITE_TOOBIG")
  })
  await deliverNext({ DB })
  expect(await translation()).toMatchObject({ status: "failed", error: { code: "too_long_to_hold" }, pending: false })
  expect(await pageOf()).toEqual({ status: 200, title: FRENCH.title })
  expect(await rows("select * from leases join posts on posts.id = post_id where slug = ?", slug)).toEqual([])
})
