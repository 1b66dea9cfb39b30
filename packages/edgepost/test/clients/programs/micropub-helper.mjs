import { createReadStream } from "node:fs"

// It takes form-data if there is no other, and cannot send Node's own.
delete globalThis.FormData
const { default: Micropub } = await import("micropub-helper")

const { BASE, KEY, USERNAME, IMAGE } = process.env
const me = `${BASE}/@${USERNAME}/`
const endpoints = { micropubEndpoint: `${BASE}/micropub`, mediaEndpoint: `${BASE}/micropub/media/` }
const micropub = new Micropub({ me, token: KEY, ...endpoints })

const step = async (name, call) => {
  try {
    return await call()
  } catch (error) {
    console.log(`FAILED ${name}: ${error.message ?? error} ${error.status ?? ""}`)
    return undefined
  }
}
const expect = (isSo, what) => {
  if (!isSo) throw new Error(what)
}

await step("verifyToken", () => micropub.verifyToken())
await step("query config", async () => expect((await micropub.query("config"))["media-endpoint"], "no media endpoint"))
const photo = await step("postMedia", () => micropub.postMedia(createReadStream(IMAGE)))
const properties = { name: ["A post"], content: ["Some words."], category: ["one"], photo: [photo] }
const url = await step("create", () => micropub.create({ type: ["h-entry"], properties }))
await step("create by a form", async () => {
  const draft = { h: "entry", content: "A draft.", "post-status": "draft" }
  await micropub.delete(await micropub.create(draft, "form"))
})
await step("update", () => micropub.update(url, { add: { category: ["two"] } }))
await step("querySource", async () => {
  const { properties: found } = await micropub.querySource(url, ["category"])
  expect(JSON.stringify(found.category) === '["one","two"]', JSON.stringify(found))
})
await step("list", async () => expect((await micropub.querySource()).items.length === 1, "not one post"))
await step("delete", () => micropub.delete(url))
await step("undelete", () => micropub.undelete(url))
