import { copyFile } from "node:fs/promises"
import { join } from "node:path"

import { expect, test } from "vitest"

import { newFolder } from "../after-file.ts"
import { bash, origin } from "./support.ts"

const ENTITIES: Record<string, string> = { "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&" }

const page = await (await fetch(`${origin}/docs/`)).text()

/** Returns the curl example of an operation on the page. */
const exampleOf = (operationId: string): string => {
  const section = page.split(`<section id="${operationId}"`)[1]?.split("</section>")[0] ?? ""
  const shown = /<pre><code>([^]*?)<\/code><\/pre>/.exec(section)?.[1]
  if (!shown) throw new Error(`The page has no example of ${operationId}.`)
  return shown.replaceAll(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity)
}

const STEPS: [operationId: string, status: RegExp][] = [
  ["createPost", /^201$/],
  ["listPosts", /^200$/],
  ["getPost", /^200$/],
  ["putPost", /^200$/],
  ["renewPreview", /^200$/],
  ["patchPost", /^202$/],
  ["patchPostByShortPath", /^20[02]$/],
  ["listTranslations", /^200$/],
  ["retranslate", /^202$/],
  ["approveTranslation", /^200$/],
  ["deleteTranslation", /^204$/],
  // `npm start` has uploaded the same bytes for the example post.
  ["uploadImage", /^200$/],
  ["findImages", /^200$/],
  ["deletePost", /^204$/],
  ["getOwnAccount", /^200$/],
  ["putRedirects", /^200$/],
  ["listRedirects", /^200$/],
  ["changeGlossary", /^200$/],
  ["listGlossary", /^200$/],
  ["retranslateTerms", /^200$/],
  ["createWebhook", /^201$/],
  ["listWebhooks", /^200$/],
  ["listWebhookDeliveries", /^200$/],
  // The example names no endpoint.
  ["deleteWebhook", /^404$/],
  ["patchAccount", /^201$/],
  ["getAccount", /^200$/],
  ["makeAccountKey", /^201$/],
  ["revokeAccountKey", /^204$/],
  ["createSignInLink", /^201$/],
  ["eraseAccount", /^204$/],
]

test("every curl example of the API reference page, pasted in order, answers the documented status", async () => {
  const folder = await newFolder()
  await copyFile("examples/tide/coast.jpg", join(folder, "image.jpg"))
  // The operator's examples use another account: a new key for `demo` would revoke the one that all files use.
  const lines = STEPS.map(([id]) => exampleOf(id).replace("/accounts/demo/", "/accounts/pasted/"))
  const script = [`cd ${folder}`, `curl() { command curl -w '\\n@@%{http_code}\\n' "$@"; }`, ...lines].join("\n")
  const printed = await bash(script)
  const statuses = [...printed.matchAll(/^@@(\d+)$/gm)].map(([, status]) => status)
  expect(STEPS.map(([id], i) => [id, statuses[i]])).toEqual(
    STEPS.map(([id, status]) => [id, expect.stringMatching(status)]),
  )
  expect(page.match(/<pre><code>curl /g)?.length).toBe(STEPS.length)
})
