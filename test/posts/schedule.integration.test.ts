import { beforeEach, describe, expect, it } from "vitest"

import { create, get, patch } from "../calls.ts"
import { tapD1 } from "../faults.ts"
import { API, type Author, call, newAuthor, newPost, OPERATOR, passSeconds, stopClock, upload } from "../support.ts"

const NOON = new Date("2030-06-01T12:00:00.000Z")
const BEFORE_NOON = new Date(NOON.getTime() - 1)

let ann: Author
beforeEach(async () => {
  stopClock(new Date("2030-05-31T12:00:00Z"))
  ann = await newAuthor()
})

const scheduled = (changes = {}) => newPost(ann, { published_at: NOON.toISOString(), ...changes })
const pageOf = ({ slug }: { slug: string }) => call("GET", `/@${ann.username}/${slug}/`)

it("a post scheduled for 12:00 has no page one millisecond before, and has it at 12:00", async () => {
  const post = await scheduled()
  expect(post).toMatchObject({ scheduled: true, url: null, status: "PB", published_at: NOON.toISOString() })
  // Pages are read from a replica.
  let replicaReads = 0
  const DB = tapD1({
    aroundReplica: (ask) => {
      replicaReads += 1
      return ask()
    },
  })
  const statusFromReplica = async () => (await call("GET", `/@${ann.username}/${post.slug}/`, { env: { DB } })).status
  stopClock(BEFORE_NOON)
  expect(await statusFromReplica()).toBe(404)
  stopClock(NOON)
  expect([await statusFromReplica(), replicaReads]).toEqual([200, 2])
  const { json } = await get(ann, post.slug)
  expect(json.post).toMatchObject({ scheduled: false, url: expect.stringContaining(`/${post.slug}/`) })
})

it("a key that only reads gets a scheduled post, alone and in the list, from its time on", async () => {
  const post = await scheduled()
  const path = `/operator/api/accounts/${ann.username}/keys/`
  const made = await call("POST", path, { headers: OPERATOR, json: { name: "reader", scope: "read" } })
  const key = made.json.api_key
  const seen = async () => {
    const one = await call("GET", `${API}/posts/${post.slug}/`, { key })
    const list = await call("GET", `${API}/posts/`, { key })
    return [one.status, list.json.posts.length]
  }
  stopClock(BEFORE_NOON)
  expect(await seen()).toEqual([403, 0])
  stopClock(NOON)
  expect(await seen()).toEqual([200, 1])
})

it("the ETag of a post changes at the time for which it is scheduled", async () => {
  const { slug } = await scheduled()
  const etagAt = async (time: Date) => {
    stopClock(time)
    return (await get(ann, slug)).headers.get("ETag") ?? ""
  }
  const [before, after] = [await etagAt(BEFORE_NOON), await etagAt(NOON)]
  expect(before).not.toBe(after)
  const again = await call("GET", `${API}/posts/${slug}/`, { key: ann.key, headers: { "If-None-Match": before } })
  expect(again.status).toBe(200)
  expect((await patch(ann, slug, { title: "New" }, { ifMatch: before })).status).toBe(200)
})

it("an image that only a scheduled post shows may be cached from the time of the post on", async () => {
  const image = await upload(ann)
  await scheduled({ body: `![](${image.image_url})` })
  const cachingAt = async (time: Date) => {
    stopClock(time)
    return (await call("GET", image.image_url)).headers.get("Cache-Control")
  }
  expect(await cachingAt(BEFORE_NOON)).toBe("private, no-cache")
  expect(await cachingAt(NOON)).toContain("public")
})

it("published_at with an offset names a moment", async () => {
  for (const offset of ["+00:00", "+02:00", "-05:30"]) {
    const sent = `2030-06-01T12:00:00${offset}`
    expect((await newPost(ann, { published_at: sent })).published_at).toBe(new Date(sent).toISOString())
  }
})

it.each([
  ["without an offset", "2030-06-01T12:00:00"],
  ["a day without a time", "2030-06-01"],
  ["before 1970", "1969-12-31T23:59:59Z"],
  ["more than 366 days ahead", "2031-06-02T12:00:01Z"],
  ["the 30th of February", "2030-02-30T12:00:00Z"],
])("a published_at that is %s answers 400 and names the field", async (_, published_at) => {
  const { status, json } = await create(ann, { published_at })
  expect([status, json.errors.map(({ field }: { field: string }) => field)]).toEqual([400, ["published_at"]])
})

it("a post may be dated from the first second of 1970 until 366 days ahead", async () => {
  const dates = ["1970-01-01T00:00:00Z", "2031-06-01T12:00:00Z"]
  const posts = await Promise.all(dates.map((published_at) => newPost(ann, { published_at })))
  expect(posts.map(({ published_at }) => Date.parse(published_at))).toEqual(dates.map(Date.parse))
})

describe("a PATCH of published_at", () => {
  it("changes whether the images of the post may be cached, as its status does", async () => {
    const image = await upload(ann)
    const { slug } = await newPost(ann, { body: `![](${image.image_url})` })
    const changes = [{ published_at: NOON.toISOString() }, { published_at: null }, { status: "DF" }, { status: "PB" }]
    const seen = []
    for (const change of [{}, ...changes]) {
      await patch(ann, slug, change)
      seen.push((await call("GET", image.image_url)).headers.get("Cache-Control")?.startsWith("public"))
    }
    expect(seen).toEqual([true, false, true, false, true])
  })

  it("moves a visible post into the future and back, and null publishes it now", async () => {
    const post = await newPost(ann)
    const [noon, past, now] = [NOON.toISOString(), "2020-01-01T00:00:00.000Z", new Date().toISOString()]
    const seen = []
    for (const published_at of [noon, past, noon, null]) {
      const { json } = await patch(ann, post.slug, { published_at })
      seen.push(`${json.post.published_at} ${(await pageOf(post)).status}`)
    }
    expect(seen).toEqual([`${noon} 404`, `${past} 200`, `${noon} 404`, `${now} 200`])
  })

  it("of null makes the next publication of a draft set it", async () => {
    const { slug } = await newPost(ann, { status: "DF", published_at: "2020-01-01T00:00:00Z" })
    const cleared = await patch(ann, slug, { published_at: null })
    expect(cleared.json.post.published_at).toBe(null)
    passSeconds(60)
    const { json } = await patch(ann, slug, { status: "PB" })
    expect(json.post.published_at).toBe(new Date().toISOString())
  })

  it("a draft with a date in the past appears with that date", async () => {
    const post = await newPost(ann, { status: "DF", published_at: "2020-01-01T00:00:00Z" })
    expect((await pageOf(post)).status).toBe(404)
    await patch(ann, post.slug, { status: "PB" })
    expect((await pageOf(post)).text).toContain("January 1, 2020")
  })
})

it("a translation of a scheduled post has no url until the post is visible", async () => {
  const { slug } = await scheduled()
  const french = { lang_code: "fr", translation_languages: ["fr"], title: "Un", meta_description: "De", body: "Mots" }
  await patch(ann, slug, french)
  const urlAt = async (time: Date) => {
    stopClock(time)
    return (await get(ann, slug)).json.post.translations[0].url
  }
  expect([await urlAt(BEFORE_NOON), await urlAt(NOON)]).toEqual([null, expect.stringContaining(`/${slug}/fr/`)])
})
