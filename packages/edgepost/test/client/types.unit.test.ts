import { expect, expectTypeOf, test } from "vitest"

import type { Account, Client, CreatePost, EdgepostError, ListedPost, Post } from "../../src/client/index.ts"

// Checked by tsc: each line after `@ts-expect-error` must be refused. Nothing here runs.

const POST: CreatePost = { title: "T", slug: "a", status: "DF", categories: ["c"], meta_description: "d", body: "b" }

const refused = async (client: Client): Promise<void> => {
  // @ts-expect-error -- A post has no field `titel`.
  await client.createPost({ ...POST, titel: "T" })
  // @ts-expect-error -- A status is DF or PB.
  await client.createPost({ ...POST, status: "published" })
  // @ts-expect-error -- A post needs a title.
  await client.putPost("a", { slug: "a", status: "DF", categories: "c", meta_description: "d", body: "b" })
  // @ts-expect-error -- If-None-Match can only be `*`.
  await client.putPost("a", POST, { ifNoneMatch: '"1.1"' })
  // @ts-expect-error -- PUT ignores an Idempotency-Key.
  await client.putPost("a", POST, { idempotencyKey: "k" })
  // @ts-expect-error -- PATCH needs the languages.
  await client.patchPost("a", { title: "T" })
  // @ts-expect-error -- The query has no `lang`.
  await client.getPost("a", { lang: "fr" })
  // @ts-expect-error -- A limit is a number.
  await client.listPosts({ limit: "5" })
  // @ts-expect-error -- An image is bytes, no path.
  await client.uploadImage("a.png", "a.png")
  // @ts-expect-error -- A post in a list has no body.
  for await (const post of client.paginatePosts()) String(post.body)
}

test("results have the types of the OpenAPI document", () => {
  expectTypeOf<Client["getAccount"]>().returns.resolves.toEqualTypeOf<Account>()
  expectTypeOf<Client["getPost"]>().returns.resolves.toEqualTypeOf<{ post: Post; etag: string }>()
  expectTypeOf<ListedPost["status"]>().toEqualTypeOf<"DF" | "PB">()
  expectTypeOf<EdgepostError["code"]>()
    .extract<"duplicate_slug" | "unreachable">()
    .toEqualTypeOf<"duplicate_slug" | "unreachable">()
  expect(refused).toBeTypeOf("function")
})
