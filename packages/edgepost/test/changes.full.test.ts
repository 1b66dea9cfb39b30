import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises"

import { beforeAll, describe, expect, test } from "vitest"

import { newFolder } from "../../../test/after-file.ts"
import { API, call } from "../../../test/e2e/support.ts"
import { newAccount, post } from "./account.ts"
import { draw } from "./blogs.ts"
import type { Ran } from "./command.ts"

/** What every PATCH names. */
const LANGUAGES = { lang_code: "en", primary_language: "en", translation_languages: [] }

const account = await newAccount("cli-changes")
const { path, proxy, read, root, run, send, write, writes } = account

/** Publishes and returns what was written, in order. */
const publish = async (...args: string[]): Promise<string[]> => {
  writes()
  const { code, stdout, stderr } = await run(["publish", ...args, root])
  expect(code, stdout + stderr).toBe(0)
  return writes()
}

/** Publishes while another client comes between. @param act done once, right before the service gets the request */
const publishBeside = async (wanted: string, act: () => Promise<unknown>, ...args: string[]): Promise<Ran> => {
  let isDone = false
  proxy.fault = async (_, request) => {
    if (request !== wanted || isDone) return undefined
    isDone = true
    await act()
    return undefined
  }
  const ran = await run(["publish", ...args, root])
  proxy.fault = () => undefined
  return ran
}

const change = async (name: string, from: string, to: string): Promise<void> => {
  const text = await readFile(path(name), "utf8")
  expect(text).toContain(from)
  await writeFile(path(name), text.replace(from, to))
}

const setSource = async (source: string | null, slug = "last", more = {}) =>
  expect(await send("PATCH", `posts/${slug}/`, { ...LANGUAGES, source, ...more })).toMatchObject({ status: 200 })

const retitle = (slug: string) => setSource("changes", slug, { title: "Theirs" })

beforeAll(async () => {
  await write({
    "edgepost.config.yaml": "category: Sea\nsource: changes\n",
    "boat.png": await draw("boat.png", 20, 20),
    "first.md": post("First", "A boat.\n\n![Boat](boat.png)\n\n[Next](second.md)"),
    "first.fr.md": post("Premier", "Un bateau."),
    "second.md": post("Second", "Nothing but words."),
  })
  expect(await publish()).toEqual(["POST image-upload/", "PUT posts/first/", "PATCH posts/first/", "PUT posts/second/"])
})

