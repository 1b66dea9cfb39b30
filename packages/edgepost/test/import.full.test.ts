import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"

import { expect, test } from "vitest"

import { newFolder } from "../../../test/after-file.ts"
import { origin } from "../../../test/e2e/support.ts"
import { openArchive } from "../src/import/archive.ts"
import { newAccount } from "./account.ts"
import { draw } from "./blogs.ts"
import { fileWith, mediumZip, zip } from "./import/files.ts"
import { expectMoved } from "./moved.ts"

const here = (name: string): string => join(import.meta.dirname, "import", name)

/** Returns the export of Ghost as a zip with its images. */
const ghostZip = async (): Promise<string> => {
  const files = {
    "ghost.json": await readFile(here("ghost.json"), "utf8"),
    "content/images/2024/05/harbour.png": new Uint8Array(await draw("a.png", 8, 8)),
    "content/images/2020/01/lost.png": new Uint8Array(await draw("bb.png", 8, 8)),
  }
  return fileWith("ghost.zip", await zip(files))
}

/** Puts uploads beside the export of WordPress. @returns the export */
const wordpressFolder = async (): Promise<string> => {
  const folder = await newFolder()
  await mkdir(join(folder, "wp-content/uploads/2023/09"), { recursive: true })
  for (const name of ["apple", "pear"])
    await writeFile(join(folder, `wp-content/uploads/2023/09/${name}.jpg`), await draw(`${name}.jpg`, 8, 8))
  await copyFile(here("wordpress.xml"), join(folder, "export.xml"))
  return join(folder, "export.xml")
}

/** A post as it must be on the service, the number of its images, of which one is the cover, and a part of its HTML. */
type Expected = [slug: string, status: string, published_at: string | null, imageCount: number, html: string]
/** An address of the old site, and the slug of its post. */
type Moved = [address: string, slug: string]

const EXPORTS: [kind: string, file: () => Promise<string>, posts: Expected[], moved: Moved[]][] = [
  [
    "ghost",
    ghostZip,
    [
      ["quiet-harbour", "PB", "2024-05-01T05:30:00.000Z", 1, "<strong>quiet</strong> at &lt;six>, and"],
      ["es-regnet-ueber-all", "PB", "2025-02-01T00:00:00.000Z", 0, "<details><summary>How much?</summary>"],
      ["for-friends", "DF", "2024-06-01T07:00:00.000Z", 0, "<p>Only you.</p>"],
    ],
    [["/quiet-harbour/", "quiet-harbour"]],
  ],
  [
    "wordpress",
    wordpressFolder,
    [
      ["apples", "PB", "2023-09-10T08:00:00.000Z", 2, "<td>12<br>or 13</td>"],
      ["an-idea", "DF", null, 0, "<p>Plant a hedge.</p>"],
    ],
    [
      ["/2023/09/apples/", "apples"],
      ["/?p=11", "apples"],
      ["/2022/01/caf%c3%a9/", "cafe"],
      ["/?p=12", "cafe"],
    ],
  ],
  [
    "medium",
    mediumZip,
    [["on-long-walks", "PB", "2021-03-04T06:07:08.009Z", 0, 'href="/@cli-import-medium/another-walk/">before</a>']],
    [],
  ],
]

test.each(EXPORTS)(
  "the export of %s is imported, published and read back, a second run writes nothing, and old addresses lead to posts",
  async (kind, file, expected, moved) => {
    const { path, read, run, writes } = await newAccount(`cli-import-${kind}`)
    const imported = await run(["import", kind, await file(), "-o", path("blog")])
    expect(imported.code, imported.stderr).toBe(0)
    const published = await run(["publish", "--allow-missing-images", path("blog")])
    expect(published.code, published.stdout).toBe(0)
    for (const [slug, status, published_at, imageCount, html] of expected) {
      const post = await read(slug)
      expect(post.status).toBe(status)
      expect(post.images).toHaveLength(imageCount)
      expect(post.cover_image_id).toBe(post.images[0]?.image_id ?? null)
      for (const { image_url } of post.images) {
        expect(post.html).toContain(`src="${image_url}"`)
        expect((await fetch(`${origin}${image_url}`)).headers.get("content-type")).toBe("image/webp")
      }
      expect(post.html).toContain(html)
      expect(post.published_at && new Date(post.published_at).toISOString()).toBe(published_at)
    }
    writes()
    const again = await run(["publish", "--json", "--allow-missing-images", path("blog")])
    const actions = JSON.parse(again.stdout).entries.map(({ action }: { action: string }) => action)
    expect([new Set(actions), writes()]).toEqual([new Set(["unchanged"]), []])
    const csv = await readFile(path("blog/redirects.csv"), "utf8")
    // Matches `/a/,a,posts/a.md`. Does not match the head.
    const listed = [...csv.matchAll(/^(\/[^,]*),([^,]*),/gm)].map(([, old = "", slug = ""]): Moved => [old, slug])
    expect(listed.length).toBeGreaterThan(0)
    await expectMoved(`cli-import-${kind}`, [...moved, ...listed])
  },
)

test("an archive that is unpacked to over 2 GB is refused", async () => {
  // Each record of the directory names the same data.
  const one = await zip({ "posts/00.html": new Uint8Array(95_000_000) })
  const [start, end] = ["PK\u0001\u0002", "PK\u0005\u0006"].map((sign) => one.lastIndexOf(sign, one.length, "latin1"))
  const records = Array.from({ length: 22 }, (_, i) => {
    const record = Buffer.from(one.subarray(start, end))
    record.write(String(i).padStart(2, "0"), record.indexOf("00.html"))
    return record
  })
  const tail = Buffer.from(one.subarray(end))
  tail.writeUInt16LE(22, 8)
  tail.writeUInt16LE(22, 10)
  tail.writeUInt32LE(Buffer.concat(records).length, 12)
  const file = await fileWith("a.zip", Buffer.concat([one.subarray(0, start), ...records, tail]))
  const { names, read } = await openArchive(file)
  const readAll = async () => {
    for (const name of names) await read(name)
  }
  await expect(readAll()).rejects.toThrow("posts/21.html in the archive is too large")
})
