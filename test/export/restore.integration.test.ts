import { PhotonImage } from "@cf-wasm/photon"
import { beforeEach, expect, it } from "vitest"

import { type Archive, type ExportedText, openArchive } from "../../scripts/archive.ts"
import { restoreAccount } from "../../scripts/restore-account.ts"
import { settingsToCopy } from "../../scripts/restore-plan.ts"
import { complaintOf, type Options, restore } from "../../scripts/restore.ts"
import { create, eraseAccount, remove, setAccount } from "../calls.ts"
import { beforeCall, failing, INSERT_POST, tapD1 } from "../faults.ts"
import { ODD_LABELS } from "../labels.ts"
import { storeLabels } from "../posts/requests.ts"
import {
  API,
  call,
  encode,
  env,
  fetchWorker,
  newAuthor,
  ORIGIN,
  passSeconds,
  rows,
  runCron,
  stopClock,
  upload,
} from "../support.ts"
import { type Desk, newDesk } from "../translations/author.ts"
import { browserOf, download, readFile } from "./download.ts"

beforeEach(() => stopClock())

/** Returns a PNG with gradients and edges in distinct colours. */
const photo = (width: number, height: number, seed: number) => {
  const pixels = new Uint8Array(width * height * 4)
  for (let i = 0; i < width * height; i += 1) {
    const [x, y] = [i % width, Math.floor(i / width)]
    const edge = (x >> 4) % 2 === 0 ? 40 : 0
    pixels.set([(x * 3 + seed * 60) % 200, 255 - ((y * 2) % 200) - edge, 60 + edge + seed * 20, 255], i * 4)
  }
  return encode(pixels, width, height, "png")
}

interface Image {
  image_id: string
  image_url: string
  width: number
}

const imagesOf = async (desk: Desk, slug: string): Promise<Image[]> => (await desk.get(slug)).json.post.images

/** Reads the images of a post after its cover. */
const pixelsOf = async (desk: Desk, slug: string) =>
  Promise.all(
    (await imagesOf(desk, slug)).slice(1).map(async ({ image_url }) => {
      const answer = await fetchWorker(new Request(`${ORIGIN}${image_url}`))
      const image = PhotonImage.new_from_byteslice(new Uint8Array(await answer.arrayBuffer()))
      return { size: `${image.get_width()} × ${image.get_height()}`, pixels: image.get_raw_pixels() }
    }),
  )

/** Returns the peak signal-to-noise ratio in dB. */
const psnr = (a: Uint8Array, b: Uint8Array): number => {
  const squares = a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0)
  return 10 * Math.log10(255 ** 2 / (squares / a.length))
}

const LANGUAGES = { translation_languages: ["fr", "es"] }
const FRENCH = { translation_languages: ["fr"] }

/** Makes a blog with everything an export carries. */
const writeBlog = async (desk: Desk): Promise<string[]> => {
  const images = [await upload(desk, photo(64, 48, 0)), await upload(desk, photo(33, 70, 1))]
  const cover = await upload(desk, photo(20, 20, 2))
  const body = `---\nWords\r\n\r\n![one](${images[0]?.image_url})\n\n[two]: ${images[1]?.image_url}`
  const image_ids = images.map(({ image_id }) => image_id)
  const labels = { tags: "a, b", categories: "x, y", published_at: "2020-02-03T04:05:06.789Z" }
  const origin = { canonical_url: "https://example.org/original", author_name: "Ada Lovelace", source: "a script" }
  const words = { cover_alt: "A  boat: *red*", cover_caption: "By Bo", listed: false, translation_review: "none" }
  const input = { body, image_ids, cover_image_id: cover.image_id, ...words, ...labels, ...origin, ...LANGUAGES }
  const { slug } = await desk.create(input)
  await desk.run()
  const fr = `Mots\n\n![deux](${images[1]?.image_url})`
  await desk.patch(slug, { ...LANGUAGES, lang_code: "fr", title: "Un titre", body: fr })
  await desk.patch(slug, { ...LANGUAGES, title: "Another title" })
  await desk.patch(slug, { ...LANGUAGES, lang_code: "es", meta_description: "De qué trata." })
  await desk.run()
  for (const [lang_code, changed_at] of [
    ["en", "2021-01-01T00:00:00.000Z"],
    ["fr", "2022-01-01T00:00:00.000Z"],
  ])
    await desk.patch(slug, { ...LANGUAGES, lang_code, changed_at })
  const unlisted = await desk.create({ translation_languages: ["de"] })
  await desk.run()
  await desk.patch(unlisted.slug, { translation_languages: [] })
  const draft = await desk.create({ status: "DF", primary_language: "pt-BR", translation_languages: [] })
  return [slug, unlisted.slug, draft.slug]
}

