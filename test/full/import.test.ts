import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, beforeAll, expect, test } from "vitest"

import { ssim } from "../../bench/images/quality.ts"
import { type Service, startService } from "../e2e/child.ts"
import { call, service as second } from "../e2e/support.ts"
import { clientOf, run, settle, TEXTS, writeBlog } from "./blog.ts"

let folder: string
let first: Awaited<ReturnType<typeof startService>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgepost-import-"))
  first = await startService()
})
afterAll(async () => {
  await first.stop()
  await rm(folder, { recursive: true })
})

/** Calls the operator's API. @param path below `accounts/` */
const operate = async ({ origin, operatorToken }: Service, method: string, path: string, changes?: object) => {
  const init = { headers: { Authorization: `Bearer ${operatorToken}` }, body: JSON.stringify(changes) ?? null }
  return (await call(method, `${origin}/operator/api/accounts/${path}`, init)).json
}

/** Makes a paid account. */
const newAccount = async (service: Service, username: string): Promise<{ origin: string; key: string }> => {
  await operate(service, "PATCH", `${username}/`, { paid_until: "2099-01-01T00:00:00Z" })
  return { origin: service.origin, key: (await operate(service, "POST", `${username}/keys/`)).api_key }
}

/** Downloads the export of an account and returns the path of the zip. */
const download = async (service: Service, username: string): Promise<string> => {
  const { origin } = service
  const { sign_in_url } = await operate(service, "POST", `${username}/sign-in-links/`)
  const init = { method: "POST", headers: { Origin: origin }, body: new URLSearchParams() }
  const signedIn = await fetch(sign_in_url, { ...init, redirect: "manual" })
  const cookies = signedIn.headers.getSetCookie().map((line) => line.split(";")[0])
  const answer = await fetch(`${origin}/settings/export/`, { headers: { Cookie: cookies.join("; ") } })
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "application/zip"])
  const zip = join(folder, "export.zip")
  await writeFile(zip, await answer.bytes())
  return zip
}

/** Runs the import script and returns its output. @throws when its exit code is not 0 */
const runImport = (zip: string, { origin, key }: Pick<Service, "origin" | "key">): Promise<string> =>
  run("env", `KEY=${key}`, process.execPath, "scripts/run.mjs", "import", zip, "--base", origin)

const read = (client: ReturnType<typeof clientOf>) =>
  Promise.all(TEXTS.map(async (text) => (await client("GET", `posts/${text}`)).post))

interface Image {
  image_url: string
  width: number
  height: number
}

// Each image has a unique size, by which it is recognized.
const sizeOf = ({ width, height }: Image): string => `${width}×${height}`

/** Returns the values that are equal in both instances, with sizes in place of image URLs. */
const comparable = (posts: Awaited<ReturnType<typeof read>>) =>
  posts.map(({ lang_code, title, meta_description, body, translations, images, ...post }) => {
    const { status, edited, stale, listed } =
      translations.find((each: { lang_code: string }) => each.lang_code === lang_code) ?? {}
    return {
      text: [lang_code, title, meta_description],
      body: images.reduce((text: string, each: Image) => text.replaceAll(each.image_url, sizeOf(each)), body),
      post: [post.slug, post.status, post.categories, post.tags, post.primary_language, post.translation_languages],
      translation: { status, edited, stale, listed },
      sizes: images.map(sizeOf).toSorted(),
    }
  })

/** Returns the luma by image size, as Debian's libwebp decodes it. */
const readImages = async (origin: string, images: Image[]): Promise<Map<string, Uint8Array>> => {
  const found = new Map<string, Uint8Array>()
  const [webp, yuv] = [join(folder, "image.webp"), join(folder, "image.yuv")]
  for (const image of images) {
    await writeFile(webp, await (await fetch(`${origin}${image.image_url}`)).bytes())
    await run("dwebp", "-quiet", "-yuv", webp, "-o", yuv)
    found.set(sizeOf(image), (await readFile(yuv)).subarray(0, image.width * image.height))
  }
  return found
}

test("the import script restores the blog of a deleted instance from its export zip alone", async () => {
  // The account `demo` has the example post already.
  const ann = clientOf(await newAccount(first, "ann"))
  await writeBlog(ann)
  const before = await read(ann)
  const images = await readImages(first.origin, before[0].images)
  const zip = await download(first, "ann")
  await first.stop()

  const account = await newAccount(second, "ben")
  const ben = clientOf(account)
  const printed = await runImport(zip, account)
  expect(printed).toContain("3 made, 0 there already, 0 skipped, 0 failed.")
  expect(printed).not.toContain("warning")
  await settle(ben, "nine", "unlisted")
  const after = await read(ben)

  const expected = comparable(before)
  expect(expected.map(({ translation: { edited, stale } }) => [edited, stale])).toEqual([
    [undefined, undefined],
    [["title", "body"], ["title"]],
    [["meta_description"], []],
    [undefined, undefined],
    [["title"], []],
    [undefined, undefined],
  ])
  // No engine translates an unlisted language again, so its machine translation is restored as edits.
  Object.assign(expected[4]?.translation ?? {}, { edited: ["title", "meta_description", "body"] })
  expect(comparable(after)).toEqual(expected)
  expect(JSON.stringify(after)).not.toContain("/media/ann/")

  const made = await readImages(second.origin, after[0].images)
  expect([...made.keys()].toSorted()).toEqual([...images.keys()].toSorted())
  expect(made.size).toBe(9)
  for (const [size, luma] of made) {
    const [width] = size.split("×").map(Number)
    const original = images.get(size) ?? new Uint8Array()
    expect(ssim(luma, original, width ?? 0), size).toBeGreaterThanOrEqual(0.95)
    expect(ssim(luma, original.toReversed(), width ?? 0), size).toBeLessThan(0.95)
  }

  expect(await runImport(zip, account)).toContain("0 made, 3 there already, 0 skipped, 0 failed.")
  expect(await read(ben)).toEqual(after)
})
