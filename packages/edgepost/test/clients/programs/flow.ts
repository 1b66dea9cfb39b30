// What each generated client does. Its program gives the calls: by the functions that were generated, with their types.
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

export const { BASE = "", KEY = "", SLUG = "", IMAGE = "" } = process.env

export const DRAFT = {
  slug: SLUG,
  title: "A post",
  status: "DF" as const,
  categories: ["News"],
  meta_description: "About it.",
  body: "Some words.",
}
export const PUBLISHED = {
  lang_code: "en",
  primary_language: "en",
  translation_languages: ["fr", "es"],
  status: "PB" as const,
}
export const TERMS = [{ term: "Edgepost", keep: true }]

interface Calls {
  /** Uploads the image. */
  upload: (file: File) => Promise<{ image_id: string }>
  /** Creates the draft with the image. */
  create: (image_ids: string[]) => Promise<{ slug: string }>
  /** Publishes it. */
  patch: () => Promise<{ status: string }>
  translations: () => Promise<{ status: string }[]>
  list: (limit: number) => Promise<{ slug: string }[]>
  /** Adds the terms to the glossary. */
  glossary: () => Promise<unknown>
  remove: () => Promise<unknown>
}

const step = async <T>(name: string, call: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await call()
  } catch (error) {
    const text = error instanceof Error ? error.message : JSON.stringify(error)
    console.log(`FAILED ${name}: ${text.replaceAll(/\s+/g, " ")}`)
    return undefined
  }
}

const expect = (isSo: boolean, what: string): void => {
  if (!isSo) throw new Error(what)
}

/** Runs the calls one after another, and prints those that fail. */
export const run = async (calls: Calls): Promise<void> => {
  const file = new File([readFileSync(IMAGE)], "ä.png", { type: "image/png" })
  const image = await step("upload", () => calls.upload(file))
  await step("create", async () => expect((await calls.create(image ? [image.image_id] : [])).slug === SLUG, "slug"))
  await step("patch", async () => expect((await calls.patch()).status === "PB", "status"))
  await step("translations", async () => {
    for (let n = 0; n < 300; n += 1) {
      const all = await calls.translations()
      if (all.length === 2 && all.every(({ status }) => status === "ready")) return
      await sleep(100)
    }
    throw new Error("They are not ready after 30 seconds.")
  })
  await step("list", async () => expect((await calls.list(5)).length === 1, "not one post"))
  await step("glossary", calls.glossary)
  await step("delete", calls.remove)
}
