import { PhotonImage } from "@cf-wasm/photon"
import { expect, it } from "vitest"

import { type Archive, type ExportedText, openArchive } from "../../scripts/archive.ts"
import { textsToCopy } from "../../scripts/restore-plan.ts"
import { complaintOf, restore } from "../../scripts/restore.ts"
import { create, idsOf, remove } from "../calls.ts"
import { beforeCall, INSERT_POST, tapD1 } from "../faults.ts"
import {
  API,
  call,
  encode,
  env,
  fetchWorker,
  newAuthor,
  ORIGIN,
  passSeconds,
  runCron,
  stopClock,
  unique,
  upload,
} from "../support.ts"
import { type Desk, newDesk } from "../translations/author.ts"
import { browserOf, download } from "./download.ts"

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

const pixelsOf = async (url: string) => {
  const answer = await fetchWorker(new Request(`${ORIGIN}${url}`))
  const image = PhotonImage.new_from_byteslice(new Uint8Array(await answer.arrayBuffer()))
  return { width: image.get_width(), height: image.get_height(), pixels: image.get_raw_pixels() }
}

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
  const { slug } = await desk.create({
    slug: unique("blog"),
    body,
    image_ids,
    tags: "a, b",
    categories: "x, y",
    published_at: "2020-02-03T04:05:06.789Z",
    cover_image_id: cover.image_id,
    canonical_url: "https://example.org/original",
    author_name: "Ada Lovelace",
    source: "a script",
    ...LANGUAGES,
  })
  await desk.run()
  const fr = `Mots\n\n![deux](${images[1]?.image_url})`
  await desk.patch(slug, { ...LANGUAGES, lang_code: "fr", title: "Un titre", body: fr })
  await desk.patch(slug, { ...LANGUAGES, title: "Another title" })
  await desk.patch(slug, { ...LANGUAGES, lang_code: "es", meta_description: "De qué trata." })
  await desk.run()
  const unlisted = await desk.create({ slug: unique("blog"), translation_languages: ["de"] })
  await desk.run()
  await desk.patch(unlisted.slug, { translation_languages: [] })
  const draft = await desk.create({
    slug: unique("blog"),
    status: "DF",
    primary_language: "pt-BR",
    translation_languages: [],
  })
  return [slug, unlisted.slug, draft.slug]
}

