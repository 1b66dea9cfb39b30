// Measures `edgepost plan` of a large folder and `edgepost publish` at the limit of uploads. See README.md.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { draw, write } from "../../packages/edgepost/test/blogs.ts"
import { edgepost } from "../../packages/edgepost/test/command.ts"
import { startProxy } from "../../packages/edgepost/test/proxy.ts"
import { main } from "../../scripts/cli.ts"
import { startBenchService } from "../service.ts"
import { median, setting, table } from "../shared.ts"

const PLANS = setting("PLANS", 5)
const POSTS = setting("POSTS", 1000)
const IMAGES = setting("IMAGES", 300)
const NEW_POSTS = setting("NEW_POSTS", 200)
const NEW_IMAGES = setting("NEW_IMAGES", 60)
const UPLOADS_A_MINUTE = 10

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

/** Runs a command. @returns its seconds. @throws when it fails */
const timed = async (args: string[], env: Record<string, string>): Promise<number> => {
  const start = performance.now()
  const { code, stdout, stderr } = await edgepost(args, { env })
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
  const limit = (NEW_IMAGES / UPLOADS_A_MINUTE - 1) * 60
  const taken = await measureUploads()
  console.log(
    table([
      ["new posts", "images", "seconds by the limit", "seconds taken", "ratio"],
      [NEW_POSTS, NEW_IMAGES, limit, taken.toFixed(0), (taken / limit).toFixed(2)],
    ]),
  )
})
