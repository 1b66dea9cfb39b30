import { applyD1Migrations } from "cloudflare:test"
import { expect } from "vitest"

import { EDGE_PAGE_FRESH_SECONDS, EDGE_PAGE_STALE_SECONDS } from "../../src/limits.ts"
import { put, remove } from "../calls.ts"
import { faulty } from "../faults.ts"
import { randomFrom } from "../markdown/generate.ts"
import {
  type Author,
  env,
  fetchWorker,
  newAuthor,
  OPERATOR,
  passSeconds,
  runCron,
  stopClock,
  unique,
} from "../support.ts"
import { upload } from "../support.ts"
import { FakeEdge } from "./fake-edge.ts"

// Random writes to two blogs, each on its own host, and reads at two sites of the edge, behind a replica that lags.

const PUBLIC_ORIGIN = "https://blog.example"
const LAG_SECONDS = 20
const PAGE_SECONDS = EDGE_PAGE_FRESH_SECONDS + EDGE_PAGE_STALE_SECONDS
/** A replica may fill the edge again after a purge; the scheduled job, which runs each minute, purges again. */
const IMAGE_SECONDS = LAG_SECONDS + 60
const TABLES = ["accounts", "posts", "texts", "images", "post_images", "post_labels"]

/** Copies the database to the replica. */
const replicate = async (): Promise<void> => {
  const copies = await Promise.all(
    TABLES.map(async (table) => {
      const { results } = await env.DB.prepare(`select * from "${table}"`).all()
      return results.map((row) =>
        env.REPLICA.prepare(
          `insert into "${table}" (${Object.keys(row)
            .map((name) => `"${name}"`)
            .join()}) values (${Object.keys(row)
            .map(() => "?")
            .join()})`,
        ).bind(...Object.values(row)),
      )
    }),
  )
  await env.REPLICA.batch([
    env.REPLICA.prepare("pragma defer_foreign_keys = true"),
    ...TABLES.map((table) => env.REPLICA.prepare(`delete from "${table}"`)),
    ...copies.flat(),
  ])
}

interface Blog {
  author: Author
  host: string
  slugs: string[]
  image: string
  isHidden: boolean
  /** When a database last could show each word. */
  seen: Map<string, number>
  /** The word of each post, and from when on readers see it. */
  shown: Map<string, Shown>
  /** Those that the primary no longer shows, and until when a replica may. */
  leaving: (Shown & { until: number })[]
}

interface Shown {
  word: string
  from: number
}

/** Makes a blog on its own host, with a post that stays and shows an image. */
const newBlog = async (): Promise<Blog> => {
  const host = `${unique("host")}.example`
  const author = await newAuthor({ blog_host: host })
  const { image_url: image, image_id } = await upload(author)
  await put(author, unique("stays"), { body: `![](${image})`, image_ids: [image_id] })
  const slugs = [unique("one"), unique("two")]
  return { author, host, slugs, image, isHidden: false, seen: new Map(), shown: new Map(), leaving: [] }
}

/** Notes that the primary no longer shows these, and a replica may. */
const leave = ({ leaving, isHidden }: Blog, gone: Iterable<Shown | undefined>): void => {
  for (const one of gone) if (one && !isHidden) leaving.push({ ...one, until: Date.now() + LAG_SECONDS * 1000 })
}

