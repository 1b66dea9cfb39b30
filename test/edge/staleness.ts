import { applyD1Migrations } from "cloudflare:test"
import { expect } from "vitest"

import { put } from "../calls.ts"
import { faulty } from "../faults.ts"
import { randomFrom } from "../random.ts"
import { note } from "../search.ts"
import { wipeStorage } from "../storage.ts"
import {
  API,
  type Author,
  env,
  fetchWorker,
  newAuthor,
  OPERATOR,
  passSeconds,
  photo,
  runCron,
  stopClock,
  unique,
  upload,
} from "../support.ts"
import { FakeEdge } from "./fake-edge.ts"

// Random writes to two blogs, each on its own host, and reads at two sites of the edge, behind a replica that lags.

const PUBLIC_ORIGIN = "https://blog.example"
const LAG_SECONDS = 20
/** The promise of the design: how old a page may be. */
const PAGE_SECONDS = 30
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
  /** The slug of the post that shows the image; "" without it. */
  home: string
  image: string
  /** From when on nobody gets the image. */
  imageGone: number
  isHidden: boolean
  /** It is erased, or has moved to another host. */
  isGone: boolean
  /** Paths of previews. */
  previews: string[]
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
  const { image_url: image, image_id } = await upload(author, photo(970, 20))
  const home = unique("stays")
  await put(author, home, { body: `![](${image})`, image_ids: [image_id] })
  const slugs = [unique("one"), unique("two")]
  const states = { isHidden: false, isGone: false, imageGone: Infinity, previews: [] }
  return { author, host, slugs, home, image, ...states, seen: new Map(), shown: new Map(), leaving: [] }
}

/** Notes that the primary no longer shows these, and a replica may. */
const leave = ({ leaving, isHidden }: Blog, gone: Iterable<Shown | undefined>): void => {
  for (const one of gone) if (one && !isHidden) leaving.push({ ...one, until: Date.now() + LAG_SECONDS * 1000 })
}

/** Until when a reader may get an image of a blog that is withdrawn now. */
const lastImage = (): number => Date.now() + IMAGE_SECONDS * 1000