const read = async (desk: Desk, slug: string, lang: string) => {
  const { json } = await desk.get(slug, lang)
  const { title, meta_description, body, status, categories, tags, primary_language, translation_languages, images } =
    json.post
  const { published_at, canonical_url, author_name, source, cover_image_id } = json.post
  const extras = { published_at, canonical_url, author_name, source, hasCover: cover_image_id !== null }
  const languages = { primary_language, translation_languages }
  const text = { title, meta_description, body, status, categories, tags, ...languages, ...extras }
  const { edited, stale, listed } = (await desk.translations(slug))[lang] ?? {}
  return {
    ...text,
    edited,
    stale,
    listed,
    images: (images as { image_id: string; image_url: string }[]).filter(({ image_id }) => image_id !== cover_image_id),
  }
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

const importInto = async (desk: Desk, zip: Uint8Array<ArrayBuffer>, { vars = {}, keep, cut, forge }: Way = {}) => {
  const lines: string[] = []
  const waited: number[] = []
  const requests: string[] = []
  const outcome = await restore(forged(await openArchive(new Blob([zip])), forge), {
    ...(keep !== undefined && { keep }),
    username: desk.username,
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
  })
  return { ...outcome, lines, waited, requests }
}

it("importing an export zip gives another account the same posts, with edits still marked as edits", async () => {
  stopClock()
  const ann = await newDesk()
  const slugs = await writeBlog(ann)
  const [slug = "", unlisted = "", draft = ""] = slugs
  const texts: [string, string][] = [
    [slug, "en"],
    [slug, "fr"],
    [slug, "es"],
    [unlisted, "en"],
    [unlisted, "de"],
    [draft, "pt-BR"],
  ]
  const before = await Promise.all(texts.map(([at, lang]) => read(ann, at, lang)))
  const originals = await Promise.all(before[0]?.images.map(({ image_url }) => pixelsOf(image_url)) ?? [])
  const { zip } = await download(await browserOf(ann.username))
  for (const at of slugs) await remove(ann, at)

  const ben = await newDesk({ primary_language: "it", translation_languages: ["ja"] })
  const { made, failed, lines, waited } = await importInto(ben, zip, { vars: { UPLOADS_PER_MINUTE: "1" } })
  expect({ made, failed, lines }).toEqual({ made: slugs, failed: [], lines: slugs.map((at) => `made ${at}`) })
  expect(waited.length).toBe(2)
  await ben.run()

  const after = await Promise.all(texts.map(([at, lang]) => read(ben, at, lang)))
  const [oldIds, newIds] = [before, after].map(([own]) => idsOf(own ?? { images: [] }))
  const mapped = (text: string) =>
    (oldIds ?? []).reduce(
      (all, id, i) => all.replaceAll(id, newIds?.[i] ?? ""),
      text.replaceAll(`/media/${ann.username}/`, `/media/${ben.username}/`),
    )
  const comparable = (all: typeof before) =>
    all.map(({ images, body, ...rest }, i) => ({
      ...rest,
      body: mapped(body),
      images: images.length,
      ...(texts[i]?.[1] === "de" && { edited: null }),
    }))
  expect(newIds).not.toEqual(oldIds)
  expect(comparable(after)).toEqual(comparable(before))
  expect(after[1]).toMatchObject({ edited: ["title", "body"], stale: ["title"], listed: true })
  expect(after[2]).toMatchObject({ edited: ["meta_description"], stale: [] })
  expect(after[4]).toMatchObject({ listed: false })
  expect(after[5]).toMatchObject({ status: "DF" })

  const again = await Promise.all(after[0]?.images.map(({ image_url }) => pixelsOf(image_url)) ?? [])
  expect(again.map(({ width, height }) => [width, height])).toEqual([
    [64, 48],
    [33, 70],
  ])
  for (const [i, { pixels }] of again.entries())
    expect(psnr(pixels, originals[i]?.pixels ?? pixels)).toBeGreaterThan(32)
  expect(psnr(again[0]?.pixels ?? zip, again[0]?.pixels.map((value) => value + 8) ?? zip)).toBeLessThan(32)

  const twice = await importInto(ben, zip)
  expect(twice).toMatchObject({ made: [], there: slugs, skipped: [], failed: [] })
  expect(complaintOf(twice)).toBeNull()
  expect(await Promise.all(texts.map(([at, lang]) => read(ben, at, lang)))).toEqual(after)
})

/** Exports and deletes a draft and a post that takes many calls to restore. */
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
  const { zip } = await download(await browserOf(ann.username))
  for (const at of slugs) await remove(ann, at)
  return { zip, slugs, slug, draft: String(draft.slug) }
}

/** Returns the English and French text of a post without the values that differ between accounts. */
const standing = async (desk: Desk, slug: string) => {
  await desk.run()
  const texts = [await read(desk, slug, "en"), await read(desk, slug, "fr")]
  return texts.map(({ images, body, ...rest }) => ({ ...rest, body: body.replace(/\/media\S+/, ""), n: images.length }))
}

it("an import of an export zip that is interrupted at any request is completed by the next import", async () => {
  stopClock()
  const { zip, slugs, slug, draft } = await exportBlog()
  const whole = await newDesk()
  const { requests } = await importInto(whole, zip)
  const wanted = await standing(whole, slug)
  expect(wanted).toMatchObject([{ status: "PB" }, { edited: ["title", "body"], stale: ["title"] }])
  expect(requests.length).toBeGreaterThan(9)
  for (const at of slugs) await remove(whole, at)

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
    for (const each of slugs) await remove(ben, each)
  }
})

it.each([
  ["deleted by the cleanup", () => runCron()],
  ["not yet deleted by the cleanup", () => undefined],
])("an interrupted import of an export zip continues half an hour later, with its uploads %s", async (_, meanwhile) => {
  stopClock()
  const { zip, slugs } = await exportBlog()
  const ben = await newDesk()
  await expect(importInto(ben, zip, { cut: { at: 2, arrives: false } })).rejects.toThrow("cut")
  passSeconds(1801)
  await meanwhile()
  const { made, requests } = await importInto(ben, zip)
  expect(made).toEqual(slugs)
  expect(requests.filter((request) => request.includes("image-upload")).length).toBeGreaterThan(1)
})

/** Returns a text as version 0.1 exported it. */
const asIn01 = ({ cover_image_id: _c, canonical_url: _u, author_name: _a, source: _s, ...text }: ExportedText) => text

