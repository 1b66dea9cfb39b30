import { expect, it } from "vitest"

import { API, call, passSeconds, rows, runCron } from "../support.ts"
import { newDesk, setUpTranslations, TEXT } from "../translations/author.ts"
import { Browser, newLink, whereTo } from "./browser.ts"
import { formsIn, formTo } from "./forms.ts"

setUpTranslations()

const PATH = "/settings/posts/"
const ALL = "/settings/translations/approve/"

/** Makes a signed-in author whose translations wait for approval. */
const newScene = async () => {
  const desk = await newDesk({ translation_review: "hold", translation_languages: ["fr"] })
  // The desk records wake-ups from its forms.
  const browser = new Browser(desk.env)
  await browser.post(await newLink(desk.username))
  const write = async (input: Record<string, unknown> = {}): Promise<string> => {
    const { slug } = await desk.create({ ...TEXT, ...input })
    await desk.run()
    return slug
  }
  const pageOf = async (slug: string, lang = "fr") => (await browser.get(`${PATH}${slug}/?lang=${lang}`)).html
  const french = async (slug: string) => (await desk.translations(slug))["fr"]
  const change = async (slug: string, changes: Record<string, unknown>) => {
    await desk.patch(slug, { translation_languages: ["fr"], ...changes })
    await desk.run()
  }
  return { desk, browser, write, pageOf, french, change }
}

const approvalOf = (slug: string, lang = "fr") => `${PATH}${slug}/translations/${lang}/approve/`
const markedIn = (html: string) => [...html.matchAll(/<mark>([^<]*)<\/mark>/g)].map(([, words]) => words)
const readOf = async (username: string, slug: string) => (await call("GET", `/@${username}/${slug}/fr/`)).status

it("the page of a language shows what waits beside its source, and its button approves it", async () => {
  const { desk, browser, write, pageOf, french } = await newScene()
  const slug = await write({ body: "One. Two.\n\nThree." })
  expect(await pageOf(slug, "en")).not.toContain(">Review<")
  const html = await pageOf(slug)
  for (const part of [
    '<p lang="en" dir="ltr">One. Two.</p><p lang="fr" dir="ltr">One·fr. Two·fr.</p>',
    '<p lang="en" dir="ltr">Three.</p><p lang="fr" dir="ltr">Three·fr.</p>',
    '<p lang="en" dir="ltr">Hello world</p><p lang="fr" dir="ltr">Hello·fr world·fr</p>',
  ])
    expect(html).toContain(part)
  expect(markedIn(html)).toEqual([])
  const address = approvalOf(slug)
  const approved = await browser.post(address, formTo(html, address))
  expect(whereTo(approved)).toEqual([303, `${PATH}${slug}/?done=approved&lang=fr`])
  expect((await browser.get(`${PATH}${slug}/?done=approved&lang=fr`)).html).toContain("Approved.")
  expect(await pageOf(slug)).not.toContain(">Review<")
  expect(await french(slug)).toMatchObject({ approved: true, pending: false })
  expect(await readOf(desk.username, slug)).toBe(200)
  expect(whereTo(await browser.post(address, formTo(html, address)))).toEqual(whereTo(approved))
})

it("sentences that are not in the text of readers are marked, and texts of other paragraphs stand in one row", async () => {
  const { browser, write, pageOf, change } = await newScene()
  const slug = await write({ body: "One. Two.\n\nThree." })
  const address = approvalOf(slug)
  await browser.post(address, formTo(await pageOf(slug), address))
  await change(slug, { body: "One. Second!\n\nThree." })
  const html = await pageOf(slug)
  expect(markedIn(html)).toEqual(["Second·fr!"])
  expect(html).not.toContain('<p lang="en" dir="ltr">Hello world</p>')
  await rows(
    `update texts set pending_fields = json_set(pending_fields, '$.body', 'Un.' || char(10) || char(10) || 'Deux.' || char(10) || char(10) || 'Trois.')
      where lang_code = 'fr'`,
  )
  expect(await pageOf(slug)).toContain('<p lang="en" dir="ltr">One. Second!\n\nThree.</p>')
})

it("a text that is not shown any more is not approved, and the page says so", async () => {
  const { browser, write, pageOf, french, change } = await newScene()
  const slug = await write()
  const address = approvalOf(slug)
  const old = formTo(await pageOf(slug), address)
  await change(slug, { title: "Good day" })
  expect(whereTo(await browser.post(address, old))).toEqual([303, `${PATH}${slug}/?done=outdated&lang=fr`])
  expect(await french(slug)).toMatchObject({ approved: false, pending: true })
  expect((await browser.post(address, {})).status).toBe(400)
})

it("the form of a translation shows what waits, and what is typed in it counts as approved", async () => {
  const { desk, browser, write, pageOf, french } = await newScene()
  const slug = await write({ status: "DF" })
  const fields = formTo(await pageOf(slug), `${PATH}${slug}/`)
  expect(fields).toMatchObject({ title: "Hello·fr world·fr", body: "Some·fr *words·fr*." })
  const preview = await browser.post(`${PATH}${slug}/preview/`, fields)
  expect(preview.html).toContain("Hello·fr world·fr")
  const link = (await desk.get(slug)).json.post.preview_url
  expect((await call("GET", `${new URL(link).pathname}fr/`)).status).toBe(404)
  const saved = await browser.post(`${PATH}${slug}/`, { ...fields, title: "Bonjour" })
  expect(whereTo(saved)).toEqual([303, `${PATH}${slug}/?done=saved&lang=fr`])
  expect(await french(slug)).toMatchObject({ title: "Bonjour", edited: ["title"], approved: false, pending: true })
  expect(formTo(await pageOf(slug), `${PATH}${slug}/`)).toMatchObject({ title: "Bonjour", body: fields["body"] })
})

