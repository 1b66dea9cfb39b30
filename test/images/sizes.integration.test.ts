import { expect, it } from "vitest"

import { readHeader } from "../../src/images/codec/header.ts"
import { patch, remove } from "../calls.ts"
import {
  encode,
  env,
  fetchWorker,
  newAuthor,
  newPost,
  ORIGIN,
  passSeconds,
  photo,
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

const MISSING = [404, undefined, undefined]

it.each([
  ["of 2000 pixels", () => photo(2000, 500), [200, 640, 160], [200, 1280, 320]],
  ["of 1920 pixels", () => photo(1920, 480), [200, 640, 160], MISSING],
  ["of 960 pixels", () => photo(960, 240), MISSING, MISSING],
  ["of 2000 pixels that is transparent", () => clear(2000, 500), MISSING, MISSING],
  ["of 2000 pixels of one colour", () => png(2000, 500), MISSING, MISSING],
])("an image %s is there in the smaller widths that save bytes, and no others", async (_, file, ...sizes) => {
  const author = await newAuthor()
  const { image_id, image_url, width, height } = await upload(author, await file())
  expect(await Promise.all([640, 1280].map((each) => sizeAt(atWidth(image_url, each))))).toEqual(sizes)
  expect(await sizeAt(image_url)).toEqual([200, width, height])
  const files = await filesOf(image_id)
  expect(Math.max(...files.map(({ size }) => size))).toBe(files.find(({ key }) => key === `${image_id}.webp`)?.size)
  expect((await sizeAt(atWidth(image_url, 800)))[0]).toBe(404)
  // The account pays for what is stored.
  const stored = files.reduce((sum, { size }) => sum + size, 0)
  expect(await rows("select stored_bytes from accounts where username = ?", author.username)).toEqual([
    { stored_bytes: stored },
  ])
})

it("a page shows an image as wide or as high as its author wrote it, in its own proportions and no wider than the text", async () => {
  const author = await newAuthor()
  const { image_url } = await upload(author, await png(1200, 800))
  const sizes = [
    ['width="300"', [300, 200]],
    ["width='300px' height=900", [300, 200]],
    ['height="400"', [600, 400]],
    ['width="50%"', [329, 219]],
    ['width="1200"', [1200, 800]],
    ['width="9000"', [1200, 800]],
    ['width="auto" height="50%"', [1200, 800]],
    ['width="0"', [1200, 800]],
    ['width="0.1"', [1, 1]],
  ] as const
  const body = sizes.map(([size]) => `<img src="${image_url}" ${size}>`).join("\n\n")
  const { slug } = await newPost(author, { body })
  const page = await (await fetchWorker(new Request(`${ORIGIN}/@${author.username}/${slug}/`))).text()
  const shown = [...page.matchAll(/<img\s[^>]*\swidth="(\d+)"\s+height="(\d+)"/g)]
  expect(shown.map(([, width, height]) => [Number(width), Number(height)])).toEqual(sizes.map(([, size]) => size))
})

it("a page offers the smaller widths of its images, loads the first at once, and the HTML of the API has one source", async () => {
  const author = await newAuthor()
  const wide = await upload(author, photo(2000, 500))
  const [narrow, plain] = [await upload(author, await png(900, 300)), await upload(author, await png(2000, 400))]
  const { slug, html } = await newPost(author, {
    body: [wide, narrow, wide, plain].map((each) => `![a](${each.image_url})`).join("\n\n"),
  })
  const url = wide.image_url
  const set = `srcset="${atWidth(url, 640)} 640w, ${atWidth(url, 1280)} 1280w, ${url} 2000w" sizes="`
  const imagesAt = async (path: string) => {
    const page = await (await fetchWorker(new Request(`${ORIGIN}/@${author.username}/${path}`))).text()
    const tags = [...page.matchAll(/<img\s[^>]*>/g)].map(([tag]) => tag)
    expect(tags.every((tag) => /\swidth="\d+"\s+height="\d+"/.test(tag))).toBe(true)
    return tags.map((tag) => [tag.includes(set), tag.includes("srcset"), tag.includes('loading="lazy"')])
  }
  const [small, other] = [
    [false, false, true],
    [true, true, true],
  ]
  expect(await imagesAt(`${slug}/`)).toEqual([[true, true, false], small, other, small])
  await patch(author, slug, { cover_image_id: wide.image_id })
  expect(await imagesAt(`${slug}/`)).toEqual([[true, true, false], other, small, other, small])
  expect(await imagesAt("")).toEqual([other])
  expect(html).not.toContain("srcset")
})

it("an image is deleted in all of its widths", async () => {
  stopClock()
  const author = await newAuthor()
  const { image_id, image_url } = await upload(author, photo(2000, 500))
  const { slug } = await newPost(author, { body: `![](${image_url})` })
  expect((await filesOf(image_id)).length).toBe(3)
  passSeconds(31 * 60)
  await remove(author, slug)
  expect(await filesOf(image_id)).toEqual([])
})