/** Runs one sequence of reads and writes. @returns how often the edge answered by itself */
export const runSequence = async (seed: number): Promise<number> => {
  const random = randomFrom(seed)
  const pick = (limit: number): number => Math.floor(random() * limit)
  const edge = new FakeEdge(2)
  const vars = {
    PUBLIC_ORIGIN,
    TRANSLATOR: "apertium",
    APERTIUM_URL: "https://engine.example",
  } as unknown as Partial<Env>
  const behind = {
    ...vars,
    DB: faulty(env.DB, { withSession: () => env.REPLICA.withSession() }),
  } as unknown as Partial<Env>
  stopClock(new Date("2026-11-20T12:00:00Z"))
  await applyD1Migrations(env.REPLICA, env.MIGRATIONS)
  const blogs = [await newBlog(), await newBlog()]
  await replicate()
  let unsynced: number | null = null
  let hits = 0

  /** Notes what a database can show now. */
  const look = (): void => {
    const now = Date.now()
    for (const { isHidden, seen, shown, leaving } of blogs) {
      const lagging = leaving.filter(({ until }) => now <= until)
      for (const { word, from } of [...(isHidden ? [] : shown.values()), ...lagging])
        if (from <= now) seen.set(word, now)
    }
  }
  const write = async (blog: Blog): Promise<void> => {
    const [slug = "", word] = [blog.slugs[pick(2)], unique("word")]
    const later = pick(4) === 0 ? 5 + pick(40) : 0
    const kind = pick(8)
    if (kind === 0) {
      if (!blog.shown.has(slug)) return
      await remove(blog.author, slug)
      leave(blog, [blog.shown.get(slug)])
      blog.shown.delete(slug)
    } else if (kind === 1) {
      leave(blog, blog.shown.values())
      blog.isHidden = !blog.isHidden
      const request = new Request(`${PUBLIC_ORIGIN}/operator/api/accounts/${blog.author.username}/`, {
        method: "PATCH",
        headers: { ...OPERATOR, "Content-Type": "application/json" },
        body: JSON.stringify({ hidden: blog.isHidden }),
      })
      expect((await fetchWorker(request, vars, edge.at(0))).status).toBe(200)
      if (blog.isHidden) blog.seen.set("image", Date.now())
    } else {
      const from = Date.now() + later * 1000
      const status = kind === 2 ? "DF" : "PB"
      const published_at = status === "DF" ? null : new Date(from).toISOString()
      const { status: code, text } = await put(blog.author, slug, { status, published_at, title: word, body: word })
      expect([200, 201], text).toContain(code)
      leave(blog, [blog.shown.get(slug)])
      blog.shown.set(slug, { word, from: status === "DF" ? Infinity : from })
    }
    unsynced ??= Date.now()
  }
  const read = async (blog: Blog): Promise<void> => {
    const path = ["/", `/${blog.slugs[pick(2)]}/`, "/feed.atom", "/sitemap.xml", blog.image][pick(5)] ?? "/"
    const answer = await fetchWorker(new Request(`https://${blog.host}${path}`), behind, edge.at(pick(2)))
    const text = await answer.text()
    const told = `seed ${seed}: ${blog.host}${path} at ${new Date().toISOString()}`
    if (edge.status === "HIT" || edge.status === "UPDATING") hits += 1
    if (path === blog.image) {
      const age = (Date.now() - (blog.seen.get("image") ?? 0)) / 1000
      if (blog.isHidden && answer.status === 200) expect(age, told).toBeLessThanOrEqual(IMAGE_SECONDS)
      return
    }
    for (const [word] of text.matchAll(/\bword-\d+\b/g)) {
      const last = blog.seen.get(word)
      expect(last, `${told} shows ${word}, which readers of this blog could never see`).toBeDefined()
      expect((Date.now() - (last ?? 0)) / 1000, `${told} shows ${word}`).toBeLessThanOrEqual(PAGE_SECONDS)
    }
  }

  let minute = 0
  for (let step = 0; step < 40; step += 1) {
    look()
    const blog = blogs[pick(2)]
    if (!blog) continue
    if (pick(3) === 0) await write(blog)
    else await read(blog)
    look()
    if (unsynced !== null && pick(4) === 0) {
      await replicate()
      unsynced = null
    }
    const pause = pick(9)
    // No replica lags longer.
    if (unsynced !== null && Date.now() + pause * 1000 - unsynced > LAG_SECONDS * 1000) {
      passSeconds(Math.max(0, LAG_SECONDS - (Date.now() - unsynced) / 1000))
      look()
      await replicate()
      unsynced = null
    }
    passSeconds(pause)
    minute += pause
    if (minute >= 60) {
      minute = 0
      await runCron({}, edge.at(0))
    }
  }
  expect(edge.keys().filter((key) => key.includes("/preview/"))).toEqual([])
  return hits
}