it("a form of an approved text does not overwrite what waits since", async () => {
  const { browser, write, pageOf, french, change } = await newScene()
  const slug = await write()
  const address = approvalOf(slug)
  await browser.post(address, formTo(await pageOf(slug), address))
  const old = formTo(await pageOf(slug), `${PATH}${slug}/`)
  await change(slug, { title: "Good day" })
  const { status } = await browser.post(`${PATH}${slug}/`, { ...old, title: "Bonjour" })
  expect(status).toBe(412)
  expect(await french(slug)).toMatchObject({ edited: [], pending: true })
})

const COLUMNS = [
  ["version", "text_bytes", "title", "meta_description", "body", "html", "body_sha256", "image_ids", "versions"],
  [
    "texts.status",
    "claim",
    "pending_versions",
    "pending_image_ids",
    "pending_fields",
    "texts.updated_at",
    "changed_at",
  ],
].flat()

/** Returns what approvals may change of the French text of a post. */
const storedOf = async (slug: string) => {
  const [row] = await rows(
    `select ${COLUMNS.join(", ")}
      from texts join posts on posts.id = post_id where slug = ? and lang_code = 'fr'`,
    slug,
  )
  return row ?? {}
}

it("a button of the list approves all that waits in a language, as the button of each post does", async () => {
  const { desk, browser, write, pageOf, french, change } = await newScene()
  const slugs = [await write(), await write(), await write({ translation_languages: ["fr", "de"] })]
  const [one = "", other = "", third = ""] = slugs
  const single = approvalOf(one)
  // A newer text of one field waits, in each of two posts alike.
  for (const slug of [one, other]) {
    await browser.post(approvalOf(slug), formTo(await pageOf(slug), approvalOf(slug)))
    await change(slug, { title: "Good day", body: "Some ~~words~~ *of* mine." })
  }
  const list = async () => (await browser.get(PATH)).html
  const html = await list()
  expect(html).toContain("Approve all in French (fr) (3)")
  expect(html).toContain("Approve all in German (de) (1)")
  expect(html).toContain(`<a href="${PATH}${third}/?lang=de#review" aria-label="German (de) waits for approval">`)
  const form = formsIn(html).find(({ action, fields }) => action === ALL && fields["lang_code"] === "fr")
  await browser.post(single, formTo(await pageOf(one), single))
  expect(whereTo(await browser.post(ALL, form?.fields))).toEqual([303, `${PATH}?done=approved`])
  // The job folds what was approved by SQL.
  await runCron()
  const byAll = await storedOf(other)
  expect(byAll).toEqual(await storedOf(one))
  expect(byAll).toMatchObject({ title: "Good·fr day·fr", pending_versions: "{}", pending_fields: null })
  for (const slug of slugs) expect(await readOf(desk.username, slug)).toBe(200)
  expect(await french(third)).toMatchObject({ approved: true, pending: false })
  expect((await desk.translations(third))["de"]).toMatchObject({ approved: false, pending: true })
  expect((await browser.get(`${PATH}?done=approved`)).html).toContain("Approved. 1 translation still waits.")
  const before = await storedOf(other)
  await browser.post(ALL, form?.fields)
  expect(await storedOf(other)).toEqual(before)
})

it("the button of a list approves no text that has come since the list was shown, and nobody else's", async () => {
  const [mine, others] = [await newScene(), await newScene()]
  const [slug, theirs] = [await mine.write(), await others.write()]
  const fields = formTo((await mine.browser.get(PATH)).html, ALL)
  passSeconds(60)
  await mine.change(slug, { title: "Good day" })
  await mine.browser.post(ALL, fields)
  expect(await mine.french(slug)).toMatchObject({ approved: false, pending: true })
  await mine.browser.post(ALL, formTo((await mine.browser.get(PATH)).html, ALL))
  expect(await mine.french(slug)).toMatchObject({ approved: true, pending: false })
  expect(await others.french(theirs)).toMatchObject({ approved: false, pending: true })
  const wrongs: Record<string, string>[] = [{}, { lang_code: "fr" }, { ...fields, seen: "-1" }]
  for (const wrong of wrongs) expect((await mine.browser.post(ALL, wrong)).status).toBe(400)
})

it("webhooks are told once of each translation that a list's button approves", async () => {
  const { desk, browser, write } = await newScene()
  const slugs = [await write(), await write()]
  await call("POST", `${API}/webhooks/`, { key: desk.key, json: { url: "https://hooks.example/" } })
  const fields = formTo((await browser.get(PATH)).html, ALL)
  for (let i = 0; i < 2; i++) await browser.post(ALL, fields)
  const told = await rows(
    "select event_id, data ->> 'slug' as slug, data ->> 'language' as lang from webhook_deliveries where type = 'translation.ready'",
  )
  expect(told.map(({ slug, lang }) => `${String(slug)} ${String(lang)}`).toSorted()).toEqual(
    slugs.map((slug) => `${slug} fr`).toSorted(),
  )
  expect(new Set(told.map(({ event_id }) => event_id)).size).toBe(2)
})

it.each([approvalOf("a"), ALL])("a form's address %s that is opened leads to the posts", async (address) => {
  const { browser } = await newScene()
  expect(whereTo(await browser.get(address))).toEqual([303, expect.stringMatching(/^\/settings\/posts\/(a\/)?$/)])
})
