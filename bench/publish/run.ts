// Measures `edgepost plan` of a large folder and `edgepost publish` at the limit of uploads. See README.md.
import { appendFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { draw, drawPhoto, write } from "../../packages/edgepost/test/blogs.ts"
import { spawnEdgepost } from "../../packages/edgepost/test/command.ts"
import { startProxy } from "../../packages/edgepost/test/proxy.ts"
import { main } from "../../scripts/cli.ts"
import { startBenchService } from "../service.ts"
import { median, setting, table } from "../shared.ts"

const PLANS = setting("PLANS", 5)
const POSTS = setting("POSTS", 1000)
const IMAGES = setting("IMAGES", 300)
const NEW_POSTS = setting("NEW_POSTS", 200)
const NEW_IMAGES = setting("NEW_IMAGES", 60)
const LARGE_POSTS = setting("LARGE_POSTS", 500)
const LARGE_IMAGES = setting("LARGE_IMAGES", 650)
const UPLOADS_A_MINUTE = 10
/** Makes another version of the converter: its PNGs and JPEGs have other bytes. */
const OTHER_SHARP = import.meta.resolve("../../packages/edgepost/test/other-sharp.ts")

const PARAGRAPH =
  "The moon pulls the water, the earth turns under it, and the coast decides how high the sea will stand. "

/** Writes a folder of posts of about 2 KB, of which the first `images` show an image each and the others one of these again. */
const writeFolder = async (posts: number, images: number, isShared: boolean): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "edgepost-publish-"))
  await write(join(folder, "edgepost.config.yaml"), "category: Sea\nsource: bench\n")
  for (let i = 0; i < images; i++)
    await write(join(folder, "images", `${i}.png`), await draw(`${i}.png`, 40 + i, 40, i % 256))
  for (let i = 0; i < posts; i++) {
    const image = i < images || isShared ? `![Sea](images/${i % images}.png)\n\n` : ""
    const link = i > 0 ? `Before: [post ${i - 1}](post-${i - 1}.md).\n\n` : ""
    const head = `---\ntitle: Post ${i}\ndate: 2024-01-01T00:00:00Z\ndescription: Of the tide, number ${i}.\n---\n\n`
    await write(join(folder, `post-${i}.md`), `${head}${image}${link}${PARAGRAPH.repeat(20)}\n`)
  }
  return folder
}

/** Writes a folder of posts that show large images, half of which must be converted. @returns it, with the bytes of its images */
const writeLargeFolder = async (posts: number, images: number): Promise<{ folder: string; bytes: number }> => {
  const folder = await writeFolder(posts, 0, false)
  let bytes = 0
  for (let i = 0; i < images; i++) {
    const photo = await drawPhoto(i + 1, i % 2 === 0 ? 2000 : 2100)
    bytes += photo.length
    await write(join(folder, "images", `${i}.jpg`), photo)
    await appendFile(join(folder, `post-${i % posts}.md`), `\n![Sea ${i}](images/${i}.jpg)\n`)
  }
  return { folder, bytes }
}

/** Runs a command. @returns its seconds. @throws when it fails */
const timed = async (args: string[], env: Record<string, string>): Promise<number> => {
  const start = performance.now()
  const { code, stdout, stderr } = await spawnEdgepost(args, { env }).ended
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}.\n${stdout.slice(-2000)}${stderr.slice(-2000)}`)
  return (performance.now() - start) / 1000
}

const measurePlans = async () => {
  const service = await startBenchService("UPLOADS_PER_MINUTE:1000")
  const proxy = await startProxy(service.origin)
  const folder = await writeFolder(POSTS, IMAGES, true)
  try {
    const env = { EDGEPOST_URL: proxy.origin, EDGEPOST_API_KEY: await service.newKey("plans"), HOME: folder }
    await timed(["publish", folder], env)
    const seconds = []
    for (let i = 0; i < PLANS; i++) {
      proxy.requests.length = 0
      seconds.push(await timed(["plan", "--exit-code", folder], env))
    }
    return { requests: proxy.requests.length, seconds: median(seconds) }
  } finally {
    await proxy.close()
    await service.stop()
    await rm(folder, { recursive: true })
  }
}

/** Plans a published folder of large images: again, on another machine, and with another version of the converter. */
const measureLargePlans = async () => {
  const service = await startBenchService("UPLOADS_PER_MINUTE:1000")
  const { folder, bytes } = await writeLargeFolder(LARGE_POSTS, LARGE_IMAGES)
  const home = await mkdtemp(join(tmpdir(), "edgepost-home-"))
  try {
    const env = { EDGEPOST_URL: service.origin, EDGEPOST_API_KEY: await service.newKey("large"), HOME: folder }
    const first = await timed(["plan", folder], env)
    const published = await timed(["publish", folder], env)
    const plan = async (more: Record<string, string>): Promise<number> => {
      const seconds = []
      for (let i = 0; i < PLANS; i++) seconds.push(await timed(["plan", "--exit-code", folder], { ...env, ...more }))
      return median(seconds)
    }
    const other = { HOME: home, NODE_OPTIONS: `--import=${OTHER_SHARP}` }
    return {
      bytes,
      first,
      published,
      again: await plan({}),
      elsewhere: await plan({ HOME: home }),
      updated: await plan(other),
    }
  } finally {
    await service.stop()
    await rm(folder, { recursive: true })
    await rm(home, { recursive: true })
  }
}

const measureUploads = async () => {
  const service = await startBenchService(`UPLOADS_PER_MINUTE:${UPLOADS_A_MINUTE}`)
  const folder = await writeFolder(NEW_POSTS, NEW_IMAGES, false)
  try {
    const env = { EDGEPOST_URL: service.origin, EDGEPOST_API_KEY: await service.newKey("uploads"), HOME: folder }
    return await timed(["publish", folder], env)
  } finally {
    await service.stop()
    await rm(folder, { recursive: true })
  }
}

await main(async () => {
  const { requests, seconds } = await measurePlans()
  console.log(
    table([
      ["posts, unchanged", "images", "requests of a plan", `seconds, median of ${PLANS}`],
      [POSTS, IMAGES, requests, seconds.toFixed(2)],
    ]),
  )
  const large = await measureLargePlans()
  console.log(
    table([
      [
        "posts",
        "images",
        "MB",
        "first plan, s",
        "publish, s",
        "plan again, s",
        "on another machine, s",
        "with another converter, s",
      ],
      [
        LARGE_POSTS,
        LARGE_IMAGES,
        (large.bytes / 1e6).toFixed(0),
        ...[large.first, large.published, large.again, large.elsewhere, large.updated].map((one) => one.toFixed(2)),
      ],
    ]),
  )
  const limit = (NEW_IMAGES / UPLOADS_A_MINUTE - 1) * 60
  const taken = await measureUploads()
  console.log(
    table([
      ["new posts", "images", "seconds by the limit", "seconds taken", "ratio"],
      [NEW_POSTS, NEW_IMAGES, limit, taken.toFixed(0), (taken / limit).toFixed(2)],
    ]),
  )
})
