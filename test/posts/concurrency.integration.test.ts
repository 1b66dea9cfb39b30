import { beforeEach, expect, it } from "vitest"

import { MAX_PATCH_ATTEMPTS } from "../../src/limits.ts"
import { create, get, patch, remove, statusOf } from "../calls.ts"
import { beforeCall, SAVE_POST, tapD1 } from "../faults.ts"
import { type Answer, API, type Author, call, deliver, newAuthor, newPost, passSeconds, postInput } from "../support.ts"
import { recordWakeUps, rows, runTranslations, stopClock, unique } from "../support.ts"

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
})

const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status).toSorted((a, b) => a - b)
const etagOf = ({ headers }: Answer): string => headers.get("ETag") ?? ""
const partsOf = (etag: string): number[] => etag.replaceAll('"', "").split(".").map(Number)

const fieldsOf = async (slug: string) => {
  const { title, tags, version } = (await get(ann, slug)).json.post
  return { title, tags, version }
}

/** Changes the post before each of the first `races` saves. */
const contend = (slug: string, races: number) => {
  const saves: number[] = []
  const DB = tapD1({
    before: async (statements) => {
      if (!statements.some(({ sql }) => SAVE_POST.test(sql))) return
      saves.push(saves.length)
      if (saves.length <= races) await patch(ann, slug, { tags: `race-${saves.length}` })
    },
  })
  return { DB, saves }
}

const published = async () => {
  const wakeUps = recordWakeUps()
  const input = postInput({ tags: "a,b", categories: "x,y", translation_languages: ["fr"] })
  const { json } = await create(ann, input, { TRANSLATIONS: wakeUps.queue })
  return { slug: String(json.post.slug), wakeUps, input }
}
const stateOf = async (slug: string) => {
  const answer = await get(ann, slug)
  const { version, updated_at } = answer.json.post
  return { version, updated_at, etag: etagOf(answer) }
}

const atVersion2 = async (): Promise<string> => {
  const { slug } = await newPost(ann)
  await patch(ann, slug, { title: "Second" })
  return slug
}

const numbered = (i: number) => ({ title: `Title ${i}`, body: `Words ${i}`, translation_languages: ["fr"] })

it("of 50 posts created at once with one slug, one answers 201 and 49 answer 400 with a free suggested_slug", async () => {
  const bob = await newAuthor()
  const slug = unique("wanted")
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => create(i % 2 ? ann : bob, { slug })))
  expect(statusesOf(answers)).toEqual([201, ...Array<number>(49).fill(400)])
  const refused = answers.filter(({ status }) => status === 400)
  expect(new Set(refused.map(({ json }) => json.code))).toEqual(new Set(["duplicate_slug"]))
  expect(await rows("select slug from posts where slug like ?", `${slug}%`)).toEqual([{ slug }])
  for (const free of new Set(refused.map(({ json }) => json.suggested_slug)))
    expect(await statusOf(create(ann, { slug: free })), free).toBe(201)
})

it("creating a post with a taken slug leaves no rows in the database", async () => {
  const { slug } = await newPost(ann)
  const before = await rows("select post_id, lang_code from texts")
  expect(await statusOf(create(ann, { slug, translation_languages: ["fr"] }))).toBe(400)
  expect(await rows("select post_id, lang_code from texts")).toEqual(before)
})

const both = { title: "New", tags: ["new"], version: 3 }

it("a PATCH of a post saved between another PATCH's read and write is kept, and both take effect", async () => {
  const { slug } = await newPost(ann)
  const DB = beforeCall(SAVE_POST, () => patch(ann, slug, { tags: "new" }))
  const { json } = await patch(ann, slug, { title: "New" }, { env: { DB } })
  expect(json.post).toMatchObject(both)
  expect(await fieldsOf(slug)).toEqual(both)
})

it("a PATCH of a post with If-Match answers 412 if another PATCH is saved between its read and write", async () => {
  const { slug } = await newPost(ann)
  const ifMatch = etagOf(await get(ann, slug))
  const DB = beforeCall(SAVE_POST, () => patch(ann, slug, { tags: "new" }, { ifMatch }))
  const { json } = await patch(ann, slug, { title: "New" }, { ifMatch, env: { DB } })
  expect(json).toMatchObject({ status: 412, code: "version_conflict" })
  expect(await fieldsOf(slug)).toEqual({ title: "A title", tags: ["new"], version: 2 })
})

it(`a PATCH of a post that loses ${MAX_PATCH_ATTEMPTS} write conflicts answers 503 and writes nothing`, async () => {
  expect(MAX_PATCH_ATTEMPTS).toBe(5)
  const { slug } = await newPost(ann)
  const { DB, saves } = contend(slug, 100)
  const { status, headers, json } = await patch(ann, slug, { title: "New" }, { env: { DB } })
  expect([status, headers.has("Retry-After"), saves.length]).toEqual([503, true, 5])
  expect(json.detail).toMatch(/changed by others/)
  expect((await get(ann, slug)).json.post).toMatchObject({ title: "A title", tags: ["race-5"], version: 6 })
})