describe("a changed folder takes exactly the writes that it needs:", () => {
  test("a changed text is one PUT, and a changed translation one PATCH", async () => {
    await change("second.md", "Nothing", "Everything")
    expect(await publish()).toEqual(["PUT posts/second/"])
    await change("first.fr.md", "bateau", "navire")
    expect(await publish()).toEqual(["PATCH posts/first/"])
    expect(await publish()).toEqual([])
  })

  test("a checkout with the line ends of Windows is no write, nor is one with those of Linux after it", async () => {
    const files = (await readdir(root)).filter((name) => name.endsWith(".md"))
    const rewrite = async (from: string, to: string): Promise<void> => {
      for (const name of files) await writeFile(path(name), (await readFile(path(name), "utf8")).replaceAll(from, to))
    }
    await rewrite("\n", "\r\n")
    expect(await publish()).toEqual([])
    await change("second.md", "words.", "words and more.")
    expect(await publish()).toEqual(["PUT posts/second/"])
    await rewrite("\r\n", "\n")
    expect(await publish()).toEqual([])
    await change("second.md", "words and more.", "words.")
    expect(await publish()).toEqual(["PUT posts/second/"])
  })

  test("an image that is added is one upload, and an image of the same name with other bytes is uploaded again", async () => {
    await write({ "gull.png": await draw("gull.png", 30, 20) })
    await change("second.md", "words.", "words. ![Gull](gull.png)")
    expect(await publish()).toEqual(["POST image-upload/", "PUT posts/second/"])
    const [before] = (await read("second")).images
    await write({ "gull.png": await draw("gull.png", 33, 20) })
    expect(await publish()).toEqual(["POST image-upload/", "PUT posts/second/"])
    const { images } = await read("second")
    expect(images).toMatchObject([{ width: 33 }])
    expect(images[0].image_id).not.toBe(before.image_id)
  })

  test("an image of another name with the same bytes is not uploaded", async () => {
    await rename(path("gull.png"), path("seagull.png"))
    await change("second.md", "gull.png", "seagull.png")
    expect(await publish()).toEqual([])
  })

  test("a changed description or tag is one PUT, and leaves the text of the post's translations", async () => {
    await change("first.md", "title: First", "title: First\ntags: [sea]\ndescription: Of a boat.")
    expect(await publish()).toEqual(["PUT posts/first/"])
    expect(await read("first")).toMatchObject({ tags: ["sea"], meta_description: "Of a boat.", version: 4 })
  })

  test("a renamed file keeps its post, a slug of its own makes a new one, and --prune deletes neither", async () => {
    await rename(path("second.md"), path("last.md"))
    await change("first.md", "second.md", "last.md")
    expect(await publish("--prune")).toEqual([])
    expect((await run(["plan", root])).stdout).toContain("One post keeps its slug")
    await change("last.md", "title: Second", "title: Second\nslug: last")
    expect(await publish("--prune")).toEqual(["PUT posts/first/", "PUT posts/last/"])
    const { stdout } = await run(["plan", "--prune", root])
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("look like files of the folder, and stay: second (last.md).")
    expect((await read("first")).html).toContain('href="/@cli-changes/last/"')
    expect(await publish("--prune")).toEqual([])
    expect((await run(["delete", "second", "--yes"])).code).toBe(0)
    await change("last.md", "slug: last\n", "")
    expect(await publish("--prune")).toEqual([])
  })

  test("a post whose file is left out becomes a draft with --prune, which a second run leaves, and is public again with its file", async () => {
    await write({ "aside.md": post("Aside", "For a while.") })
    await publish()
    await change("aside.md", "title: Aside", "title: Aside\nprivate: true")
    expect(await publish()).toEqual([])
    expect((await run(["plan", root])).stdout).toMatch(
      /readers\s+still\s+see\s+the\s+post\s+until\s+--prune\s+makes\s+a\s+draft/,
    )
    writes()
    const { stdout } = await run(["publish", "--prune", root])
    expect([writes(), stdout]).toEqual([["PATCH posts/aside/"], expect.stringMatching(/^withdrawn +aside$/m)])
    expect(await read("aside")).toMatchObject({ status: "DF", title: "Aside" })
    expect(await publish("--prune")).toEqual([])
    await change("aside.md", "private: true\n", "")
    expect(await publish("--prune")).toEqual(["PUT posts/aside/"])
    expect((await read("aside")).status).toBe("PB")
    await rm(path("aside.md"))
    expect(await publish("--prune")).toEqual(["DELETE posts/aside/"])
  })

  test("a run with too many changes writes nothing until they are accepted", async () => {
    const names = ["one", "two", "three"]
    for (const name of names) await write({ [`${name}.md`]: post(name, `Of ${name}.`) })
    await publish()
    for (const name of names) await rm(path(`${name}.md`))
    writes()
    const stopped = await run(["publish", "--prune", root])
    expect([stopped.code, writes()]).toEqual([1, []])
    expect(stopped.stdout.replaceAll(/\s+/g, " ")).toMatch(
      /Stopped: This run would remove (?:\w+, ){3}which is 3 of the 5 /,
    )
    expect((await run(["plan", "--prune", root])).code).toBe(1)
    expect((await publish("--prune", "--accept-changes")).toSorted()).toEqual(
      names.toSorted().map((name) => `DELETE posts/${name}/`),
    )
  })

  test("--prune leaves posts that do not carry the folder's mark", async () => {
    const texts = { title: "By hand", meta_description: "x", body: "x" }
    await send("POST", "posts/", { ...texts, slug: "by-hand", status: "DF", categories: "Sea" })
    expect(await publish("--prune")).toEqual([])
  })

  test.each([
    ["whose front matter is broken", '---\ntitle: "Last\n---\n\nWords.\n'],
    ["that is too large", `---\ntitle: Last\n---\n\n${"x".repeat(1_100_000)}\n`],
    ["that is blocked", "---\ntitle: Last\nslug: other\ndate: 2024-01-02\n---\n\n{{< gallery >}}\n"],
    ["that is no post any more", "---\ntitel: Last\n---\n\nWords.\n"],
  ])("--prune removes nothing while the folder has a file %s", async (what, text) => {
    const before = await readFile(path("last.md"), "utf8")
    await writeFile(path("last.md"), text)
    writes()
    const { code, stdout } = await run(["publish", "--prune", root])
    const isBlocked = what !== "that is no post any more"
    expect([code, /Nothing\s+is\s+removed/.test(stdout)]).toEqual([isBlocked ? 1 : 0, what === "that is blocked"])
    expect(writes().filter((request) => request.startsWith("DELETE "))).toEqual([])
    await writeFile(path("last.md"), before)
    await publish()
  })

  test("--prune removes no post that has changed since the plan, and names translations that would go", async () => {
    await write({ "gone.md": post("Gone", "Soon."), "gone.fr.md": post("Parti", "Bientôt.") })
    await publish()
    await rm(path("gone.md"))
    await rm(path("gone.fr.md"))
    const { stdout } = await run(["plan", "--prune", root])
    expect(stdout).toMatch(/remove +gone.*edited by hand go too: fr\./s)
    const failed = await publishBeside("DELETE posts/gone/", () => retitle("gone"), "--prune")
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("failed     gone")])
    expect((await read("gone")).title).toBe("Theirs")
    expect(await publish("--prune")).toEqual(["DELETE posts/gone/"])
  })

  test("a file that cannot be read blocks its post, and a link to it becomes text until it can be read", async () => {
    const before = await readFile(path("last.md"), "utf8")
    await writeFile(path("last.md"), '---\ntitle: "Last\n---\n\nWords.\n')
    writes()
    const { code, stdout } = await run(["publish", "--json", root])
    expect(code).toBe(1)
    expect(JSON.parse(stdout).entries).toMatchObject([
      { action: "update", slug: "first" },
      { action: "blocked", slug: "last", findings: [{ code: "front_matter", file: "last.md" }] },
    ])
    expect(writes()).toEqual(["PUT posts/first/"])
    await writeFile(path("last.md"), before)
    expect(await publish()).toEqual(["PUT posts/first/"])
  })

  test("a post of another folder is blocked, and one of no folder is replaced with a warning", async () => {
    await setSource("elsewhere")
    await change("last.md", "Everything", "All things")
    const { code, stdout } = await run(["publish", root])
    expect([code, stdout]).toEqual([1, expect.stringMatching(/blocked +last.*another folder,\s+“elsewhere”/s)])
    await setSource(null)
    expect(await publish()).toEqual(["PUT posts/last/"])
    expect(await read("last")).toMatchObject({ source: "changes", body: expect.stringContaining("All things") })
    await change("last.md", "All things", "Everything")
    expect(await publish()).toEqual(["PUT posts/last/"])
  })

  test("a translation whose file is gone stays on the service, and the plan says so", async () => {
    const before = await readFile(path("first.fr.md"), "utf8")
    await rm(path("first.fr.md"))
    const { stdout } = await run(["plan", root])
    expect(stdout).toContain("Edited on the service, and in no file: first (fr). `edgepost pull` saves them.")
    expect(await publish()).toEqual([])
    await writeFile(path("first.fr.md"), before)
  })

  test("a new post does not replace one that somebody else makes between plan and write", async () => {
    await write({ "new.md": post("New", "Of the folder.") })
    const theirs = { title: "N", status: "DF", categories: "Sea", meta_description: "x", body: "Theirs." }
    const { code, stdout } = await publishBeside("PUT posts/new/", () => send("PUT", "posts/new/", theirs))
    expect([code, stdout]).toEqual([1, expect.stringContaining("failed     new")])
    expect((await read("new")).body).toBe("Theirs.")
    await rm(path("new.md"))
  })

  test("a post that somebody else changes between plan and write is planned once more, and ends as the folder says", async () => {
    await change("last.md", "Everything", "Something")
    writes()
    const { code } = await publishBeside("PUT posts/last/", () => retitle("last"))
    expect([code, writes()]).toEqual([0, ["PUT posts/last/", "PUT posts/last/"]])
    expect(await read("last")).toMatchObject({ title: "Second", body: expect.stringContaining("Something") })
  })

  test("a post that another folder takes between plan and write is left to it", async () => {
    await change("last.md", "Something", "Anything")
    const { code, stdout, stderr } = await publishBeside("GET posts/last/", () => setSource("elsewhere"))
    expect([code, stdout]).toEqual([1, expect.stringMatching(/failed +last.*of another folder/s)])
    expect(stderr).not.toContain("Stopped")
    expect((await read("last")).body).toContain("Something")
  })

  test("a translation that comes or goes takes no other language from the post", async () => {
    const other = await newAccount("cli-changes-languages", { languages: ["es", "fr"] })
    await other.write({
      "edgepost.config.yaml": "category: Sea\nsource: languages\n",
      "tongues.md": post("Tongues", "Words."),
      "tongues.fr.md": post("Langues", "Mots."),
    })
    const languages = async () => {
      const { code, stdout, stderr } = await other.run(["publish", other.root])
      expect(code, stdout + stderr).toBe(0)
      return (await other.read("tongues")).translation_languages
    }
    expect(await languages()).toEqual(["es", "fr"])
    await other.write({ "tongues.de.md": post("Zungen", "Worte.") })
    expect(await languages()).toEqual(["es", "fr", "de"])
    await other.write({ "tongues.fr.md": post("Langues", "D'autres mots.") })
    expect(await languages()).toEqual(["es", "fr", "de"])
    await rm(other.path("tongues.fr.md"))
    expect(await languages()).toEqual(["es", "fr", "de"])
  })
})