/** The fields of a post that an import keeps. */
const KEPT = [
  ["title", "meta_description", "status", "categories", "tags", "primary_language", "translation_languages"],
  ["published_at", "canonical_url", "author_name", "source"],
  ["cover_alt", "cover_caption", "listed", "translation_review"],
].flat()

/** Reads a text without the values that differ between accounts. */
const read = async (desk: Desk, slug: string, lang: string) => {
  const { post } = (await desk.get(slug, lang)).json
  const { edited, stale, listed } = (await desk.translations(slug))[lang] ?? {}
  const images: Image[] = post.images
  return {
    fields: Object.fromEntries(KEPT.map((name): [string, unknown] => [name, post[name]])),
    // Engines write parts of the translations again.
    changed_at: edited ? null : post.changed_at,
    body: images.reduce((body, { image_url }, i) => body.replaceAll(image_url, `image ${i}`), String(post.body)),
    images: images.length,
    cover: images.findIndex(({ image_id }) => image_id === post.cover_image_id),
    edited,
    stale,
    listed,
  }
}

const removeAll = async (desk: Desk, slugs: string[]): Promise<void> => {
  for (const slug of slugs) await remove(desk, slug)
}

/** Exports an author's blog, then deletes its posts. */
const takeOut = async (desk: Desk, ...slugs: string[]): Promise<Uint8Array<ArrayBuffer>> => {
  const { zip } = await download(await browserOf(desk.username))
  await removeAll(desk, slugs)
  return zip
}

interface Way {
  vars?: Partial<Env>
  keep?: boolean
  /** The request that aborts the import, and whether it still arrives. */
  cut?: { at: number; arrives: boolean }
  /** Changes an exported text before it is sent. */
  forge?: (text: ExportedText) => ExportedText
}

const forged = (archive: Archive, forge: Way["forge"]): Archive => ({
  ...archive,
  async *listPosts() {
    for await (const texts of archive.listPosts()) yield forge ? texts.map(forge) : texts
  },
})

/** Returns the options of an import, which notes what it does. */
const optionsFor = (desk: Desk, { vars = {}, cut }: Way) => {
  const lines: string[] = []
  const waited: number[] = []
  const requests: string[] = []
  const options: Pick<Options, "request" | "wait" | "report"> = {
    request: async (method, path, body, once) => {
      const isCut = requests.push(`${method} ${path}`) - 1 === cut?.at
      if (isCut && !cut?.arrives) throw new Error("cut")
      const sent = body instanceof FormData ? { body } : { json: body }
      const { status, headers, json } = await call(method, path, {
        key: desk.key,
        env: { ...desk.env, ...vars },
        ...(once !== undefined && { headers: { "Idempotency-Key": once } }),
        ...(body !== undefined && sent),
      })
      if (isCut) throw new Error("cut")
      const replayed = headers.get("Idempotent-Replayed") === "true"
      return { status, retryAfter: Number(headers.get("Retry-After")), replayed, json }
    },
    wait: (seconds) => {
      waited.push(seconds)
      passSeconds(seconds)
    },
    report: (kind, line) => void lines.push(`${kind} ${line}`),
  }
  return { options, lines, waited, requests }
}

const importInto = async (desk: Desk, zip: Uint8Array<ArrayBuffer>, { keep, forge, ...way }: Way = {}) => {
  const { options, ...notes } = optionsFor(desk, way)
  const kept = keep === undefined ? {} : { keep }
  const archive = forged(await openArchive(new Blob([zip])), forge)
  const outcome = await restore(archive, { ...options, ...kept, username: desk.username })
  return { ...outcome, ...notes }
}

