import { expect, it } from "vitest"

import { MAX_REFUSED_BODIES } from "../../src/limits.ts"
import { newAuthor, stopClock } from "../support.ts"
import { sendEntry } from "./client.ts"

it.each([
  ["many breaks in many quotes", `${"<blockquote>".repeat(200)}${"a<br>".repeat(3000)}`],
  ["a long code in many quotes", `${"<blockquote>".repeat(200)}<pre>${"a\n".repeat(3000)}</pre>`],
  ["lists without items", `${"<ul>".repeat(200)}<pre>${"a\n".repeat(3000)}</pre>`],
  ["code by its style", `${"<blockquote>".repeat(200)}<p style="white-space:pre">${"a\n".repeat(3000)}</p>`],
  ["many elements without a text", "<a><mi>".repeat(800)],
  ["many line breaks", `<div><p>${"<br>".repeat(16_000)}`],
  ["Markdown of over 256 KiB", `${"<blockquote>".repeat(40)}${"a<br>".repeat(6000)}`],
])("HTML with %s, sent by Micropub, counts as a body that is too complex", async (_, html) => {
  stopClock()
  const author = await newAuthor()
  const send = (content: unknown) => sendEntry(author, { content: [content] })
  for (let i = 0; i < MAX_REFUSED_BODIES; i++)
    expect((await send({ html })).json.errors).toMatchObject([{ field: "content", code: "body_too_complex" }])
  expect([(await send({ html: "<p>Words.</p>" })).status, (await send("Words.")).status]).toEqual([429, 429])
})