it("an export of version 0.1, which lacks the newer fields, is imported with its dates, and is there afterwards", async () => {
  stopClock()
  const ann = await newDesk()
  const { slug, published_at } = await ann.create({ published_at: "2020-02-03T04:05:06.000Z" })
  const { zip } = await download(await browserOf(ann.username))
  await remove(ann, slug)
  const ben = await newDesk()
  expect(await importInto(ben, zip, { forge: asIn01 })).toMatchObject({ made: [slug], failed: [] })
  expect((await ben.get(slug)).json.post).toMatchObject({ published_at, cover_image_id: null, source: null })
  expect(await importInto(ben, zip, { forge: asIn01 })).toMatchObject({ there: [slug], failed: [] })
})

it("an import of an export zip makes posts again that were deleted after an earlier import", async () => {
  stopClock()
  const { zip, slugs } = await exportBlog()
  const ben = await newDesk()
  for (let times = 0; times < 3; times += 1) {
    expect((await importInto(ben, zip)).made).toEqual(slugs)
    for (const at of slugs) await remove(ben, at)
  }
})

it("an import repeated a day later keeps complete posts and reports incomplete drafts as skipped", async () => {
  stopClock()
  const { zip, slug, slugs } = await exportBlog()
  const [ann, ben] = [await newDesk(), await newDesk()]
  const { requests } = await importInto(ann, zip)
  for (const at of slugs) await remove(ann, at)
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
  stopClock()
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
  expect(await read(ben, slug, "fr")).toMatchObject({ title: "Un titre", edited: ["title"], stale: ["title"] })
})

it.each(["DF", "PB"])(
  "an import skips and reports a slug that another post (%s) of the account already has",
  async (status) => {
    stopClock()
    const { zip, slug, draft } = await exportBlog()
    const ben = await newDesk()
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
  stopClock()
  const { zip, slugs, slug, draft } = await exportBlog()
  const ben = await newDesk()
  const outcome = await importInto(ben, zip, { forge: forgeTitle })
  expect(outcome).toMatchObject({ made: [draft], failed: [slug] })
  expect(complaintOf(outcome)).toContain(slug)
  expect((await ben.get(slug)).status).toBe(404)
  expect(await importInto(ben, zip)).toMatchObject({ made: [slug], there: [draft], skipped: [], failed: [] })
  expect((await importInto(ben, zip)).there).toEqual(slugs)
})

it("an import reports a partial post that it cannot delete, and the next import completes the post", async () => {
  stopClock()
  const { zip, slug } = await exportBlog()
  const ben = await newDesk()
  const DB = beforeCall(/^delete from "posts"/, () => Promise.reject(new Error("A fault that a test made.")))
  const { lines, failed } = await importInto(ben, zip, { forge: forgeTitle, vars: { DB } })
  expect(failed).toEqual([slug])
  expect(lines[0]).toMatch(/a draft of it is left, which could not be deleted: 500/)
  expect((await importInto(ben, zip)).made).toEqual([slug])
  expect((await ben.get(slug)).json.post.status).toBe("PB")
})

it("a post whose creation loses its answer during an import is reported as failed and deleted", async () => {
  stopClock()
  const { zip, slug } = await exportBlog()
  const ben = await newDesk()
  let inserts = 0
  let isLost = false
  const DB = tapD1({
    before: (statements) => {
      isLost = statements.some(({ sql }) => INSERT_POST.test(sql)) && (inserts += 1) === 1
    },
    around: async (run) => {
      const answer = await run()
      if (isLost) throw new Error("A fault that a test made.")
      return answer
    },
  })
  expect((await importInto(ben, zip, { vars: { DB } })).failed).toContain(slug)
  expect((await ben.get(slug)).status).toBe(404)
  expect((await importInto(ben, zip)).made).toContain(slug)
})

it("an import can keep machine translations as edits; those that the API refuses are translated again", async () => {
  stopClock()
  const ann = await newDesk({ translation_languages: ["fr", "es"] })
  const long = "ab ".repeat(85).trim()
  const kept = await ann.create()
  passSeconds(1)
  const refused = await ann.create({ title: long })
  await ann.run()
  const before = await read(ann, kept.slug, "fr")
  const { zip } = await download(await browserOf(ann.username))
  for (const { slug } of [kept, refused]) await remove(ann, slug)

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
  expect(after.title).toContain("·fr")
  expect((await ben.translations(refused.slug)).fr).toMatchObject({ status: "queued", edited: [] })
})