it("importing an export zip gives another account the same posts, with edits still marked as edits", async () => {
  const ann = await newDesk()
  const slugs = await writeBlog(ann)
  const [slug = "", unlisted = "", draft = ""] = slugs
  const languages = ["en", "fr", "es", "en", "de", "pt-BR"]
  const readAll = (desk: Desk) =>
    Promise.all([slug, slug, slug, unlisted, unlisted, draft].map((at, i) => read(desk, at, languages[i] ?? "")))
  const before = await readAll(ann)
  const [ids, originals] = [await imagesOf(ann, slug), await pixelsOf(ann, slug)]
  const zip = await takeOut(ann, ...slugs)

  const ben = await newDesk({ primary_language: "it", translation_languages: ["ja"] })
  const { made, failed, lines, waited } = await importInto(ben, zip, { vars: { UPLOADS_PER_MINUTE: "1" } })
  expect({ made, failed, lines }).toEqual({ made: slugs, failed: [], lines: slugs.map((at) => `made ${at}`) })
  expect(waited.length).toBe(2)
  await ben.run()

  const after = await readAll(ben)
  // A text in an unlisted language can only be sent as an edit.
  const sent = before.map((text) => (text.listed === false ? { ...text, edited: after[4]?.edited } : text))
  expect(after).toEqual(sent)
  expect(await imagesOf(ben, slug)).not.toEqual(ids)
  expect(after.slice(1)).toMatchObject([
    { edited: ["title", "body"], stale: ["title"], listed: true },
    { edited: ["meta_description"], stale: [] },
    {},
    { listed: false },
    { fields: { status: "DF" } },
  ])

  const again = await pixelsOf(ben, slug)
  expect(again.map(({ size }) => size)).toEqual(["64 × 48", "33 × 70"])
  for (const [i, { pixels }] of again.entries())
    expect(psnr(pixels, originals[i]?.pixels ?? pixels)).toBeGreaterThan(32)
  expect(psnr(again[0]?.pixels ?? zip, again[0]?.pixels.map((value) => value + 8) ?? zip)).toBeLessThan(32)

  const twice = await importInto(ben, zip)
  expect(twice).toMatchObject({ made: [], there: slugs, skipped: [], failed: [] })
  expect(complaintOf(twice)).toBeNull()
  expect(await readAll(ben)).toEqual(after)
})

/** Exports and deletes a draft and a post that takes many calls to restore. The author ben has no posts. */
const exportBlog = async () => {
  const ann = await newDesk()
  const image = await upload(ann)
  const { slug } = await ann.create({ body: `One ![a](${image.image_url})`, ...LANGUAGES })
  await ann.run()
  await ann.patch(slug, { ...LANGUAGES, lang_code: "fr", title: "Un titre", body: "Un" })
  await ann.patch(slug, { ...LANGUAGES, title: "Another title" })
  await ann.run()
  // Posts of the same millisecond have no order.
  passSeconds(1)
  const draft = await ann.create({ status: "DF", translation_languages: [] })
  const slugs: string[] = [slug, draft.slug]
  const zip = await takeOut(ann, ...slugs)
  return { zip, slugs, slug, draft: String(draft.slug), ben: await newDesk() }
}

/** Returns the English and French text of a post. */
const standing = async (desk: Desk, slug: string) => {
  await desk.run()
  return [await read(desk, slug, "en"), await read(desk, slug, "fr")]
}

it("an import of an export zip that is interrupted at any request is completed by the next import", async () => {
  const { zip, slugs, slug, draft, ben: whole } = await exportBlog()
  const { requests } = await importInto(whole, zip)
  const wanted = await standing(whole, slug)
  expect(wanted).toMatchObject([{ fields: { status: "PB" } }, { edited: ["title", "body"], stale: ["title"] }])
  expect(requests.length).toBeGreaterThan(9)
  await removeAll(whole, slugs)

  // A request that is never sent leaves the same state as the last answered one.
  for (const [at, request] of requests.entries()) {
    const ben = await newDesk()
    const where = `${request}, number ${at}, is answered to nobody`
    await expect(importInto(ben, zip, { cut: { at, arrives: true } }), where).rejects.toThrow("cut")
    const next = await importInto(ben, zip)
    expect([...next.made, ...next.there].toSorted(), where).toEqual(slugs.toSorted())
    expect(complaintOf(next), where).toBeNull()
    expect(await standing(ben, slug), where).toEqual(wanted)
    expect((await ben.get(draft)).json.post, where).toMatchObject({ status: "DF", version: 1 })
    await removeAll(ben, slugs)
  }
})

