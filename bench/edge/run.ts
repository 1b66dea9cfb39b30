// Measures requests at distances from the data, edgepost beside a bare Worker with the same calls. See README.md.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { Agent } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { bundle } from "../http/bundle.ts"
import { type Request, send } from "../http/load.ts"
import {
  BODY,
  createPost,
  getFeed,
  getImage,
  getPage,
  getPost,
  listPosts,
  patchPost,
  putPost,
  uploadImage,
} from "../http/operations.ts"
import { type Prepared, prepareTarget } from "../http/prepare.ts"
import { at, median, putIn, setting, table } from "../shared.ts"
import { plot, type Point } from "./plot.ts"

const DISTANCES = [0, 20, 110, 240]
const requests = setting("REQUESTS", 15)
// Half of them are of the author whose posts are listed.
const posts = setting("POSTS", 2000)
const username = "author-0"

/** Counts up, so that no write is like one before. */
let made = 0

/** The posts on a page of the list as `edgepost plan` reads it, and the pages that it reads for 1,000 posts. */
const PAGE = 100
const PAGES = 10

/** The operations; the bare Worker has no cache, and so no hits. */
const OPERATIONS: Record<string, (target: Prepared, key: string) => Request> = {
  "page, hit": () => getPage(username, "subject-1"),
  "page, miss": () => getPage(username, "subject-1"),
  "feed, hit": () => getFeed(username),
  "feed, miss": () => getFeed(username),
  "image, hit": ({ image }) => getImage(image),
  "image, miss": ({ image }) => getImage(image),
  GET: (_, key) => getPost(key, "subject-2"),
  create: (_, key) => createPost(key, `made-${(made += 1)}`),
  PATCH: (_, key) => patchPost(key, "subject-3", { title: `Title ${(made += 1)}`, body: BODY }),
  PUT: (_, key) => putPost(key, "subject-4", { title: `Title ${(made += 1)}` }),
  "list, 10 pages": (_, key) => listPosts(key, PAGE),
  upload: (_, key) => uploadImage(key, (made += 1)),
}
const isHit = (operation: string): boolean => operation.endsWith("hit")

const measure = async (target: Prepared, operation: string, distance: number): Promise<number> => {
  const agent = new Agent({ keepAlive: true })
  const [key = ""] = target.keys
  const times: number[] = []
  // The first one warms up, and fills the cache.
  for (let i = 0; i <= requests; i += 1) {
    const request = at(OPERATIONS, operation)(target, key)
    const own = { "X-Distance": String(distance), ...(operation.endsWith("miss") && { "X-Miss": "1" }) }
    const { status, ms, body } = await send(agent, target.origin, {
      ...request,
      headers: { ...request.headers, ...own },
    })
    if (status >= 300) throw new Error(`${target.name}: ${operation} answers ${status}: ${body}`)
    if (i > 0) times.push(ms)
  }
  agent.destroy()
  // A plan reads one page after another.
  return median(times) * (operation.startsWith("list") ? PAGES : 1)
}

/** Returns the time of edgepost, and the ratio to that of the bare Worker. */
const cell = ({ edgepost, bare }: Point): string =>
  bare === null ? edgepost.toFixed(0) : `${edgepost.toFixed(0)} (${(edgepost / bare).toFixed(2)})`

const folder = mkdtempSync(join(tmpdir(), "edgepost-bench-edge-"))
const targets: Prepared[] = []
try {
  for (const name of ["edgepost", "bare"])
    targets.push(await prepareTarget(name, bundle(`bench/edge/far-${name}.ts`, folder), posts))
  const points: Point[] = []
  for (const distance of DISTANCES)
    for (const operation of Object.keys(OPERATIONS)) {
      const [edgepost, bare] = targets
      if (!edgepost || !bare) throw new Error("No target.")
      const own = await measure(edgepost, operation, distance)
      const other = isHit(operation) ? null : await measure(bare, operation, distance)
      points.push({ operation, distance, edgepost: own, bare: other })
      console.log(`${operation} at ${distance} ms: ${own.toFixed(1)} ms, bare ${other?.toFixed(1) ?? "–"}`)
    }
  const rows = Object.keys(OPERATIONS).map((operation) => [
    operation,
    ...points.filter((point) => point.operation === operation).map(cell),
  ])
  writeFileSync(
    join(import.meta.dirname, "plot.svg"),
    plot(points.filter(({ operation }) => !operation.startsWith("list"))),
  )
  putIn(join(import.meta.dirname, "README.md"), {
    times: table([["p50 in ms (ratio)", ...DISTANCES.map((distance) => `${distance} ms a trip`)], ...rows]),
  })
} finally {
  for (const target of targets) await target.stop()
  rmSync(folder, { recursive: true })
}
