import { existsSync } from "node:fs"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { join } from "node:path"

import { describe, expect, it } from "vitest"

import { newFolder } from "../../../../test/after-file.ts"
import { cpuSecondsOf } from "../../../../test/cpu.ts"
import { isPublicAddress, openDownload } from "../../src/import/download.ts"
import { readWordPress } from "../../src/import/wordpress.ts"
import { UsageError } from "../../src/usage-error.ts"
import { fileWith, wxr, zip } from "./files.ts"
import { allFiles, NOW, run } from "./run.ts"

const ghost = (html: string) => JSON.stringify({ db: [{ data: { posts: [{ slug: "a", title: "A", html }] } }] })
const item = (content: string) =>
  wxr(
    `<item><title>A</title><wp:post_type>post</wp:post_type><wp:status>draft</wp:status><content:encoded><![CDATA[${content}]]></content:encoded></item>`,
  )

const refusal = async (kind: string, name: string, content: string | Uint8Array): Promise<string> => {
  const error: unknown = await run(kind, await fileWith(name, content), await newFolder()).catch(
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(UsageError)
  const { message, advice } = error as UsageError
  expect([message, advice].join("\n").split("\n"), message).toHaveLength(2)
  return message
}

describe("files that are not an export", () => {
  it.each([
    ["ghost", "is not valid JSON", "a.json", "no json"],
    ["ghost", "not a Ghost export", "a.json", "[]"],
    ["ghost", "it has no posts", "a.json", '{"db":[{"data":{"posts":{}}}]}'],
    ["ghost", "nested over 200 levels deep", "a.json", "[".repeat(1000)],
    ["ghost", "holds over 2000000 values", "a.json", `[${"{},".repeat(2_000_000)}{}]`],
    ["wordpress", "ends too early", "a.xml", wxr("<item></item>").replace("</channel></rss>", "")],
    ["wordpress", "has over 3000000 tags", "a.xml", wxr("<a/>".repeat(3_000_000))],
    ["wordpress", "has a tag of over 10000 characters", "a.xml", wxr(`<a ${"b='c' ".repeat(2000)}/>`)],
    ["ghost", "not a readable zip", "a.zip", "PK\u0003\u0004broken"],
    ["wordpress", "not a WordPress export", "a.xml", "<html></html>"],
    ["wordpress", "ends within a tag", "a.xml", "<rss><channel"],
    ["wordpress", "The file is not XML", "a.xml", '{"html":"<p>a</p>"}'],
    ["medium", "not a readable zip", "a.zip", "<html></html>"],
    ["blogger", "not a kind of export", "a.xml", ""],
  ])("a file for %s is refused in two lines: %s", async (kind, message, name, content) => {
    expect(await refusal(kind, name, content)).toContain(message)
  })

  it("a missing file, a folder, a missing -o and an output below a file are refused", async () => {
    const folder = await newFolder()
    for (const path of [join(folder, "none"), folder])
      await expect(run("ghost", path, folder)).rejects.toThrow("There is no file")
    await expect(run("ghost", folder, folder, { output: undefined })).rejects.toThrow(
      "The folder to write to is missing.",
    )
    const file = await fileWith("a.json", ghost("<p>a</p>"))
    await expect(run("ghost", file, join(file, "out"))).rejects.toThrow("cannot be made")
  })
})

describe("archives", () => {
  it.each(["../../posts/up.html", "/tmp/edgepost/posts/up.html", "..\\posts\\up.html"])(
    "an archive with the name %j is refused, and nothing is written",
    async (name) => {
      const folder = await newFolder()
      const page = '<h1 class="p-name">Up</h1><div class="e-content"><p>a</p></div>'
      const file = await fileWith("a.zip", await zip({ [name]: page, "posts/b.html": page.replace("Up", "B") }))
      await expect(run("medium", file, join(folder, "out"))).rejects.toThrow("Unsafe filename")
      expect(await allFiles(folder)).toBe("")
      expect(existsSync("/tmp/edgepost/posts/up.html")).toBe(false)
    },
  )

  it("a file of an archive that is unpacked to over 100 MB is refused, whatever its header says", async () => {
    const bytes = await zip({ "posts/a.html": new Uint8Array(101_000_000) })
    expect(bytes.length).toBeLessThan(1_000_000)
    expect(await refusal("medium", "a.zip", bytes)).toContain("posts/a.html in the archive is too large")
    // Both headers say one byte.
    for (const signature of ["PK\u0003\u0004", "PK\u0001\u0002"]) {
      const at = bytes.indexOf(signature, 0, "latin1")
      bytes.writeUInt32LE(1, at + (signature.endsWith("\u0004") ? 22 : 24))
    }
    expect(await refusal("medium", "a.zip", bytes)).toMatch(
      /posts\/a\.html in the archive (?:is too large|cannot be read)/,
    )
  })

  it("an archive of over 20,000 files is refused", async () => {
    // The records of a directory can be repeated without any data.
    const one = await zip({ a: "" })
    const start = one.indexOf("PK\u0001\u0002", 0, "latin1")
    const end = one.indexOf("PK\u0005\u0006", 0, "latin1")
    const records = Array.from({ length: 20_002 }, (_, i) => {
      const record = Buffer.concat([one.subarray(start, start + 46), Buffer.from(String(i).padStart(6, "0"))])
      record.writeUInt16LE(6, 28)
      record.writeUInt16LE(0, 30)
      record.writeUInt16LE(0, 32)
      return record
    })
    const directory = Buffer.concat(records)
    const tail = Buffer.from(one.subarray(end))
    tail.writeUInt16LE(20_002, 8)
    tail.writeUInt16LE(20_002, 10)
    tail.writeUInt32LE(directory.length, 12)
    const bytes = Buffer.concat([one.subarray(0, start), directory, tail])
    expect(await refusal("medium", "a.zip", bytes)).toContain("over 20000 files and folders")
  })
})

describe("XML", () => {
  it.each([
    ["a document type", '<!DOCTYPE rss SYSTEM "file:///etc/passwd">', "document type"],
    ["entities that multiply", '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>', "document type"],
  ])("XML with %s is refused", (_, start, message) => {
    expect(() => readWordPress([Buffer.from(start + wxr("<title>&b;</title>"))], NOW)).toThrow(message)
  })

  it("100 MB of nested elements are refused in less than five seconds of CPU time", async () => {
    const seconds = await cpuSecondsOf(() => {
      expect(() => readWordPress([Buffer.from("<a>".repeat(34_000_000))], NOW)).toThrow("nested over 100 levels deep")
      // An attribute may look like the end of an empty element.
      expect(() => readWordPress([Buffer.from('<a b="/>">'.repeat(100_000))], NOW)).toThrow(UsageError)
    })
    expect(seconds).toBeLessThan(5)
  })

  it("a document type within a text of a post is text", () => {
    const [post] = readWordPress([Buffer.from(item("<pre><code>&lt;!DOCTYPE html></code></pre>"))], NOW).posts
    expect(JSON.stringify(post?.content())).toContain("<!DOCTYPE html>")
  })
})

describe("texts of posts", () => {
  const LARGE = 300_000
  it.each([
    ["elements within each other", "<blockquote>".repeat(LARGE)],
    ["open formats", "<b><i>".repeat(LARGE)],
    ["open formats before paragraphs", "<font size=1><p>".repeat(LARGE)],
    ["lists within each other", "<ul><li>".repeat(LARGE)],
    ["over a million characters", "a ".repeat(1_100_000)],
    ["many cells that are not written", `<table><tr>${"<td>x</td>".repeat(2000)}</tr>${"<tr></tr>".repeat(40_000)}`],
    ["a cell that spans many", "<table><tr><td rowspan=60000 colspan=1000>a</table>"],
    ["many breaks in many quotes", `${"<blockquote>".repeat(120)}${"a<br>".repeat(50_000)}`],
    ["a long code in many quotes", `${"<blockquote>".repeat(120)}<pre>${"a\n".repeat(50_000)}</pre>`],
    ["many blocks in many quotes", `${"<blockquote>".repeat(120)}${"<p>x</p>".repeat(50_000)}`],
  ])("a post with %s is left out within ten seconds of CPU time, and the import goes on", async (_, html) => {
    const seconds = await cpuSecondsOf(async () => {
      const { code, screen } = await run("ghost", await fileWith("a.json", ghost(html)), await newFolder())
      expect([code, screen]).toEqual([0, expect.stringContaining("left out   a: ")])
    })
    expect(seconds).toBeLessThan(10)
  })

  it.each([
    ["elements", "<b><i>".repeat(300)],
    ["marks in its Markdown", `${"<blockquote>".repeat(120)}${"a<br>".repeat(9000)}`],
  ])("a short post of WordPress with too many %s is left out, and the import goes on", async (_, html) => {
    const { code, screen } = await run("wordpress", await fileWith("a.xml", item(html)), await newFolder())
    expect([code, screen]).toEqual([0, expect.stringContaining("left out   A: ")])
    expect(screen).toContain("Posts: 0")
  })

  it("a Markdown card of Ghost that would take long to parse leaves its post out", async () => {
    const lexical = JSON.stringify({
      root: { children: [{ type: "markdown", markdown: "*a ".repeat(20_000) + "a* ".repeat(20_000) }] },
    })
    const posts = [{ id: "1", slug: "a", title: "A", lexical }]
    const json = JSON.stringify({ db: [{ data: { posts } }] })
    const { screen } = await run("ghost", await fileWith("a.json", json), await newFolder())
    expect(screen).toContain("left out   a: The text has too many ")
  })

  it.each([
    "[caption]",
    "[caption][/embed]",
    "[[",
    "[a ",
    "<pre>",
    "<!-- wp:",
    "<!-- wp:a -->",
    "<p ",
    "\n \n",
    "[gallery ids=1,",
  ])("a million characters of %j in a text of WordPress take less than four seconds of CPU time", async (unit) => {
    const text = `${unit.repeat(1_000_000 / unit.length)}-->`
    expect(await cpuSecondsOf(() => readWordPress([Buffer.from(item(text))], NOW))).toBeLessThan(4)
  })
})

/** Makes the answer of a site. */
const answer = (status: number, headers: Record<string, string>, body: Buffer | null = null) => {
  const response = new IncomingMessage(new Socket())
  response.statusCode = status
  Object.assign(response.headers, headers)
  if (body) response.push(body)
  response.push(null)
  return response
}

describe("downloads", () => {
  const { signal } = new AbortController()
  const png = { "content-type": "image/png" }

  it("an image is downloaded over https, whatever its address and redirects say", async () => {
    const asked: string[] = []
    const download = openDownload(signal, async (url) => {
      asked.push(url.href)
      return asked.length === 1
        ? answer(302, { location: "http://e.example/b.png" })
        : answer(200, png, Buffer.from("bytes"))
    })
    expect(String(await download("http://e.example/a.png"))).toBe("bytes")
    expect(asked).toEqual(["https://e.example/a.png", "https://e.example/b.png"])
  })

  it.each([
    ["another scheme", "ftp://e.example/a.png", answer(200, png), "not one of the web"],
    ["a redirect to a file", "https://e.example/a.png", answer(301, { location: "file:///etc/passwd" }), "not one of"],
    [
      "a redirect to an IP address",
      "https://e.example/a.png",
      answer(301, { location: "https://10.0.0.1/" }),
      "a number instead of a name",
    ],
    ["an IPv4 address as a number", "https://2130706433/a.png", answer(200, png), "a number instead of a name"],
    ["an IPv6 address", "https://[::1]/a.png", answer(200, png), "a number instead of a name"],
    ["another status", "https://e.example/a.png", answer(404, png), "answers 404"],
    ["too many bytes", "https://e.example/a.png", answer(200, png, Buffer.alloc(2 ** 26 + 1)), "over 64 MiB"],
  ])("a download from %s fails", async (_, address, response, message) => {
    await expect(openDownload(signal, async () => response)(address)).rejects.toThrow(message)
  })

  it("redirects without an end fail", async () => {
    const download = openDownload(signal, async () => answer(302, { location: "https://e.example/" }))
    await expect(download("https://e.example/")).rejects.toThrow("over 5 redirects")
  })

  it("a name that resolves to this machine fails at the connection", async () => {
    await expect(openDownload(signal)("https://localhost:1/a.png")).rejects.toThrow("private network")
  })

  it.each([
    ..."127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255".split(
      " ",
    ),
    ..."::1 :: fe80::1 fc00::1 fd12::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 2001:db8::1 2002:7f00:1::".split(
      " ",
    ),
  ])("%s is no public address", (address) => expect(isPublicAddress(address)).toBe(false))

  it.each(["8.8.8.8", "172.32.0.1", "2606:4700::1111"])("%s is a public address", (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )

  it("an image that cannot be downloaded keeps its address and is named, and nothing is asked without the option", async () => {
    const folder = await newFolder()
    const file = await fileWith("a.json", ghost('<p><img src="http://localhost:1/a.png" alt="A"></p>'))
    const without = await run("ghost", file, folder)
    expect(without.screen).toContain("Images left on the web: 1. --download-images saves them.")
    expect(without.screen).not.toContain("no image")
    const { code, screen } = await run("ghost", file, folder, { "download-images": true })
    expect([code, screen]).toEqual([0, expect.stringContaining("no image   The address is in a private network.")])
    expect(await allFiles(folder)).toContain("![A](http://localhost:1/a.png)")
  })
})
