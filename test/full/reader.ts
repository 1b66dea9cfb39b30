import { newKey, origin } from "../e2e/support.ts"
import { type Client, clientOf, drawPng, settle, upload } from "./blog.ts"

// Blogs to read: in their feeds, and on their pages.

/** Makes a paid account with the texts of its blog. */
export const newBlog = async (username: string, texts: Record<string, unknown> = {}): Promise<Client> =>
  clientOf({ origin, key: await newKey(username, texts) })

/** Returns a PNG of a sky above water. */
export const drawing = (width: number, height: number, hue = 0) =>
  drawPng(width, height, (_, y) => {
    const isSky = y < height * 0.6
    const light = isSky ? 150 + (y * 100) / height : 70 + (y * 40) / height
    return [light * (1 - hue), light * (0.75 + hue / 4), isSky ? 235 : 120, 255]
  })

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

const WORD = "averylongwordwithoutanyplacetobreak".repeat(6).slice(0, 200)
// A table of twelve columns.
const row = (cell: string) => `|${` ${cell} |`.repeat(12)}\n`

/** Returns a body with everything that can be too wide, and each element that a text may have. */
const richBody = (
  text: string,
  image: string,
) => `${text} [${text}](https://example.org), \`code\`, **${text}** and a note[^1].

## ${text}

![${text}](${image})

${row(text)}${row("---")}${row(text)}
A word: ${WORD}, \`${WORD}\`, [${WORD}](https://example.org/${WORD}).

\`\`\`js
// ${text}
const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify({ text, count: 42 }) }) // a line that is longer than a screen is wide
\`\`\`

> ${text}
>
> > ${text}

> [!WARNING]
> ${text}

### ${text}

1. ${text}
   - ${text}
   - [x] ${text}
2. ${text}

<details><summary>${text}</summary>

${text}

</details>

<figure><img src="${image}" alt="${text}"><figcaption>${text}</figcaption></figure>

Press <kbd>Ctrl</kbd>, <mark>${text}</mark>, H<sub>2</sub>O, ~~${text}~~.

$$\\sum_{i=1}^{100} x_i = x_1 + x_2 + x_3 + x_4 + x_5 + x_6 + x_7 + x_8 + x_9 + x_{10} + x_{11} + x_{12} + x_{13} + x_{14} + x_{15} + x_{16}$$

---

${`${text} `.repeat(20)}

[^1]: ${text}
`

const SENTENCES = [
  "Why the tide comes twice a day",
  "A walk on the sea floor",
  "Old lighthouses and their keepers",
  "Reading a tide table",
  "What the fog leaves behind",
]

/** Publishes 24 posts, the newest with everything that can be too wide, and a draft. @returns the address of its preview */
export const writeAlmanac = async (client: Client): Promise<string> => {
  const wide = await upload(client, drawing(2048, 600))
  const covers = [wide, await upload(client, drawing(1200, 800, 0.4)), await upload(client, drawing(400, 900, 0.7))]
  const common = { status: "PB", categories: ["Sea & shore"], translation_languages: [] }
  for (let i = 0; i < 22; i++)
    await client("POST", "posts/", {
      ...common,
      slug: `almanac-${i}`,
      title: `${SENTENCES[i % SENTENCES.length]}, part ${i + 1}`,
      meta_description:
        "The moon pulls the water, the earth turns under it, and the coast decides how high the sea will stand at noon.",
      tags: ["tide"],
      published_at: `2026-02-${String(i + 1).padStart(2, "0")}T08:30:00Z`,
      cover_image_id: i % 3 === 2 ? covers[i % 2 === 0 ? 1 : 2]?.image_id : null,
      body: "The moon pulls the water. ".repeat(30),
    })
  const rich = {
    status: "PB",
    categories: ["Sea & shore", WORD.slice(0, 64)],
    tags: ["tide", "moon", WORD.slice(64, 128)],
    translation_languages: ["ar", "de"],
    meta_description: `All that a text may have. ${WORD}`,
    cover_image_id: wide.image_id,
    body: richBody("The moon pulls the water", wide.image_url),
  }
  const title = "How a text with a table, a long word and a wide image looks"
  await client("POST", "posts/", { ...rich, slug: "almanac-rich", title, published_at: "2026-03-01T08:30:00Z" })
  const long = {
    title: `A title with ${WORD}`,
    author_name: WORD.slice(0, 100),
    meta_description: "Short.",
    body: "One.",
  }
  await client("POST", "posts/", { ...common, ...long, slug: "almanac-long", published_at: "2026-03-02T08:30:00Z" })
  const { post } = await client("POST", "posts/", { ...rich, slug: "almanac-draft", title: "A draft", status: "DF" })
  await settle(client, "almanac-rich", "almanac-draft")
  return post.preview_url
}

/** The texts of blogs in scripts of right to left, and without spaces. */
const ABROAD = {
  ar: {
    labels: { categories: ["البحر"], tags: ["مد"] },
    titles: ["رسالة من البحر", "لماذا يأتي المد مرتين في اليوم"],
    text: "القمر يجذب الماء",
    meta_description: "القمر يجذب الماء، والأرض تدور تحته، والساحل يقرر كم يرتفع البحر عند الظهر.",
  },
  ja: {
    labels: { categories: ["海"], tags: ["潮"] },
    titles: ["海からの手紙", "なぜ潮は一日に二度満ちるのか"],
    text: "月は水を引き寄せる",
    meta_description: "月が水を引き、地球がその下で回り、正午に海がどこまで満ちるかは海岸が決める。",
  },
} as const

/** Publishes the same post in another language, as `<prefix>-rich`, and an older one. */
export const writeAbroad = async (client: Client, lang: keyof typeof ABROAD, prefix: string): Promise<void> => {
  const { image_id, image_url } = await upload(client, drawing(2048, 600, 0.4))
  const { labels, titles, text, meta_description } = ABROAD[lang]
  const common = { ...labels, status: "PB", primary_language: lang, translation_languages: [], meta_description }
  const publish = (name: string, title: string, published_at: string, more: object) =>
    client("POST", "posts/", { ...common, slug: `${prefix}-${name}`, title, published_at, ...more })
  await publish("first", titles[0], "2026-02-28T08:30:00Z", { body: `${text}. `.repeat(30) })
  const rich = { cover_image_id: image_id, body: richBody(text, image_url) }
  await publish("rich", titles[1], "2026-03-01T08:30:00Z", rich)
}