const FRENCH = { primary_language: "fr", translation_languages: ["en", "es", "de"] }

/** Posts that a reader of Markdown files could take for something else. */
const AWKWARD = [
  {
    slug: "security",
    status: "PB",
    title: "2024",
    published_at: "2024-01-02T03:04:05.678Z",
    changed_at: "2024-02-03T04:05:06.789Z",
    body: "# 2024\n\n{{< x >}} {% y %} [[changelog]] ==mark== {: .lead}\n\n:::note\na\n:::",
  },
  { slug: "changelog", status: "DF", title: "  A\n---\nb: c", body: "\uFEFF\r\n\r\nA\r\nb" },
  { slug: "2024-13-45-pulled", status: "DF", tags: ["posts", "null"], body: "---\ntitle: B\n---\n\nText.\n\n\n" },
  { slug: "pulled-french", status: "PB", ...FRENCH, title: "L’été", body: "Un texte." },
  {
    slug: "pulled-ahead",
    status: "PB",
    published_at: new Date(Date.now() + 30 * 86_400_000 + 1).toISOString(),
    categories: ["a/b", "c: d"],
    cover_alt: "A  boat: *red*",
    cover_caption: "#1",
    listed: false,
    canonical_url: "https://a.example/b?c=d#e",
    author_name: "  Ann \u00A0 Lee ",
  },
]

