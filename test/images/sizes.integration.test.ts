import { expect, it } from "vitest"

import { readHeader } from "../../src/images/codec/header.ts"
import { remove } from "../calls.ts"
import {
  encode,
  env,
  fetchWorker,
  newAuthor,
  newPost,
  ORIGIN,
  passSeconds,
  png,
  rows,
  stopClock,
  upload,
} from "../support.ts"

/** Asks for a file, and reads its size in pixels. */
const sizeAt = async (
  path: string,
): Promise<[status: number, width: number | undefined, height: number | undefined]> => {
  const answer = await fetchWorker(new Request(`${ORIGIN}${path}`))
  const header = readHeader(new Uint8Array(await answer.arrayBuffer()), "webp")
  return [answer.status, header?.width, header?.height]
}

const atWidth = (path: string, width: number): string => path.replace(".webp", `-${width}.webp`)

const filesOf = async (id: string): Promise<{ key: string; size: number }[]> => {
  const { objects } = await env.MEDIA.list()
  return objects.filter(({ key }) => key.includes(id)).map(({ key, size }) => ({ key: key.split("/")[1] ?? "", size }))
}

const clear = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  encode(new Uint8Array(width * height * 4).fill(77), width, height, "png")

it.each([
  [
    "of 2000 pixels",
    () => png(2000, 500),
    [
      [640, 160],
      [1280, 320],
    ],
  ],
  [
    "of 1920 pixels",
    () => png(1920, 480),
    [
      [640, 160],
      [1920, 480],
    ],
  ],
  [
    "of 960 pixels",
    () => png(960, 240),
    [
      [960, 240],
      [960, 240],
    ],
  ],
  [
    "of 2000 pixels that is transparent",
    () => Promise.resolve(clear(2000, 500)),
    [
      [2000, 500],
      [2000, 500],
    ],
  ],
])("an image %s is there in the smaller widths that it needs, else as it is", async (_, file, sizes) => {
  const author = await newAuthor()
  const { image_id, image_url, width, height } = await upload(author, await file())
  expect(await Promise.all([640, 1280].map((each) => sizeAt(atWidth(image_url, each))))).toEqual(
    sizes.map((size) => [200, ...size]),
  )
  expect(await sizeAt(image_url)).toEqual([200, width, height])
  expect((await sizeAt(atWidth(image_url, 800)))[0]).toBe(404)
  // The account pays for what is stored.
  const stored = (await filesOf(image_id)).reduce((sum, { size }) => sum + size, 0)
  expect(await rows("select stored_bytes from accounts where username = ?", author.username)).toEqual([
    { stored_bytes: stored },
  ])
})

it("a page offers the smaller widths of its images, loads the first at once, and the HTML of the API has one source", async () => {
  const author = await newAuthor()
  const [wide, narrow] = [await upload(author, await png(2000, 500)), await upload(author, await png(900, 300))]
  const { slug, html } = await newPost(author, {
    body: `![a](${wide.image_url})\n\n![b](${narrow.image_url})\n\n![c](${wide.image_url})`,
  })
  const page = await (await fetchWorker(new Request(`${ORIGIN}/@${author.username}/${slug}/`))).text()
  const images = [...page.matchAll(/<img [^>]*>/g)].map(([tag]) => tag)
  const url = wide.image_url
  const set = `srcset="${atWidth(url, 640)} 640w, ${atWidth(url, 1280)} 1280w, ${url} 2000w" sizes="(max-width: 46rem) 100vw, 42rem"`
  expect(images.map((tag) => [tag.includes(set), tag.includes("srcset"), tag.includes('loading="lazy"')])).toEqual([
    [true, true, false],
    [false, false, true],
    [true, true, true],
  ])
  expect(images.every((tag) => / width="\d+" height="\d+"/.test(tag))).toBe(true)
  expect(html).not.toContain("srcset")
})

it("an image is deleted in all of its widths", async () => {
  stopClock()
  const author = await newAuthor()
  const { image_id, image_url } = await upload(author, await png(2000, 500))
  const { slug } = await newPost(author, { body: `![](${image_url})` })
  expect((await filesOf(image_id)).length).toBe(3)
  passSeconds(31 * 60)
  await remove(author, slug)
  expect(await filesOf(image_id)).toEqual([])
})
