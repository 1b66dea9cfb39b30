import { describe, expect, it } from "vitest"

import { readDocument } from "../../src/markdown/document.ts"
import { listImages } from "../../src/markdown/images.ts"
import { rewritten, shown } from "./texts.ts"

const findImage = (reference: string, file: string) =>
  reference.startsWith("http")
    ? "remote"
    : /^none|^data:x/.test(reference)
      ? null
      : `/media/${file}/${reference.length}`

const image = (body: string) => shown(body, { findImage }, { file: "a" })

describe("images of a text", () => {
  it.each([
    ["![a](b.png) ![a *b*](<b c.png> 'T')", "![a](/media/a/5) ![a *b*](/media/a/7 'T')"],
    ["![a](b(1).png) ![a](b%20c.png) ![a](b\\_&amp;.png)", "![a](/media/a/8) ![a](/media/a/9) ![a](/media/a/7)"],
    ["![a][b] ![b][]\n\n[b]: c.png 'T'", "![a][b] ![b][]\n\n[b]: /media/a/5 'T'"],
    ["[![a](b.png)](https://e.x)", "[![a](/media/a/5)](https://e.x)"],
    ['<img src="b.png" alt="c" width=3>', '<img src="/media/a/5" alt="c" width=3>'],
    ["<figure><img alt=c\n src=b.png /></figure>", '<figure><img alt=c\n src="/media/a/5" /></figure>'],
    [
      "<picture><source srcset='none.webp'><img src='b.png'></picture>",
      "<picture><source srcset='none.webp'><img src=\"/media/a/5\"></picture>",
    ],
    [
      '{{< figure src="b.png" alt="c" caption="d" >}}',
      '<figure><img src="/media/a/5" alt="c"><figcaption>d</figcaption></figure>',
    ],
    ["![[b c.png|300]]", '<img src="/media/a/7" alt="" width="300">'],
    ["![a](data:image/png;base64,AA==)", "![a](/media/a/26)"],
    ['<img src="data:,%3Csvg/%3E">', '<img src="/media/a/16">'],
    ["> - ![a](b.png)", "> - ![a](/media/a/5)"],
    ["<!-- ![a](none.png) -->", ""],
    ["![a]\n\n[b]: none.png", "![a]\n\n"],
  ])("%j becomes %j", (body, expected) => expect(image(body)).toBe(expected))

  it("images in code, of videos and of scripts, and escaped ones, stay", () => {
    const code = ["`![a](none.png)`", "    ![a](none.png)", "<script>'<img src=none>'</script>"]
    const bodies = [...code, '<video poster="none.png" src="none.mp4"></video>', "\\![a](https://e.x)"]
    expect(bodies.map(image)).toEqual(bodies)
  })

  it.each([
    ["![a](none.png)", "![a](<>)"],
    ["![a][b]\n\n[b]: none.png 'T'", "![a][b]\n\n[b]: <> 'T'"],
    ['<img src="none.png" alt="c">', '<img src="" alt="c">'],
  ])("%j without a file keeps its alt text alone, with a warning", (body, expected) =>
    expect(image(body)).toBe(`${expected}\n! ${body.split("\n").length} warning missing_image`),
  )

  it.each([
    ["![a](<>)", "missing_image"],
    ["![a](https://e.x/b.png)", "remote_image"],
  ])("%j is reported, and stays", (body, code) => expect(image(`b\n${body}`)).toBe(`b\n${body}\n! 2 warning ${code}`))

  it("messages say what is wrong, and what to do", () => {
    const body = "![a](none.png) ![b](https://e.x/b.png) ![c](data:x/png;base64,AA)"
    const { findings } = rewritten(body, { findImage })
    expect(findings.map(({ message }) => message)).toEqual([
      "There is no image none.png. Add the file, or correct the path.",
      "Readers get a link for the image https://e.x/b.png. Save it in the folder to show it.",
      "Readers do not get the image data:x/png;base64,AA… in the text. Save it as a file beside the post, and name that file.",
    ])
  })

  it("references are listed in order, each once", () => {
    const body = "![a](b) <img src=c> ![d][e] ![a](b) ![f](data:,) ![g](https://h.example/i) [j](k)\n\n[e]: l\n[m]: n"
    expect(listImages(readDocument(body))).toEqual(["b", "c", "data:,", "https://h.example/i", "l"])
  })
})