test("posts that are hard to write as files are unchanged in plan, and when they are pulled again", async () => {
  const puller = await newAccount("cli-pull")
  const sendAs = async (method: string, address: string, body: object) => {
    const { status, json } = await puller.send(method, address, body)
    expect(status, JSON.stringify(json)).toBeLessThan(300)
  }
  const form = new FormData()
  form.append("file", new Blob([new Uint8Array(await draw("boat.png", 20, 20))]), "boat.png")
  const headers = { "X-API-KEY": puller.key }
  const { image_id, image_url } = (await call("POST", `${API}/image-upload/`, { headers, body: form })).json
  for (const fields of AWKWARD)
    await sendAs("POST", "posts/", {
      title: "A title",
      categories: ["Sea"],
      meta_description: "A description.",
      body: `![Boat](${image_url}) ![b](security.md) ![c](none.png) [d](changelog.md) [](changelog)`,
      ...(fields.slug === "pulled-ahead" && { cover_image_id: image_id }),
      ...fields,
    })
  const text = { title: "Summer", meta_description: "A description.", body: "# Summer\n\n[[a]]" }
  await sendAs("PATCH", "posts/pulled-french/", { ...FRENCH, ...text, lang_code: "en" })
  await sendAs("PATCH", "posts/pulled-french/", { ...FRENCH, ...text, lang_code: "de" })
  const unlisted = { ...FRENCH, translation_languages: ["en", "es"], lang_code: "fr" }
  await sendAs("PATCH", "posts/pulled-french/", unlisted)

  const target = await newFolder()
  const results = async () => {
    const { stdout } = await puller.run(["pull", "--json", "-o", target])
    return JSON.parse(stdout).files.map(({ result }: { result: string }) => result)
  }
  expect(await results()).toEqual(Array.from({ length: 7 }, () => "written"))
  expect(await readdir(target)).toHaveLength(7)
  const planned = await puller.run(["plan", "--exit-code", target])
  expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining("5 unchanged.")])
  expect(await results()).toEqual(Array.from({ length: 7 }, () => "unchanged"))
  // Version 0.3 wrote no times of change.
  for (const name of await readdir(target)) {
    const file = `${target}/${name}`
    const content = await readFile(file, "utf8")
    expect(content).toMatch(/^changed_at: /m)
    await writeFile(file, content.replace(/^changed_at: .*\n/m, ""))
  }
  expect(await results()).toEqual(Array.from({ length: 7 }, () => "written"))
})
