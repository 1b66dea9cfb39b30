import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { deflateSync } from "node:zlib"

import { newKey, origin } from "../e2e/support.ts"
import { bytesOf, pngChunk, pngHead } from "../images/chunks.ts"
import { clientOf } from "./blog.ts"

// Blogs to read: in their feeds, and on their pages.

const execute = promisify(execFile)

/** Runs a program and returns its output. @throws when its exit code is not 0 */
export const run = async (command: string, ...args: string[]): Promise<string> =>
  (await execute(command, args, { maxBuffer: 2 ** 26 })).stdout

type Client = ReturnType<typeof clientOf>

/** Makes a paid account with the texts of its blog. */
export const newBlog = async (username: string, texts: Record<string, unknown> = {}): Promise<Client> =>
  clientOf({ origin, key: await newKey(username, texts) })

/** Uploads an image. */
const upload = async (client: Client, file: Uint8Array): Promise<{ image_id: string; image_url: string }> => {
  const form = new FormData()
  form.append("file", new Blob([Uint8Array.from(file)]), "image")
  return client("POST", "image-upload/", form)
}

/** Returns a PNG of a sky above water. */
const drawing = (width: number, height: number, hue = 0): Uint8Array => {
  const rows = Array.from({ length: height }, (_, y) => {
    const isSky = y < height * 0.6
    const light = isSky ? 150 + (y * 100) / height : 70 + (y * 40) / height
    const pixel = [light * (1 - hue), light * (0.75 + hue / 4), isSky ? 235 : 120, 255].map(Math.round)
    return [0, ...Array.from({ length: width }, () => pixel).flat()]
  })
  return bytesOf(pngHead(width, height), pngChunk("IDAT", deflateSync(Uint8Array.from(rows.flat()))), pngChunk("IEND"))
}

/** Characters that XML forbids and the API accepts; the last one counts as two in UTF-16. */
const CONTROLS = "\u0001\b\u000B\f\u001B\u001F\uFFFE\uFFFF"
const withControls = (text: string): string => `${CONTROLS}${text}${CONTROLS}`

const SCRIPTS = [
  { lang: "en", title: "Tides & <moons>", words: "The moon pulls the sea. " },
  { lang: "ar", title: "المد والجزر", words: "القمر يجذب البحر. " },
  { lang: "he", title: "גאות ושפל", words: "הירח מושך את הים. " },
  { lang: "ja", title: "潮の満ち引き", words: "月は海を引き寄せる。" },
  { lang: "zh-Hant", title: "潮汐𠮷", words: "月亮牽引海洋。" },
] as const

export const FEED_POSTS = 31
const BODY_BYTES = 100_000

/** Returns the fields of post `i` of the feeds' blog: 0 is the oldest. */
export const feedPost = (i: number) => {
  const { lang, title, words } = SCRIPTS[i % SCRIPTS.length] ?? SCRIPTS[0]
  return {
    slug: `tide-${i}`,
    primary_language: lang,
    title: `${title} ${i}`,
    meta_description: `${words.trim()} "${i}" & </summary>`,
    categories: [`${title} ${lang}`],
    tags: [`${lang.toLowerCase()} & co`],
    published_at: `2026-03-${String(i + 1).padStart(2, "0")}T08:30:00+00:00`,
  }
}

const LINKS = (
  image: string,
) => `[blog](/@feeder/) [other](//example.org/a?b=1&c=2#d) [same](#part) [far](https://example.net/) \
<q cite="/@feeder/">said</q>

![The sea](${image})

A note[^1].

[^1]: At the end.

## Part

`

/** Publishes 31 posts of 100 KB whose texts have characters that XML forbids. */
export const writeFeedBlog = async (client: Client): Promise<void> => {
  const { image_id, image_url } = await upload(client, drawing(64, 48))
  for (let i = 0; i < FEED_POSTS; i++) {
    const { title, meta_description, categories, tags, ...post } = feedPost(i)
    const { words } = SCRIPTS[i % SCRIPTS.length] ?? SCRIPTS[0]
    const start = LINKS(image_url)
    const paragraph = `${withControls(words.repeat(20)).trim()}\n\n`
    const count = Math.floor((BODY_BYTES - Buffer.byteLength(start)) / Buffer.byteLength(paragraph))
    await client("POST", "posts/", {
      ...post,
      status: "PB",
      title: withControls(title),
      meta_description: withControls(meta_description),
      categories: categories.map(withControls),
      tags: tags.map(withControls),
      cover_image_id: image_id,
      author_name: i === 30 ? "Ann & Ben" : null,
      translation_languages: [],
      body: start + paragraph.repeat(count),
    })
  }
}
