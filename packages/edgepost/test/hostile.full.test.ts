import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, beforeAll, expect, test } from "vitest"

import { newKey, origin } from "../../../test/e2e/support.ts"
import { write } from "./blogs.ts"
import { edgepost } from "./command.ts"

let folder: string
let outside: string
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgepost-hostile-"))
  outside = await mkdtemp(join(tmpdir(), "edgepost-outside-"))
  await write(join(outside, "secret.md"), "---\ntitle: Secret\n---\n\nThe password is 123.\n")
  await write(join(outside, "secret.png"), "SECRET")
  await write(join(folder, "edgepost.config.yaml"), "category: Sea\n")
  env = {
    EDGEPOST_URL: origin,
    EDGEPOST_API_KEY: await newKey("cli-hostile", { translation_languages: [] }),
    HOME: folder,
  }
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await rm(outside, { recursive: true })
})

/** Plans a folder of its own with one post. @returns the post's entry, and all output */
const planWith = async (name: string, files: Record<string, string>, prepare?: (root: string) => Promise<void>) => {
  const root = join(folder, name)
  await mkdir(root)
  await writeFile(join(root, "edgepost.config.yaml"), "category: Sea\n")
  for (const [path, text] of Object.entries(files)) await write(join(root, path), text)
  await prepare?.(root)
  const { code, stdout, stderr } = await edgepost(["plan", "--json", root], { env })
  const shown = await edgepost(["plan", root], { env })
  const output = stdout + stderr + shown.stdout + shown.stderr
  return { code, entries: JSON.parse(stdout).entries, output }
}

const post = (title: string, body: string): string => `---\ntitle: ${title}\ndate: 2024-01-01\n---\n\n${body}\n`

test.each<[string, Record<string, string>, string, ((root: string) => Promise<void>)?]>([
  [
    "a post that is a symbolic link out of the folder",
    { "a.md": post("A", "a") },
    "unreadable_file",
    (root) => symlink(join(outside, "secret.md"), join(root, "b.md")),
  ],
  [
    "an image that is a symbolic link out of the folder",
    { "a.md": post("A", "![x](x.png)") },
    "unreadable_image",
    (root) => symlink(join(outside, "secret.png"), join(root, "x.png")),
  ],
  [
    "an image by a path out of the folder",
    { "a.md": post("A", `![x](../../../../../../etc/passwd)`) },
    "missing_image",
  ],
  ["front matter in JavaScript", { "a.md": `---js\nprocess.exit(7)\n---\n\nText.\n` }, "front_matter"],
  [
    "front matter whose aliases multiply",
    {
      "a.md": `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d]\ntitle: A\n---\n\nText.\n`,
    },
    "front_matter",
  ],
  [
    "an image of 2 GB",
    { "a.md": post("A", "![x](x.png)"), "x.png": "x" },
    "unreadable_image",
    (root) => truncate(join(root, "x.png"), 2 ** 31),
  ],
  [
    "an SVG with entities",
    {
      "a.md": post("A", "![x](x.svg)"),
      "x.svg": `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&x;</text></svg>`,
    },
    "damaged_image",
  ],
])("%s is refused or left out, and nothing of it is shown", async (name, files, code, prepare) => {
  const { entries, output } = await planWith(name.replaceAll(" ", "-"), files, prepare)
  expect(
    entries.flatMap(({ findings }: { findings: { level: string; code: string }[] }) =>
      findings.filter(({ level }) => level === "error").map((one) => one.code),
    ),
  ).toEqual([code])
  expect(output).not.toMatch(/password|SECRET|root:/)
})

test("escape sequences of a title, a file name and a shortcode never reach the terminal", async () => {
  const escape = "\u001B[2J\u009B31m\u202E"
  const { output } = await planWith("escapes", {
    "a.md": post(
      `"A ${escape.replaceAll("\u001B", "\\e").replaceAll("\u009B", "\\x9b")}"`,
      `{{< gallery${escape} >}} ![x](${escape}.png)`,
    ),
    [`b${escape}.md`]: post("B", "[x](nowhere.md)"),
  })
  // oxlint-disable-next-line no-control-regex
  expect(output).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/)
})