it.each([
  ["deleted by the cleanup", () => runCron()],
  ["not yet deleted by the cleanup", () => undefined],
])("an interrupted import of an export zip continues half an hour later, with its uploads %s", async (_, meanwhile) => {
  const { zip, slugs, ben } = await exportBlog()
  await expect(importInto(ben, zip, { cut: { at: 2, arrives: false } })).rejects.toThrow("cut")
  passSeconds(1801)
  await meanwhile()
  const { made, requests } = await importInto(ben, zip)
  expect(made).toEqual(slugs)
  expect(requests.filter((request) => request.includes("image-upload")).length).toBeGreaterThan(1)
})

/** Returns a text as version 0.1 exported it. */
const asIn01 = (text: ExportedText): ExportedText => {
  const { cover_image_id: _c, cover_alt: _t, cover_caption: _p, canonical_url: _u, author_name: _a, ...rest } = text
  const { source: _s, changed_at: _d, listed: _l, translation_review: _r, ...old } = rest
  return old
}

it("an export of version 0.1, which lacks the newer fields, is imported with its dates, and is there afterwards", async () => {
  const ann = await newDesk()
  const { slug, published_at } = await ann.create({ published_at: "2020-02-03T04:05:06.000Z" })
  const zip = await takeOut(ann, slug)
  const ben = await newDesk()
  expect(await importInto(ben, zip, { forge: asIn01 })).toMatchObject({ made: [slug], failed: [] })
  expect((await ben.get(slug)).json.post).toMatchObject({ published_at, cover_image_id: null, source: null })
  expect(await importInto(ben, zip, { forge: asIn01 })).toMatchObject({ there: [slug], failed: [] })
})

it("an import leaves labels of any stored form as they are, and knows a post that it has made again by their meaning", async () => {
  const ann = await newDesk()
  const { slug } = await ann.create()
  const labels = ODD_LABELS.filter((label) => !label.includes(",")).map((label) => label.toLowerCase())
  await storeLabels(slug, labels)
  const { zip } = await download(await browserOf(ann.username))
  const readPost = async () => (await ann.get(slug)).json.post
  expect(await importInto(ann, zip)).toMatchObject({ there: [slug], failed: [] })
  expect(await readPost()).toMatchObject({ categories: labels, tags: labels, version: 1 })
  await remove(ann, slug)
  expect(await importInto(ann, zip)).toMatchObject({ made: [slug], failed: [] })
  const kept = ["a b", "tea", "x", "‥", "摄影，旅行", '["travel"', "[x", "a c"]
  expect(await readPost()).toMatchObject({ categories: kept, tags: kept })
  expect(await importInto(ann, zip)).toMatchObject({ there: [slug], failed: [] })
})

it("an import of an export zip makes posts again that were deleted after an earlier import", async () => {
  const { zip, slugs, ben } = await exportBlog()
  for (let times = 0; times < 3; times += 1) {
    expect((await importInto(ben, zip)).made).toEqual(slugs)
    await removeAll(ben, slugs)
  }
})

it("an import repeated a day later keeps complete posts and reports incomplete drafts as skipped", async () => {
  const { zip, slug, slugs, ben } = await exportBlog()
  const ann = await newDesk()
  const { requests } = await importInto(ann, zip)
  await removeAll(ann, slugs)
  const begun = requests.indexOf(`PATCH /api/blogcontroller/posts/${slug}/`)
  await expect(importInto(ben, zip, { cut: { at: begun, arrives: false } })).rejects.toThrow("cut")
  passSeconds(24 * 60 * 60)
  for (let times = 0; times < 2; times += 1) {
    const later = await importInto(ben, zip)
    const [others, kind] = [slugs.filter((each) => each !== slug), times === 0 ? "made" : "there"]
    expect(later).toMatchObject({ [kind]: others, skipped: [slug], failed: [] })
    expect(complaintOf(later)).toContain(slug)
    passSeconds(24 * 60 * 60)
  }
})

