import { it } from "vitest"

import { placePictures, renderMarkdown } from "../../src/posts/markdown.ts"
it("x", () => {
  for (const [name, md] of Object.entries({
    stars: "*".repeat(6000) + "a" + "*".repeat(6000),
    stars20: "*".repeat(20000) + "a" + "*".repeat(20000),
    stars100: "*".repeat(100000) + "a" + "*".repeat(100000),
    em: "*a ".repeat(5000) + " b*".repeat(5000),
    mixed: "*a __b ".repeat(2000) + " b__ c*".repeat(2000),
    mix2: "*a **b ".repeat(2000) + " b** c*".repeat(2000),
    mix3: "*a _b ".repeat(1200) + " b_ c*".repeat(1200),
    tilde: "~a ~~b ".repeat(2000) + " b~~ c~".repeat(2000),
    tilde3: "*a ~b ".repeat(2000) + " b~ c*".repeat(2000),
    up: "[a](HTTPS://e.x) <HTTP://e.x> HTTPS://e.x ![a](HTTP://e.x/a.png) WWW.e.x [b](MailTo:a@b)",
  })) {
    try {
      const r = renderMarkdown(md)
      if ("tooComplex" in r) {
        console.log(name, r.tooComplex)
        continue
      }
      const p = placePictures(r, "p-", () => null)
      console.log(
        name,
        JSON.stringify(p).length,
        JSON.stringify(p).slice(0, 400),
        (JSON.stringify(p).match(/<(em|strong|del)>/g) ?? []).length,
      )
    } catch (e) {
      console.log(name, String(e).slice(0, 200))
    }
  }
  throw new Error("show")
}, 60000)