/** Saves a post with a new word, which readers see `later` seconds from now if it is published. */
const save = async (blog: Blog, slug: string, status: "DF" | "PB", later: number): Promise<void> => {
  const [word, from] = [unique("word"), Date.now() + later * 1000]
  const published_at = status === "DF" ? null : new Date(from).toISOString()
  const { status: code, json } = await put(blog.author, slug, { status, published_at, title: word, body: word })
  expect([200, 201], JSON.stringify(json)).toContain(code)
  leave(blog, [blog.shown.get(slug)])
  blog.shown.set(slug, { word, from: status === "DF" ? Infinity : from })
  const preview: string | null = json.post.preview_url
  if (preview) blog.previews.push(new URL(preview).pathname)
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
  await wipeStorage()
  stopClock(new Date("2026-11-20T12:00:00Z"))
  await applyD1Migrations(env.REPLICA, env.MIGRATIONS)
  const blogs = [await newBlog(), await newBlog()]
  // From then on an image is deleted with its post.
  passSeconds(31 * 60)
  await replicate()
  let unsynced: number | null = null
  let hits = 0
  /** The last kind of write to each blog. */
  const wrote = new Map<string, number>()

  /** Notes what a database can show now. */
  const look = (): void => {
    const now = Date.now()
    for (const { isHidden, isGone, seen, shown, leaving } of blogs) {
      const lagging = leaving.filter(({ until }) => now <= until)
      for (const { word, from } of [...(isHidden || isGone ? [] : shown.values()), ...lagging])
        if (from <= now) seen.set(word, now)
    }
  }
  const send = async (method: string, path: string, headers: Record<string, string>, body?: object): Promise<void> => {
    const init = { method, headers: { ...headers, "Content-Type": "application/json" } }
    const request = new Request(`${PUBLIC_ORIGIN}${path}`, { ...init, ...(body && { body: JSON.stringify(body) }) })
    const answer = await fetchWorker(request, vars, edge.at(0))
    expect(answer.ok, `seed ${seed}: ${method} ${path}: ${answer.status}`).toBe(true)
  }
  /** Hides a blog or shows it again. */
  const hide = async (blog: Blog, path: string): Promise<void> => {
    leave(blog, blog.shown.values())
    blog.isHidden = !blog.isHidden
    await send("PATCH", path, OPERATOR, { hidden: blog.isHidden })
    if (blog.home !== "") blog.imageGone = blog.isHidden ? lastImage() : Infinity
  }
  /** Erases a blog, or gives it another host. */
  const withdraw = async (blog: Blog, path: string): Promise<void> => {
    leave(blog, blog.shown.values())
    const host = `${unique("host")}.example`
    if (pick(2) === 0) await send("DELETE", path, OPERATOR)
    else {
      await send("PATCH", path, OPERATOR, { blog_host: host })
      blogs.push({ ...blog, host, seen: new Map(), shown: new Map(blog.shown), leaving: [] })
    }
    Object.assign(blog, { isGone: true, imageGone: Math.min(blog.imageGone, lastImage()) })
  }
  const write = async (blog: Blog): Promise<void> => {
    if (blog.isGone) return
    const { author, shown } = blog
    const [slug = "", kind] = [blog.slugs[pick(2)], pick(12)]
    wrote.set(blog.host, Math.min(kind, 5))
    const account = `/operator/api/accounts/${author.username}/`
    const remove = (removed: string) => send("DELETE", `${API}/posts/${removed}/`, { "X-API-KEY": author.key })
    if (kind === 0 && shown.has(slug)) {
      await remove(slug)
      leave(blog, [shown.get(slug)])
      shown.delete(slug)
    } else if (kind === 1) await hide(blog, account)
    else if (kind === 2 && blog.home !== "") {
      await remove(blog.home)
      // At once, since its file is gone, whatever a replica has.
      Object.assign(blog, { home: "", imageGone: Math.min(blog.imageGone, Date.now()) })
    } else if (kind === 3 && pick(3) === 0) await withdraw(blog, account)
    else await save(blog, slug, kind === 4 ? "DF" : "PB", pick(4) === 0 ? 5 + pick(40) : 0)
    unsynced ??= Date.now()
  }
  const read = async ({ host, slugs, image, imageGone, previews, seen }: Blog): Promise<void> => {
    const paths = [
      "/",
      `/${slugs[pick(2)]}/`,
      "/feed.atom",
      "/sitemap.xml",
      image,
      image.replace(".webp", "-640.webp"),
      previews.at(-1) ?? "/",
    ]
    const path = paths[pick(paths.length)] ?? "/"
    const method = pick(5) === 0 ? "HEAD" : "GET"
    const answer = await fetchWorker(new Request(`https://${host}${path}`, { method }), behind, edge.at(pick(2)))
    const bytes = await answer.arrayBuffer()
    const told = `seed ${seed}: ${method} ${host}${path} at ${new Date().toISOString()}`
    if (edge.status === "HIT" || edge.status === "UPDATING") hits += 1
    for (const place of [`of ${paths.indexOf(path)}`, `after ${wrote.get(host)}`, unsynced === null ? "" : "at a lag"])
      note(`${edge.status} ${place}`)
    if (path.startsWith("/media/")) {
      if (answer.status === 200) expect(Date.now(), told).toBeLessThanOrEqual(imageGone)
      return
    }
    // Anyone with the link may read a draft.
    if (path.startsWith("/preview/")) return
    for (const [word] of new TextDecoder().decode(bytes).matchAll(/\bword-\d+\b/g)) {
      const last = seen.get(word)
      expect(last, `${told} shows ${word}, which readers of this blog could never see`).toBeDefined()
      expect((Date.now() - (last ?? 0)) / 1000, `${told} shows ${word}`).toBeLessThanOrEqual(PAGE_SECONDS)
    }
  }

  let minute = 0
  for (let step = 0; step < 40; step += 1) {
    look()
    const blog = blogs[pick(blogs.length)]
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