it("a repeated import of an export zip keeps what the author edited in an imported draft", async () => {
  const ann = await newDesk(FRENCH)
  const { slug } = await ann.create({ status: "DF" })
  await ann.run()
  const { zip } = await download(await browserOf(ann.username))
  expect(await importInto(ann, zip)).toMatchObject({ made: [], there: [slug] })
  await remove(ann, slug)
  const ben = await newDesk()
  await importInto(ben, zip)
  await ben.run()
  await ben.patch(slug, { ...FRENCH, lang_code: "fr", title: "Un titre" })
  expect(await importInto(ben, zip, { keep: true })).toMatchObject({ made: [], skipped: [slug] })
  await ben.patch(slug, { ...FRENCH, title: "Another title" })
  expect(await importInto(ben, zip, { keep: true })).toMatchObject({ made: [], skipped: [slug] })
  const edit = { fields: { title: "Un titre" }, edited: ["title"], stale: ["title"] }
  expect(await read(ben, slug, "fr")).toMatchObject(edit)
})

it.each(["DF", "PB"])(
  "an import skips and reports a slug that another post (%s) of the account already has",
  async (status) => {
    const { zip, slug, draft, ben } = await exportBlog()
    await create(ben, { slug, status, title: "A title of its own" })
    const outcome = await importInto(ben, zip)
    expect(outcome).toMatchObject({ made: [draft], there: [], skipped: [slug], failed: [] })
    expect(complaintOf(outcome)).toContain(slug)
    expect(outcome.lines[0]).toContain(`skipped ${slug}: a post of yours`)
    expect((await ben.get(slug)).json.post).toMatchObject({ status, title: "A title of its own", version: 1 })
  },
)

const TOO_LONG = "x".repeat(256)
/** Gives a French text a title that every instance refuses. */
const forgeTitle = (text: ExportedText): ExportedText => (text.lang_code === "fr" ? { ...text, title: TOO_LONG } : text)

it("a post that the API refuses during an import leaves nothing, and is imported once corrected", async () => {
  const { zip, slugs, slug, draft, ben } = await exportBlog()
  const outcome = await importInto(ben, zip, { forge: forgeTitle })
  expect(outcome).toMatchObject({ made: [draft], failed: [slug] })
  expect(complaintOf(outcome)).toContain(slug)
  expect((await ben.get(slug)).status).toBe(404)
  expect(await importInto(ben, zip)).toMatchObject({ made: [slug], there: [draft], skipped: [], failed: [] })
  expect((await importInto(ben, zip)).there).toEqual(slugs)
})

it("an import reports a partial post that it cannot delete, and the next import completes the post", async () => {
  const { zip, slug, ben } = await exportBlog()
  const DB = beforeCall(/^delete from "posts"/, failing)
  const { lines, failed } = await importInto(ben, zip, { forge: forgeTitle, vars: { DB } })
  expect(failed).toEqual([slug])
  expect(lines[0]).toMatch(/a draft of it is left, which could not be deleted: 500/)
  expect((await importInto(ben, zip)).made).toEqual([slug])
  expect((await ben.get(slug)).json.post.status).toBe("PB")
})

it("a post whose creation loses its answer during an import is reported as failed and deleted", async () => {
  const { zip, slug, ben } = await exportBlog()
  let inserts = 0
  const DB = tapD1({
    around: async (run, statements) => {
      const answer = await run()
      if (statements.some(({ sql }) => INSERT_POST.test(sql)) && (inserts += 1) === 1) await failing()
      return answer
    },
  })
  expect((await importInto(ben, zip, { vars: { DB } })).failed).toContain(slug)
  expect((await ben.get(slug)).status).toBe(404)
  expect((await importInto(ben, zip)).made).toContain(slug)
})

it("an import can keep machine translations as edits; those that the API refuses are translated again", async () => {
  const ann = await newDesk({ translation_languages: ["fr", "es"] })
  const long = "ab ".repeat(85).trim()
  const kept = await ann.create()
  passSeconds(1)
  const refused = await ann.create({ title: long })
  await ann.run()
  const before = await read(ann, kept.slug, "fr")
  const zip = await takeOut(ann, kept.slug, refused.slug)
  const ben = await newDesk()
  const { made, lines } = await importInto(ben, zip, { keep: true })
  expect(made).toEqual([kept.slug, refused.slug])
  const warnings = lines.filter((line) => line.startsWith("warning"))
  expect(warnings).toEqual([
    expect.stringContaining(`${refused.slug}, es: what engines made is left out: 400`),
    expect.stringContaining(`${refused.slug}, fr: what engines made is left out: 400`),
  ])
  const after = await read(ben, kept.slug, "fr")
  expect(after).toEqual({ ...before, edited: ["title", "meta_description", "body"] })
  expect(after.fields["title"]).toContain("·fr")
  expect((await ben.translations(refused.slug)).fr).toMatchObject({ status: "queued", edited: [] })
})

