import { mf2 } from "microformats-parser"
import { expect, it } from "vitest"

import { setAccount } from "../calls.ts"
import { call, newAuthor, newPost, ORIGIN, upload } from "../support.ts"

/** Reads the microformats of a page. */
const read = async (path: string) => mf2((await call("GET", path)).text, { baseUrl: ORIGIN }).items

it.each([
  ["a name of the post", "Ann & Ben", null, "Ann & Ben"],
  ["a name of the account", null, "Ann", "Ann"],
  ["no name", null, null, null],
])(
  "microformats of a page and a list give title, author, dates and content, with %s",
  async (_, ofPost, ofAccount, name) => {
    const author = await newAuthor()
    await setAccount(author, { author_name: ofAccount })
    const { image_id, image_url } = await upload(author)
    const published_at = "2024-05-06T07:08:09.000Z"
    const changes = {
      title: "A <title>",
      tags: "sea, salt",
      cover_image_id: image_id,
      author_name: ofPost,
      published_at,
    }
    const { slug, meta_description } = await newPost(author, { ...changes, body: "Some *words*.\n\n- one" })
    const blog = `${ORIGIN}/@${author.username}/`
    const url = `${blog}${slug}/`
    const [entry] = await read(`/@${author.username}/${slug}/`)
    expect(entry?.type).toEqual(["h-entry"])
    expect(entry?.properties).toEqual({
      name: ["A <title>"],
      url: [url],
      published: [published_at],
      updated: [published_at],
      summary: [meta_description],
      category: ["news", "sea", "salt"],
      featured: [`${ORIGIN}${image_url}`],
      author: [
        expect.objectContaining({
          type: ["h-card"],
          properties: { name: [name ?? `@${author.username}`], url: [blog] },
        }),
      ],
      content: [
        expect.objectContaining({
          html: expect.stringContaining("<em>words</em>"),
          value: expect.stringContaining("Some words."),
        }),
      ],
    })
    const [feed] = await read(`/@${author.username}/`)
    expect([
      feed?.type,
      feed?.properties,
      feed?.children?.map(({ properties: { name: title, url: at, published } }) => [title, at, published]),
    ]).toEqual([["h-feed"], { name: [ofAccount ?? `@${author.username}`] }, [[["A <title>"], [url], [published_at]]]])
  },
)
