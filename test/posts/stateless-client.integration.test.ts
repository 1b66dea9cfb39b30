import { expect, it } from "vitest"

import {
  API,
  type Author,
  call,
  fileForm,
  newAuthor,
  newPng,
  passSeconds,
  postInput,
  rows,
  stopClock,
} from "../support.ts"

/** A blog in a repository: files of images, and posts that show them by the names of their files. */
interface Blog {
  images: Map<string, Uint8Array<ArrayBuffer>>
  posts: { slug: string; title: string; body: string; tags: string[]; published_at: string }[]
}

const hashOf = async (bytes: BufferSource): Promise<string> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex()

/** A client without a memory: it finds out by hashes what the service has already. Returns its calls as `<method> <path>`. */
const publish = async ({ key }: Author, { images, posts }: Blog): Promise<string[]> => {
  const calls: string[] = []
  const send: typeof call = (method, path, options) => {
    calls.push(`${method} ${path.replace(/\?.*/, "")}`)
    return call(method, path, { key, ...options })
  }
  const hashes: Record<string, string> = {}
  for (const [name, bytes] of images) hashes[name] = await hashOf(bytes)
  const found = await send("GET", `${API}/images/?source_sha256=${Object.values(hashes).join(",")}`)
  const urls: Record<string, string> = {}
  for (const { source_sha256, image_url } of found.json.images) urls[source_sha256] = image_url
  for (const [name, bytes] of images) {
    const hash = hashes[name] ?? ""
    if (urls[hash]) continue
    passSeconds(7)
    urls[hash] = (await send("POST", `${API}/image-upload/`, { body: fileForm(bytes) })).json.image_url
  }
  const listed = (await send("GET", `${API}/posts/?limit=100`)).json.posts
  for (const { slug, ...post } of posts) {
    const body = post.body.replace(/[\w-]+\.png/g, (name) => urls[hashes[name] ?? ""] ?? name)
    const stored = listed.find((one: { slug: string }) => one.slug === slug)
    const planned = [post.title, await hashOf(new TextEncoder().encode(body)), post.tags, post.published_at]
    const is = [stored?.texts.en.title, stored?.texts.en.body_sha256, stored?.tags, stored?.published_at]
    if (JSON.stringify(is) === JSON.stringify(planned)) continue
    await send("PUT", `${API}/posts/${slug}/`, { json: { ...postInput({ ...post, body }), slug } })
  }
  return calls
}

const newBlog = async (): Promise<Blog> => {
  const names = Array.from({ length: 12 }, (_, i) => `image-${i}.png`)
  const images = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const name of names) images.set(name, await newPng())
  const posts = [0, 4, 8].map((first) => ({
    slug: `stateless-${first}`,
    title: `Post ${first}`,
    body: names
      .slice(first, first + 4)
      .map((name) => `![An image](${name})`)
      .join("\n\n"),
    tags: ["a"],
    published_at: `2020-01-0${first + 1}T00:00:00.000Z`,
  }))
  return { images, posts }
}

const stateOf = ({ username }: Author) =>
  rows(
    `select slug, version, revision, posts.updated_at from posts join accounts on accounts.id = account_id
      where username = ? order by slug`,
    username,
  )

it("a client without a memory publishes 12 images and 3 posts, and its second run writes nothing", async () => {
  stopClock()
  const author = await newAuthor()
  const blog = await newBlog()
  const first = await publish(author, blog)
  expect(first.filter((sent) => sent.startsWith("POST"))).toHaveLength(12)
  expect(first.filter((sent) => sent.startsWith("PUT"))).toHaveLength(3)
  const before = await stateOf(author)
  passSeconds(24 * 60 * 60)
  expect(await publish(author, blog)).toEqual([`GET ${API}/images/`, `GET ${API}/posts/`])
  expect(await stateOf(author)).toEqual(before)
  expect(before.map(({ version }) => version)).toEqual([1, 1, 1])
})

it("a client without a memory changes only the post whose text has changed", async () => {
  stopClock()
  const author = await newAuthor()
  const { images, posts } = await newBlog()
  const renamed = posts.map((post) => ({ ...post, slug: `changed-${post.slug}` }))
  await publish(author, { images, posts: renamed })
  const [edited, ...others] = renamed
  if (!edited) throw new Error("The blog has posts.")
  const calls = await publish(author, { images, posts: [{ ...edited, body: "New." }, ...others] })
  expect(calls.slice(2)).toEqual([`PUT ${API}/posts/${edited.slug}/`])
})