it("an account can import its exported post again even if an image is missing from the zip", async () => {
  const ann = await newDesk()
  const { image_id, image_url } = await upload(ann)
  const body = `Words ![one](${image_url})`
  const { slug } = await ann.create({ body, image_ids: [image_id], translation_languages: [] })
  const browser = await browserOf(ann.username)
  const { MEDIA } = env
  for (const { key } of (await MEDIA.list()).objects.filter((object) => object.key.includes(image_id)))
    await MEDIA.delete(key)
  const { zip } = await download(browser)
  await remove(ann, slug)
  passSeconds(3600)
  const { made, lines } = await importInto(ann, zip)
  expect(made).toEqual([slug])
  expect(lines).toContain(`warning media/${image_id}.webp is not in the export`)
  expect((await ann.get(slug)).json.post.body).toBe(`Words ![one](/media/-/blog_img/${image_id}.webp)`)
})

it("an import of an export zip rewrites image paths and links between its posts, but no other address", async () => {
  const [ann, ben] = [await newDesk(), await newDesk()]
  const { image_id, image_url } = await upload(ann)
  const urls = `https://old.example${image_url} http://localhost:8787${image_url} //old.example${image_url}`
  const links = `https://old.example/@${ann.username}/other/ /@${ann.username}x/other/ /@${ann.username}/`
  const bodyOf = (username: string, url: string) =>
    `[a](/@${username}/other/fr/#b) [c](</@${username}/other>) ![one](${url}) ${urls} ${links}`
  const input = { body: bodyOf(ann.username, image_url), image_ids: [image_id], translation_languages: [] }
  const { slug } = await ann.create(input)
  const zip = await takeOut(ann, slug)
  await importInto(ben, zip)
  const { body, images } = (await ben.get(slug)).json.post
  expect(body).toBe(bodyOf(ben.username, images[0].image_url))
  expect((await importInto(ben, zip)).there).toEqual([slug])
})

/** Makes a post that shows its first images: eight attached by `image_ids`, the rest by an earlier body. */
const attachMany = async (desk: Desk, count: number, shown: number) => {
  const images: Awaited<ReturnType<typeof upload>>[] = []
  for (let i = 0; i < count; i += 1) images.push(await upload(desk, photo(16 + i, 16, i)))
  const show = (all: typeof images) => ["Words", ...all.map(({ image_url }) => `![a](${image_url})`)].join("\n\n")
  const image_ids = images.slice(0, 8).map(({ image_id }) => image_id)
  const body = show(images.slice(8))
  const { slug } = await desk.create({ body, image_ids, translation_languages: [] })
  await desk.patch(slug, { body: show(images.slice(0, shown)) })
  return { slug: String(slug), ids: images.map(({ image_id }) => image_id) }
}

const widthsOf = async (desk: Desk, slug: string): Promise<number[]> =>
  (await imagesOf(desk, slug)).map(({ width }) => width)

it.each([
  ["shows all but the ninth", 8, [16, 17, 18, 19, 20, 21, 22, 24, 23]],
  ["shows the first alone", 1, [17, 18, 19, 20, 21, 22, 23, 24, 16]],
])("an import of a post whose body %s of nine images attaches all nine images", async (_, shown, widths) => {
  const ann = await newDesk()
  const { slug } = await attachMany(ann, 9, shown)
  expect(await widthsOf(ann, slug)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24])
  const zip = await takeOut(ann, slug)
  const ben = await newDesk()
  expect((await importInto(ben, zip)).lines).toEqual([`made ${slug}`])
  expect(await widthsOf(ben, slug)).toEqual(widths)
})

