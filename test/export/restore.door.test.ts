import { PhotonImage } from "@cf-wasm/photon"
import { expect, it } from "vitest"

import { openArchive } from "../../scripts/archive.mjs"
import { restore } from "../../scripts/restore.mjs"
import { idsOf, remove } from "../calls.ts"
import { call, encode, fetchWorker, ORIGIN, passSeconds, stopClock, unique, upload } from "../support.ts"
import { type Desk, newDesk } from "../translations/author.ts"
import { browserOf, download } from "./download.ts"

/** A picture with slopes and edges, each of its own colours. */
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

/** Peak signal-to-noise ratio in dB. */
const psnr = (a: Uint8Array, b: Uint8Array): number => {
  const squares = a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0)
  return 10 * Math.log10(255 ** 2 / (squares / a.length))
}

const LANGUAGES = { translation_languages: ["fr", "es"] }

/** A blog with all that an export has to carry. */
const writeBlog = async (desk: Desk): Promise<string[]> => {
  const pictures = [await upload(desk, photo(64, 48, 0)), await upload(desk, photo(33, 70, 1))]
  const body = `---\nWords\r\n\r\n![one](${pictures[0]?.image_url})\n\n[two]: ${pictures[1]?.image_url}`
  const image_ids = pictures.map(({ image_id }) => image_id)
  const { slug } = await desk.create({
    slug: unique("blog"),
    body,
    image_ids,
    tags: "a, b",
    categories: "x, y",
    ...LANGUAGES,
  })
  await desk.run()
  const fr = `Mots\n\n![deux](${pictures[1]?.image_url})`
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
  const text = { title, meta_description, body, status, categories, tags, primary_language, translation_languages }
  const { edited, stale, listed } = (await desk.translations(slug))[lang] ?? {}
  return {
    ...text,
    edited,
    stale,
    listed,
    images: images as { image_id: string; image_url: string }[],
  }
}

const importInto = async (desk: Desk, zip: Uint8Array<ArrayBuffer>, vars: Partial<Env> = {}) => {
  const lines: string[] = []
  const waited: number[] = []
  const outcome = await restore(await openArchive(new Blob([zip])), {
    request: async (method, path, body) => {
      const sent = body instanceof FormData ? { body } : { json: body }
      const answer = await call(method, path, {
        key: desk.key,
        env: { ...desk.env, ...vars },
        ...(body !== undefined && sent),
      })
      return { status: answer.status, retryAfter: Number(answer.headers.get("Retry-After")), json: answer.json }
    },
    wait: (seconds) => {
      waited.push(seconds)
      passSeconds(seconds)
    },
    report: (kind, line) => void lines.push(`${kind} ${line}`),
  })
  return { ...outcome, lines, waited }
}

it("from the zip alone, another account has the same posts, and edits are still edits", async () => {
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
  const pictures = await Promise.all(before[0]?.images.map(({ image_url }) => pixelsOf(image_url)) ?? [])
  const { zip } = await download(await browserOf(ann.username))
  for (const at of slugs) await remove(ann, at)

  const ben = await newDesk({ primary_language: "it", translation_languages: ["ja"] })
  const { made, failed, lines, waited } = await importInto(ben, zip, { UPLOADS_PER_MINUTE: "1" })
  expect({ made, failed, lines }).toEqual({ made: slugs, failed: [], lines: slugs.map((at) => `made ${at}`) })
  expect(waited.length).toBe(1)
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
  for (const [i, { pixels }] of again.entries()) expect(psnr(pixels, pictures[i]?.pixels ?? pixels)).toBeGreaterThan(32)
  expect(psnr(again[0]?.pixels ?? zip, again[0]?.pixels.map((value) => value + 8) ?? zip)).toBeLessThan(32)

  expect(await importInto(ben, zip)).toMatchObject({ made: [], skipped: slugs, failed: [] })
})

it("the same account has a post back whose picture is missing from the zip", async () => {
  stopClock()
  const ann = await newDesk()
  const { image_id, image_url } = await upload(ann)
  const { slug } = await ann.create({
    body: `Words ![one](${image_url})`,
    image_ids: [image_id],
    translation_languages: [],
  })
  const browser = await browserOf(ann.username)
  const { MEDIA } = await import("../support.ts").then(({ env }) => env)
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

it("a slug that another author took fails, without a trace, and the others are made", async () => {
  stopClock()
  const ann = await newDesk()
  const taken = await ann.create({ translation_languages: [] })
  // Posts of one millisecond have no order.
  passSeconds(1)
  const free = await ann.create({ translation_languages: [] })
  const { zip } = await download(await browserOf(ann.username))
  await remove(ann, free.slug)
  const { made, failed, lines } = await importInto(await newDesk(), zip)
  expect({ made, failed }).toEqual({ made: [free.slug], failed: [taken.slug] })
  expect(lines[0]).toBe(`failed ${taken.slug}: the slug is another author's`)
})

it("refuses what is no export", async () => {
  const { zip } = await download(await browserOf((await newDesk()).username))
  const text = new TextDecoder("latin1").decode(zip).replaceAll("manifest.json", "manifesto.txt")
  const other = Uint8Array.from(text, (char) => char.charCodeAt(0))
  await expect(openArchive(new Blob([other]))).rejects.toThrow("no export")
})
