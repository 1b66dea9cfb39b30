import { expect, test } from "vitest"

import { readWorkflow } from "../../scripts/workflow.ts"
import { API, bash, call, curl, key, lines, origin } from "./support.ts"

const SLUG = "morning-in-the-bay"
const POST = `${API}/posts/${SLUG}/`
const PAGE = `${origin}/@demo/${SLUG}/`
const AS_DEMO = { headers: { "X-API-KEY": key } }

/** Runs steps of README.md and docs/api.md in one shell and returns the output of each. */
const runSteps = async (...steps: string[]): Promise<string[]> => {
  const workflow = readWorkflow()
  const output = await bash(steps.map((step) => `echo; echo @@${step}; ${workflow[step]}`).join("\n"))
  return output.split(/^@@\w+\n/m).slice(1)
}

/** Returns status and JSON of the output of `curl -i`. */
const parse = (printed: string) => {
  const [head = "", body = ""] = printed.split("\r\n\r\n")
  return { status: Number(head.split(" ")[1]), json: body.trim() ? JSON.parse(body) : undefined }
}

test("the curl commands of README.md and docs/api.md work in order, from upload and create to delete", async () => {
  const [upload = "", create = "", publish = "", progress = "", read = "", look = ""] = await runSteps(
    "upload",
    "create",
    "publish",
    "translations",
    "read",
    "look",
  )
  const image = JSON.parse(upload)
  expect(image).toMatchObject({
    success: true,
    image_url: `/media/demo/blog_img/${image.image_id}.webp`,
    width: 1200,
    height: 675,
  })
  const created = JSON.parse(create)
  expect(created).toMatchObject({ success: true, warnings: [], post: { slug: SLUG, status: "DF" } })
  expect(created.post.html).toContain(`<img src="${image.image_url}"`)
  expect(parse(publish)).toMatchObject({ status: 202, json: { post: { status: "PB" } } })
  expect(JSON.parse(read)).toMatchObject({ success: true, post: { status: "PB", url: PAGE } })

  // Only the queue delivers these to the translator.
  const { translations } = JSON.parse(progress.trim().split("\n").at(-1) ?? "")
  const states = translations.map(({ lang_code, status }: Record<string, string>) => `${lang_code} ${status}`)
  expect(states).toEqual(["fr ready", "es ready"])
  const french = await call("GET", `${POST}?lang_code=fr`, AS_DEMO)
  expect(french.json.post.body).toContain("**quiet·fr**")

  expect(look.trim().split("\n")).toEqual([PAGE, `${PAGE}fr/`, `${PAGE}es/`])
  expect(await bash(`curl -sS -H 'Host: evil.example' ${PAGE}`)).not.toContain("evil.example")
  const page = await bash(`curl -sS -H 'X-Forwarded-Host: evil.example' ${PAGE}`)
  expect(page).toContain(`<link rel="canonical" href="${PAGE}"`)
  expect(page).toContain(`hreflang="fr" href="${PAGE}fr/"`)
  expect(page).not.toContain("evil.example")

  const shown = await fetch(`${origin}${image.image_url}`)
  expect([shown.status, shown.headers.get("Content-Type")]).toEqual([200, "image/webp"])

  const [deleted = ""] = await runSteps("delete")
  expect(parse(deleted)).toEqual({ status: 204, json: undefined })
  expect(await curl(PAGE)).toMatchObject({ status: 404, json: { code: "not_found" } })
  // It is spared until half an hour after its upload.
  expect((await fetch(`${origin}${image.image_url}`)).status).toBe(200)
})

test("the commands that `npm start` prints, pasted as a whole, print the URLs of readable pages", async () => {
  const printed = await bash(lines)
  const pages = printed.trim().split("\n").slice(-3)
  expect(pages).toEqual([PAGE, `${PAGE}fr/`, `${PAGE}es/`])
  for (const page of pages) expect((await fetch(page)).status, page).toBe(200)
  await runSteps("delete")
})
