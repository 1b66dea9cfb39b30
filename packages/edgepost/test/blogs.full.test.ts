import { readFile } from "node:fs/promises"
import { join } from "node:path"

import { expect, test } from "vitest"

import { origin } from "../../../test/e2e/support.ts"
import { type Account, newAccount } from "./account.ts"
import { copyBlog, DIALECTS } from "./blogs.ts"
import { expectMoved } from "./moved.ts"
import type { Answer } from "./oracle/page.ts"
import { TOOL_NAMES } from "./tools/judged.ts"

/** Replaces what differs from run to run. */
const steady = (text: string, ids: Map<string, string>): string =>
  text.replaceAll(/[0-9A-Z]{26}/g, (id) => {
    if (!ids.has(id)) ids.set(id, `IMAGE-${ids.size + 1}`)
    return ids.get(id) ?? ""
  })

interface Read {
  slug: string
  [field: string]: unknown
}

/** Reads all posts of an account as a page that a person can compare. */
const readBack = async ({ send }: Account): Promise<string> => {
  const { json } = await send("GET", "posts/?limit=100")
  const ids = new Map<string, string>()
  const pages: string[] = []
  for (const { slug, texts } of json.posts.toSorted((one: Read, other: Read) => (one.slug < other.slug ? -1 : 1)))
    for (const lang of Object.keys(texts)) {
      const { post } = (await send("GET", `posts/${slug}/?lang_code=${lang}`)).json
      const { title, status, published_at, categories, tags, meta_description, canonical_url, author_name } = post
      const { cover_image_id, source } = post
      const fields = {
        status,
        // The service's own time differs from run to run.
        published_at: Date.parse(published_at) < Date.parse("2026-01-01") ? published_at : null,
        categories,
        tags,
        meta_description,
        canonical_url,
        author_name,
        cover_image_id,
        source,
      }
      pages.push(`# ${slug} (${lang}): ${title}\n${JSON.stringify(fields, null, 2)}\n\n${post.html}`)
    }
  return steady(`${pages.join("\n\n")}\n`, ids)
}

interface Entry {
  action: string
  file: string
  slug: string
}

test.each(DIALECTS)(
  "the blog in the dialect of %s is published as its golden files say, a second run writes nothing, and addresses that its tool gave lead to its posts",
  async (dialect) => {
    const account = await newAccount(`cli-${dialect}`, { folder: await copyBlog(dialect) })
    const { root, run, writes } = account
    const planned = await run(["plan", root])
    await expect(`${planned.stdout}${planned.stderr}`).toMatchFileSnapshot(`golden/${dialect}.plan.txt`)
    expect(writes()).toEqual([])
    const { stdout, stderr } = await run(["publish", root])
    const shown = `${stdout}${stderr}`.replaceAll(origin, "ORIGIN").replaceAll(/preview\/\w+/g, "preview/TOKEN")
    await expect(shown).toMatchFileSnapshot(`golden/${dialect}.publish.txt`)
    await expect(await readBack(account)).toMatchFileSnapshot(`golden/${dialect}.posts.md`)
    writes()
    const { entries }: { entries: Entry[] } = JSON.parse((await run(["publish", "--json", root])).stdout)
    expect(entries.filter(({ action }) => action !== "blocked" && action !== "unchanged")).toEqual([])
    expect(writes()).toEqual([])
    if (!TOOL_NAMES.some((name) => name === dialect)) return
    // The addresses that the blog's own tool has given its pages.
    const answers = await readFile(join(import.meta.dirname, `tools/${dialect}/answers/${dialect}.json`), "utf8")
    const slugs = new Map(entries.map(({ file, slug }) => [file, slug]))
    const pages = (JSON.parse(answers) as Answer[]).flatMap(({ file, address }): [string, string][] => {
      const [slug, path] = [slugs.get(file) ?? "", encodeURI(address)]
      const small = path.replaceAll(/%../g, (escape) => escape.toLowerCase())
      return slug === ""
        ? []
        : [
            [path, slug],
            [`${small}?utm_source=feed`, slug],
          ]
    })
    await expectMoved(account.username, pages)
  },
)
