import { expect, inject, it } from "vitest"

import { type Holdings, SMALL } from "../../test/prices/fill.ts"
import { measureAll, nameOf } from "../../test/prices/report.ts"
import type { Measured } from "./tables.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Posts of the accounts. */
    sizes: number[]
  }
}

/** The routes of the tables, and the jobs. */
const ROUTES = [
  "GET /:author{(?:@|%40)[^/]+}/",
  "GET /:author{(?:@|%40)[^/]+}/tags/",
  "GET /:author{(?:@|%40)[^/]+}/tags/:tag/",
  "GET /:author{(?:@|%40)[^/]+}/feed.atom",
  "GET /:author{(?:@|%40)[^/]+}/sitemap.xml",
  "GET /:author{(?:@|%40)[^/]+}/:slug/",
  "GET /:author{(?:@|%40)[^/]+}/:slug/:lang_code/",
  "GET /healthz/",
  "GET /api/blogcontroller/posts/",
  "GET /api/blogcontroller/posts/:slug/",
  "POST /api/blogcontroller/posts/",
  "PUT /api/blogcontroller/posts/:slug/",
  "PATCH /api/blogcontroller/posts/:slug/",
  "DELETE /api/blogcontroller/posts/:slug/",
  "POST /api/blogcontroller/account/glossary/retranslate/",
  "GET /api/blogcontroller/webhooks/deliveries/",
  "POST /api/blogcontroller/webhooks/",
  "DELETE /api/blogcontroller/webhooks/:id/",
  "GET /micropub/",
  "GET /settings/",
  "GET /settings/posts/",
  "GET /settings/export/parts/",
  "GET /settings/erase/",
  "POST /settings/translations/approve/",
  "GET /operator/accounts/:username/",
  "PATCH /operator/api/accounts/:username/",
  "job: the minute's, what is due",
  "job: the minute's, of a lapsed account",
  "job: the minute's, expired images",
  "queue: a translation",
  "queue: webhooks that fail",
  "DELETE /operator/api/accounts/:username/",
  "job: the minute's, an erased account",
]

/** An account of so many published posts in four languages, as many scheduled ones, and what goes with them. */
const holdingsOf = (posts: number): Holdings => ({
  ...SMALL,
  posts,
  scheduled: posts,
  translated: posts,
  images: posts,
  // With more than 10,000 an endpoint is switched off.
  deliveries: Math.min(9500, posts),
})

it("rows that D1 reads and writes for accounts of growing size", async () => {
  const accounts = Object.fromEntries(inject("sizes").map((size) => [`posts-${size}`, holdingsOf(size)]))
  const lines = await measureAll(accounts, ROUTES)
  const results = lines.map(({ route, price, request, costs }): Measured => {
    const all = Object.values(costs)
    const isStep = /^(?:job|queue):/.test(route)
    return {
      request: nameOf(route, request),
      shows: Object.values(accounts).map((has) => (typeof price.shows === "function" ? price.shows(has) : price.shows)),
      read: all.map(({ read, step }) => (isStep ? step.read : read)),
      written: all.map(({ written, step }) => (isStep ? step.written : written)),
    }
  })
  await expect(JSON.stringify({ sizes: inject("sizes"), results }, null, 2)).toMatchFileSnapshot("results.json")
})
