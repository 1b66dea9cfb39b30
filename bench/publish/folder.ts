// The folder that the benches of this folder publish.
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { draw, write } from "../../packages/edgepost/test/blogs.ts"

const PARAGRAPH =
  "The moon pulls the water, the earth turns under it, and the coast decides how high the sea will stand. "

/** Writes a folder of posts of about 2 KB, of which the first `images` show an image each and the others one of these again. */
export const writeFolder = async (posts: number, images: number, isShared: boolean): Promise<string> => {
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