it("an import reports the images of a post beyond eight that no text shows, and does not attach them", async () => {
  const ann = await newDesk()
  const { slug, ids } = await attachMany(ann, 10, 0)
  const zip = await takeOut(ann, slug)
  const ben = await newDesk()
  const { lines } = await importInto(ben, zip)
  const reason = "is not attached: no text shows it, and a post can name no more than 8"
  expect(lines).toEqual([
    `warning ${slug}: media/${ids[8]}.webp ${reason}`,
    `warning ${slug}: media/${ids[9]}.webp ${reason}`,
    `made ${slug}`,
  ])
  expect(await widthsOf(ben, slug)).toEqual([16, 17, 18, 19, 20, 21, 22, 23])
})

it("an import of a post whose slug another author has fails, and the other posts are imported", async () => {
  const ann = await newDesk()
  const taken = await ann.create({ translation_languages: [] })
  // Posts of the same millisecond have no order.
  passSeconds(1)
  const free = await ann.create({ translation_languages: [] })
  const zip = await takeOut(ann, free.slug)
  const { made, failed, lines } = await importInto(await newDesk(), zip)
  expect({ made, failed }).toEqual({ made: [free.slug], failed: [taken.slug] })
  expect(lines[0]).toBe(`failed ${taken.slug}: the slug is another author's`)
})

it("the import refuses a zip that is not a blog export", async () => {
  const { zip } = await download(await browserOf((await newDesk()).username))
  const text = new TextDecoder("latin1").decode(zip).replaceAll("manifest.json", "manifesto.txt")
  const other = Uint8Array.from(text, (char) => char.charCodeAt(0))
  await expect(openArchive(new Blob([other]))).rejects.toThrow("no export")
})

const BLOG_TEXTS = { blog_title: 'Ann\'s "blog" 🐟', blog_description: "Où l'on navigue.", author_name: "Ann O'Neil" }

it("the texts of an account come out of an export as they went in, and the import names those that are missing", async () => {
  const [ann, ben] = [await newAuthor(BLOG_TEXTS), await newAuthor({ author_name: "Ben" })]
  const { zip } = await download(await browserOf(ann.username))
  const { manifest } = await openArchive(new Blob([zip]))
  expect(manifest).toMatchObject(BLOG_TEXTS)
  const accountOf = async ({ key }: typeof ben) => (await call("GET", `${API}/account/`, { key })).json.account
  expect(settingsToCopy(manifest, await accountOf(ben))).toEqual(
    Object.entries(BLOG_TEXTS).map(
      ([name, text]) => `${name} is not imported. Set it at /settings/: ${JSON.stringify(text)}`,
    ),
  )
  const form = Object.fromEntries(Object.keys(BLOG_TEXTS).map((name) => [name, String(Reflect.get(manifest, name))]))
  await (await browserOf(ben.username)).post("/settings/blog/", form)
  expect(await accountOf(ben)).toMatchObject(BLOG_TEXTS)
  expect(settingsToCopy(manifest, await accountOf(ben))).toEqual([])
  // The manifest of version 0.1 has no texts of the account.
  for (const texts of [{}, { blog_title: null, blog_description: null, author_name: null }])
    expect(settingsToCopy(texts, await accountOf(ben))).toEqual([])
})

const TERMS = [
  { term: "Edgepost", keep: true, translations: {}, note: "The name" },
  { term: "invoice", keep: false, translations: { de: "Rechnung", fr: "facture" }, note: null },
]
const REDIRECTS = [
  { from: "/2023/%C3%A4pfel", to: "/tags/apples/", source: "github:ann/blog" },
  { from: "/2023/apples", to: "apples", source: "a script" },
  { from: "/?p=12", to: "apples", source: "a script" },
]
const SETTINGS = {
  ...BLOG_TEXTS,
  timezone: "Europe/Berlin",
  primary_language: "pt-BR",
  translation_languages: ["de"],
  translation_tones: { de: "Sie, formal" },
  translation_review: "hold",
  shows_translation_note: false,
}

/** Fields of an export that docs/export.md says to change: of the post, of its images, and of translations that are kept. */
const CHANGING = new Set(
  "created_at updated_at text_updated_at version image_ids cover_image_id edited engine".split(" "),
)