it("an account can import its exported post again even if an image is missing from the zip", async () => {
  stopClock()
  const ann = await newDesk()
  const { image_id, image_url } = await upload(ann)
  const { slug } = await ann.create({
    body: `Words ![one](${image_url})`,
    image_ids: [image_id],
    translation_languages: [],
  })
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

it("an import of an export zip leaves absolute image URLs in a body unchanged", async () => {
  stopClock()
  const [ann, ben] = [await newDesk(), await newDesk()]
  const { image_id, image_url } = await upload(ann)
  const elsewhere = `https://old.example${image_url} http://localhost:8787${image_url} //old.example${image_url}`
  const { slug } = await ann.create({
    body: `![one](${image_url}) ${elsewhere}`,
    image_ids: [image_id],
    translation_languages: [],
  })
  const { zip } = await download(await browserOf(ann.username))
  await remove(ann, slug)
  await importInto(ben, zip)
  const { body, images } = (await ben.get(slug)).json.post
  expect(body).toBe(`![one](${images[0].image_url}) ${elsewhere}`)
})

it("an import of an export zip rewrites links between its posts to the new account", async () => {
  stopClock()
  const [ann, ben] = [await newDesk(), await newDesk()]
  const elsewhere = `https://old.example/@${ann.username}/other/ /@${ann.username}x/other/ /@${ann.username}/`
  const link = (username: string) => `[a](/@${username}/other/fr/#b) [c](</@${username}/other>) ${elsewhere}`
  const { slug } = await ann.create({ body: link(ann.username), translation_languages: [] })
  const { zip } = await download(await browserOf(ann.username))
  await remove(ann, slug)
  await importInto(ben, zip)
  expect((await ben.get(slug)).json.post.body).toBe(link(ben.username))
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
  (await desk.get(slug)).json.post.images.map(({ width }: { width: number }) => width)

it.each([
  ["shows all but the ninth", 8, [16, 17, 18, 19, 20, 21, 22, 24, 23]],
  ["shows the first alone", 1, [17, 18, 19, 20, 21, 22, 23, 24, 16]],
])("an import of a post whose body %s of nine images attaches all nine images", async (_, shown, widths) => {
  stopClock()
  const ann = await newDesk()
  const { slug } = await attachMany(ann, 9, shown)
  expect(await widthsOf(ann, slug)).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24])
  const { zip } = await download(await browserOf(ann.username))
  await remove(ann, slug)
  const ben = await newDesk()
  expect((await importInto(ben, zip)).lines).toEqual([`made ${slug}`])
  expect(await widthsOf(ben, slug)).toEqual(widths)
})

it("an import reports the images of a post beyond eight that no text shows, and does not attach them", async () => {
  stopClock()
  const ann = await newDesk()
  const { slug, ids } = await attachMany(ann, 10, 0)
  const { zip } = await download(await browserOf(ann.username))
  await remove(ann, slug)
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
  stopClock()
  const ann = await newDesk()
  const taken = await ann.create({ translation_languages: [] })
  // Posts of the same millisecond have no order.
  passSeconds(1)
  const free = await ann.create({ translation_languages: [] })
  const { zip } = await download(await browserOf(ann.username))
  await remove(ann, free.slug)
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
  expect(textsToCopy(manifest, await accountOf(ben))).toEqual([
    `blog_title is not imported. Set it at /settings/: ${JSON.stringify(BLOG_TEXTS.blog_title)}`,
    `blog_description is not imported. Set it at /settings/: ${JSON.stringify(BLOG_TEXTS.blog_description)}`,
    `author_name is not imported. Set it at /settings/: ${JSON.stringify(BLOG_TEXTS.author_name)}`,
  ])
  const { blog_title, blog_description, author_name } = manifest
  const form = {
    blog_title: String(blog_title),
    blog_description: String(blog_description),
    author_name: String(author_name),
  }
  await (await browserOf(ben.username)).post("/settings/blog/", form)
  expect(await accountOf(ben)).toMatchObject(BLOG_TEXTS)
  expect(textsToCopy(manifest, await accountOf(ben))).toEqual([])
})

it("an export of version 0.1, whose manifest has no texts of the account, leaves nothing to copy", async () => {
  const { key } = await newAuthor(BLOG_TEXTS)
  const { account } = (await call("GET", `${API}/account/`, { key })).json
  expect(textsToCopy({}, account)).toEqual([])
  expect(textsToCopy({ blog_title: null, blog_description: null, author_name: null }, account)).toEqual([])
})