it("a PATCH of a post that loses 4 write conflicts succeeds at the fifth attempt", async () => {
  const { slug } = await newPost(ann)
  const { DB } = contend(slug, 4)
  const { status, json } = await patch(ann, slug, { title: "New" }, { env: { DB } })
  expect([status, json.post.title, json.post.tags, json.post.version]).toEqual([200, "New", ["race-4"], 6])
})

it("concurrent PATCHes of a post leave its fields, HTML and translations consistent", async () => {
  const wakeUps = recordWakeUps()
  const env = { TRANSLATIONS: wakeUps.queue }
  const { slug } = (await create(ann, { translation_languages: ["fr"] }, env)).json.post
  const answers = await Promise.all([1, 2, 3, 4].map((i) => patch(ann, slug, numbered(i), { env })))
  expect(statusesOf(answers)).toEqual([202, 202, 202, 202])
  for (const { json } of answers) expect(json.post.html).toBe(`<p>${json.post.body}</p>`)
  await runTranslations(wakeUps)
  const { post } = (await get(ann, slug)).json
  const [, winner] = post.title.split(" ")
  expect(post).toMatchObject({ version: 5, body: `Words ${winner}`, html: `<p>Words ${winner}</p>` })
  expect(post.translations).toMatchObject([{ lang_code: "fr", status: "ready", stale: [] }])
  const french = (await get(ann, slug, "?lang_code=fr")).json.post
  expect([french.title, french.body].join()).toMatch(new RegExp(`Title.*${winner}.*,Words.*${winner}`))
  expect(french.html).toContain(french.body)
})

it("a source text changed by a PATCH during its translation is translated in its new version", async () => {
  const wakeUps = recordWakeUps()
  const env = { TRANSLATIONS: wakeUps.queue }
  const { slug } = (await create(ann, { body: "First", translation_languages: ["fr"] }, env)).json.post
  const DB = beforeCall(/^update "posts" set "revision" = "posts"\."revision" \+ 1/, () =>
    patch(ann, slug, { body: "Second", translation_languages: ["fr"] }, { env }),
  )
  passSeconds(5)
  await deliver(wakeUps.sent.shift()?.body, { env: { ...env, DB } })
  expect(await statusOf(get(ann, slug, "?lang_code=fr"))).toBe(404)
  await runTranslations(wakeUps)
  expect((await get(ann, slug, "?lang_code=fr")).json.post.body).toContain("Second")
})

it("a PATCH of a post that is deleted meanwhile answers 404 and does not restore the post", async () => {
  const { slug } = await newPost(ann)
  const DB = beforeCall(SAVE_POST, () => remove(ann, slug))
  const change = { title: "New", translation_languages: ["fr"] }
  expect(await statusOf(patch(ann, slug, change, { env: { DB } }))).toBe(404)
  expect(await rows("select lang_code from texts where post_id not in (select id from posts)")).toEqual([])
})

it("a PATCH answers 403 and changes nothing if another author's post took its slug meanwhile", async () => {
  const bob = await newAuthor()
  const { slug } = await newPost(ann)
  const DB = beforeCall(SAVE_POST, async () => {
    await remove(ann, slug)
    await newPost(bob, { slug })
  })
  expect(await statusOf(patch(ann, slug, { title: "New" }, { env: { DB } }))).toBe(403)
  expect((await get(bob, slug)).json.post).toMatchObject({ title: "A title", version: 1 })
})

it("a DELETE that finds no post answers 404 and keeps a post created at its slug meanwhile", async () => {
  const json = postInput()
  let made = 0
  const DB = beforeCall(/^select .* from "posts" inner join "accounts"/, async () => {
    made = await statusOf(call("POST", `${API}/posts/`, { key: ann.key, json }))
  })
  const status = await statusOf(remove(ann, json.slug, { env: { DB } }))
  expect([made, status]).toEqual([201, 404])
  expect((await get(ann, json.slug)).status).toBe(200)
})

it("of two concurrent DELETEs of one post, one answers 204 and one answers 404", async () => {
  const { slug } = await newPost(ann)
  expect(statusesOf(await Promise.all([remove(ann, slug), remove(ann, slug)]))).toEqual([204, 404])
})

it("version and ETag of a post stay the same after a PATCH that changes nothing", async () => {
  const { slug, wakeUps, input } = await published()
  await runTranslations(wakeUps)
  const before = await stateOf(slug)
  passSeconds(60)
  const same = { ...input, tags: ["A", "b", "b"], categories: "x, y", slug, translation_languages: ["FR", "fr"] }
  for (const change of [{ translation_languages: ["fr"] }, same]) {
    const answer = await patch(ann, slug, change)
    expect([answer.status, etagOf(answer)]).toEqual([200, before.etag])
    expect(await stateOf(slug)).toEqual(before)
  }
})

