import { join } from "node:path"

import sharp from "sharp"
import { expect, test } from "vitest"

import { API } from "../../../test/e2e/support.ts"
import { prepareImage } from "../src/images/prepare.ts"
import { newAccount, post as postOf } from "./account.ts"
import { draw, write } from "./blogs.ts"

/** Makes the command fail when it loads the converter. */
const WITHOUT_SHARP = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module"
  registerHooks({ resolve: (name, context, next) => { if (name === "sharp") throw new Error("sharp was loaded"); return next(name, context) } })
`)}`

let account = await newAccount("cli-images")
const { root: folder } = account

const post = (title: string, body: string): string => postOf(title, body, "description: Of the sea.\n")

/** Writes a folder of its own for a test. */
const writeFolder = async (name: string, files: Record<string, string | Uint8Array>): Promise<string> => {
  const root = join(folder, name)
  const all = { "edgepost.config.yaml": `category: Sea\nsource: ${name}\n`, ...files }
  for (const [path, content] of Object.entries(all)) await write(join(root, path), content)
  return root
}

const run = async (command: "plan" | "publish", root: string) => {
  account.writes()
  const { code, stdout, stderr } = await account.run([command, "--json", root])
  return { code, output: stdout + stderr, ...JSON.parse(stdout) }
}

/** Publishes a folder and returns what was written. */
const publish = async (root: string): Promise<string[]> => {
  const { code, output } = await run("publish", root)
  expect(code, output).toBe(0)
  return account.writes()
}

/** Plans without the converter. @returns the action and the uploads of each post */
const planWithoutSharp = async (root: string): Promise<string[]> => {
  const env = { NODE_OPTIONS: `--import=${WITHOUT_SHARP}` }
  const { stdout } = await account.spawn(["plan", "--json", root], { env }).ended
  const entries: { action: string; slug: string; uploads: string[] }[] = JSON.parse(stdout).entries
  return entries.map(({ action, slug, uploads }) => [action, slug, ...uploads].join(" "))
}

const gif = (hue: number) => draw("wave.gif", 24, 16, hue)
/** Adds bytes that no decoder reads: another file of the same pixels. */
const otherFile = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.from("\n")])

test("a plan of new and of unchanged posts converts no image, and finds images by their files", async () => {
  const root = await writeFolder("originals", {
    "originals.md": post("Originals", "![a](wave.gif) ![b](big.png) ![c](boat.png) ![d](line.svg)"),
    "wave.gif": await gif(1),
    "big.png": await draw("big.png", 2100, 9),
    "boat.png": await draw("boat.png", 9, 9),
    "line.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="5"/></svg>',
  })
  expect(await planWithoutSharp(root)).toEqual(["create originals wave.gif big.png boat.png line.svg"])
  expect(await publish(root)).toEqual([...Array<string>(4).fill("POST image-upload/"), "PUT posts/originals/"])
  expect(await planWithoutSharp(root)).toEqual(["unchanged originals"])
})

test("two files that are converted to the same bytes are both found again", async () => {
  const wave = await gif(2)
  const root = await writeFolder("twins", {
    "twins.md": post("Twins", "![a](a.gif) ![b](b.gif) ![c](c.png)"),
    "a.gif": wave,
    "b.gif": otherFile(wave),
    "c.png": (await prepareImage(Buffer.from(wave))).bytes,
  })
  await publish(root)
  expect(await planWithoutSharp(root)).toEqual(["unchanged twins"])
})

test("images of a folder that an older version published stay, and their files are told once", async () => {
  const wave = await gif(3)
  const { bytes } = await prepareImage(Buffer.from(wave))
  const form = new FormData()
  form.set("file", new Blob([new Uint8Array(bytes)]), "wave.png")
  const headers = { "X-API-KEY": account.key }
  const uploaded = await fetch(`${API}/image-upload/`, { method: "POST", headers, body: form })
  const { image_id } = (await uploaded.json()) as Record<string, string>
  // An image without an original is found by its own bytes: the post is the one that the older version made.
  const root = await writeFolder("older", { "older.md": post("Older", "![a](wave.png)"), "wave.png": bytes })
  expect(await publish(root)).toEqual(["PUT posts/older/"])
  await writeFolder("older", { "older.md": post("Older", "![a](wave.gif)"), "wave.gif": wave })

  const { entries } = await run("plan", root)
  expect(entries).toMatchObject([{ action: "unchanged", uploads: ["wave.gif"] }])
  expect(await publish(root)).toEqual(["POST image-upload/"])
  expect(await planWithoutSharp(root)).toEqual(["unchanged older"])
  expect((await account.read("older")).images).toMatchObject([{ image_id }])
})

test("images in a text are uploaded like files, and found again", async () => {
  // The account of the tests before has used up its uploads of this minute.
  account = await newAccount("cli-inline")
  const png = Buffer.from(await draw("a.png", 12, 12)).toString("base64")
  const svg = encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="8"/>')
  const found = `![A](data:image/png;base64,${png})\n\n<img alt="B" src="data:image/svg+xml,${svg}">`
  const root = await writeFolder("inline", {
    "inline.md": post("Inline", `${found}\n\n![C](data:image/png;base64,AAAA)`),
  })
  expect(await publish(root)).toEqual(["POST image-upload/", "POST image-upload/", "PUT posts/inline/"])
  const { images, html } = await account.read("inline")
  expect(images.map(({ width }: { width: number }) => width)).toEqual([12, 18])
  expect(html.match(/src="\/media\//g)).toHaveLength(2)
  expect(html).toContain("C")
  expect(html).not.toContain("data:")
  const { entries } = await run("plan", root)
  expect(entries).toMatchObject([{ action: "unchanged", findings: [{ level: "warning", code: "data_image" }] }])
})

test("an image whose damage only decoding shows fails its post by name, and no other", async () => {
  const red = sharp({ create: { width: 99, height: 99, channels: 3, background: "red" } })
  const cut = (await red.tiff().toBuffer()).subarray(0, 99)
  const root = await writeFolder("damaged", {
    "cut.md": post("Cut", "![a](cut.tiff)"),
    "cut.tiff": cut,
    "entity.md": post("Entity", "![a](entity.svg)"),
    "entity.svg": `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&x;</text></svg>`,
    "well.md": post("Well", "Text."),
  })
  const { code, output, outcomes } = await run("publish", root)
  expect(code).toBe(1)
  expect(outcomes).toMatchObject([
    { slug: "cut", result: "failed", error: { detail: expect.stringMatching(/^cut.tiff: .* Save it again\.$/) } },
    { slug: "entity", result: "failed", error: { detail: expect.stringMatching(/^entity.svg: .* Save it again\.$/) } },
    { slug: "well", result: "created" },
  ])
  expect(output).not.toContain("root:")
})