/** Downloads the export of an account. @returns its zip, and what stays the same when it is imported and exported again */
const exported = async (username: string) => {
  const { zip, files, manifest } = await download(await browserOf(username))
  // Posts of the same millisecond have no order.
  const texts = [...files].filter(([name]) => name.endsWith(".md")).toSorted(([a], [b]) => a.localeCompare(b))
  const same = texts.map(([name, bytes]) => {
    const { fields, body } = readFile(bytes)
    return [
      name,
      Object.entries(fields).filter(([field]) => !CHANGING.has(field)),
      body.replaceAll(/[0-9A-Z]{26}/g, "id"),
    ]
  })
  const { exported_at: _at, created_at: _made, webhooks: _hooks, ...account } = manifest
  return { zip, manifest, same: { account, texts: same } }
}

const setZone = (zone: string, username: string) =>
  rows("update accounts set timezone = ?, primary_language = 'pt-BR' where username = ?", zone, username)
const ask = async (desk: Desk, method: "GET" | "PATCH" | "PUT", path: string, json?: unknown) =>
  (await call(method, `${API}/account/${path}`, { key: desk.key, json })).json

it("an account that is exported, erased and made again by import has the same posts, glossary and redirects, and the import names the rest", async () => {
  const { timezone, ...settings } = SETTINGS
  const ann = await newDesk({ ...settings, primary_language: "en" })
  await ask(ann, "PATCH", "glossary/", { entries: TERMS })
  for (const source of new Set(REDIRECTS.map((redirect) => redirect.source))) {
    const redirects = REDIRECTS.filter((redirect) => redirect.source === source)
    await ask(ann, "PUT", `redirects/?source=${encodeURIComponent(source)}`, { redirects })
  }
  await writeBlog(ann)
  await setZone(timezone, ann.username)
  const hook = "https://hooks.example/a"
  await rows(
    "insert into webhook_endpoints (id, account_id, url, created_at) select 'e', id, ?, 0 from accounts where username = ?",
    hook,
    ann.username,
  )
  const before = await exported(ann.username)
  expect(before.manifest).toMatchObject({ ...SETTINGS, redirects: REDIRECTS, glossary: TERMS, webhooks: [hook] })

  await eraseAccount(ann)
  for (let n = 0; n < 3; n += 1) await runCron()
  const made = await newDesk()
  await rows("update accounts set username = ? where username = ?", ann.username, made.username)
  const ben = { ...made, username: ann.username }
  const bring = async () => {
    const { options, lines, requests } = optionsFor(ben, {})
    const archive = await openArchive(new Blob([before.zip]))
    expect(await restoreAccount(archive, (await ask(ben, "GET", "")).account, options)).toEqual([])
    return { lines, writes: requests.filter((request) => !request.startsWith("GET")) }
  }
  const { lines, writes } = await bring()
  expect(lines).toEqual([
    ...Object.entries(SETTINGS).map(([name, value]) => {
      const page = /translation_(?!l)|note/.test(name) ? "/settings/translations/" : "/settings/"
      return `warning ${name} is not imported. Set it at ${page}: ${JSON.stringify(value)}`
    }),
    `warning The webhook is not imported. Add it at /settings/webhooks/, with its new secret: ${hook}`,
  ])
  expect(writes).toEqual([
    `PATCH ${API}/account/glossary/`,
    ...["github%3Aann%2Fblog", "a%20script"].map((source) => `PUT ${API}/account/redirects/?source=${source}`),
  ])
  const { failed } = await importInto(ben, before.zip, { keep: true })
  expect(failed).toEqual([])
  expect((await bring()).writes).toEqual([])
  // What the import has printed.
  await setAccount(ben, { ...settings, primary_language: "en" })
  await setZone(timezone, ben.username)
  expect((await bring()).lines).toEqual([lines.at(-1)])
  const after = await exported(ben.username)
  expect(after.same).toEqual(before.same)

  // What its author has changed since stays.
  const other = { ...TERMS[1], note: "Other" }
  await ask(ben, "PATCH", "glossary/", { entries: [other] })
  await ask(ben, "PUT", "redirects/?source=a%20script", { redirects: [] })
  await ask(ben, "PUT", "redirects/?source=a%20script", { redirects: [{ from: "/?p=12", to: "pears" }] })
  const again = await bring()
  expect(again.writes).toEqual([])
  expect(again.lines).toEqual(
    expect.arrayContaining([
      "warning The glossary has another entry for invoice, which stays.",
      "warning There are other redirects of a script, which stay.",
    ]),
  )
})