it("a finished translation raises only the revision of a post's ETag: If-None-Match answers 200, If-Match still matches", async () => {
  const { slug, wakeUps } = await published()
  const before = await stateOf(slug)
  const { etag } = before
  const statusNow = async () => (await get(ann, slug, "", { "If-None-Match": etag })).status
  expect(await statusNow()).toBe(304)
  await runTranslations(wakeUps)
  expect(await statusNow()).toBe(200)
  const after = await stateOf(slug)
  expect(after).toEqual({ ...before, etag: after.etag })
  const [[version, revision = 0], [versionAfter, revisionAfter]] = [partsOf(etag), partsOf(after.etag)]
  expect(versionAfter).toBe(version)
  expect(revisionAfter).toBeGreaterThan(revision)
  const change = { tags: "c", translation_languages: ["fr"] }
  expect(await statusOf(patch(ann, slug, change, { ifMatch: etag }))).toBe(200)
})

it.each([
  ["title", { title: "New" }],
  ["status", { status: "DF" }],
  ["the translation list", { translation_languages: [] }],
  ["a text by hand", { lang_code: "fr", title: "Nouveau" }],
])("version and ETag of a post rise by one after a change of %s", async (_, change) => {
  const { slug } = await published()
  const before = await stateOf(slug)
  passSeconds(60)
  const answer = await patch(ann, slug, { translation_languages: ["fr"], ...change })
  const after = await stateOf(slug)
  expect([after.version, partsOf(after.etag)[0]]).toEqual([before.version + 1, before.version + 1])
  expect(after.etag).toBe(etagOf(answer))
  expect(Date.parse(after.updated_at)).toBe(Date.parse(before.updated_at) + 60_000)
})

const ENDLESS = `"2.${"9".repeat(400)}"`
const MATCHING = ["*", '"2.0"', '"2.999"', ENDLESS, 'W/"2.0"', '"7.1", "2.0"', '"7.1",W/"2.0"']
const OTHER_VERSIONS = ['"1.0"', '"3.0"', '"22.2"', '"0.2"', 'W/"1.0"', '"1.2", "3.2"', '"-2.0"']
const NO_ETAGS = ['"abc"', "abc", '"', "W/", '"2', "2.1", '"2x.0"', '"2f1a9c"', '"2e0.1"', "9".repeat(5000)]

it.each(MATCHING)("PATCH and DELETE of a post of version 2 with the If-Match %s are accepted", async (ifMatch) => {
  const slug = await atVersion2()
  expect(await statusOf(patch(ann, slug, { title: "Third" }, { ifMatch }))).toBe(200)
  const other = await atVersion2()
  expect(await statusOf(remove(ann, other, { ifMatch }))).toBe(204)
})

it("PATCH and DELETE of a post with the If-Match of another version or no ETag answer 412", async () => {
  const slug = await atVersion2()
  for (const ifMatch of [...OTHER_VERSIONS, ...NO_ETAGS]) {
    const { json } = await patch(ann, slug, { title: "Third" }, { ifMatch })
    expect(json, ifMatch).toMatchObject({ status: 412, title: "Precondition Failed", code: "version_conflict" })
    expect(await statusOf(remove(ann, slug, { ifMatch })), ifMatch).toBe(412)
  }
  expect((await get(ann, slug)).json.post).toMatchObject({ title: "Second", version: 2 })
})

it("a PATCH of a post with a stale If-Match answers 412 even if it changes nothing", async () => {
  const slug = await atVersion2()
  expect(await statusOf(patch(ann, slug, { title: "Second" }, { ifMatch: '"1.0"' }))).toBe(412)
})

it("the ETag of a deleted post answers 412 as If-Match for the next post at the same slug", async () => {
  const { slug } = await newPost(ann)
  const { etag: ifMatch } = await stateOf(slug)
  await remove(ann, slug)
  passSeconds(1)
  await newPost(ann, { slug, title: "Another" })
  expect(await statusOf(get(ann, slug, "", { "If-None-Match": ifMatch }))).toBe(200)
  expect(await statusOf(patch(ann, slug, { title: "Changed" }, { ifMatch }))).toBe(412)
  expect(await statusOf(remove(ann, slug, { ifMatch }))).toBe(412)
  expect((await get(ann, slug)).json.post).toMatchObject({ title: "Another", version: 1 })
  const { etag: own } = await stateOf(slug)
  expect(await statusOf(remove(ann, slug, { ifMatch: `${ifMatch}, ${own}` }))).toBe(204)
})

it("a DELETE of a post whose If-Match is outdated by a concurrent PATCH answers 412", async () => {
  const slug = await atVersion2()
  const DB = beforeCall(/^delete from "posts"/, () => patch(ann, slug, { title: "Third" }))
  expect(await statusOf(remove(ann, slug, { ifMatch: '"2.0"', env: { DB } }))).toBe(412)
  expect((await get(ann, slug)).json.post).toMatchObject({ title: "Third", version: 3 })
})
