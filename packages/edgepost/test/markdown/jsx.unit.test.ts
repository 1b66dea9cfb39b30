import { expect, test } from "vitest"

import { folderOf } from "../folder/folder.ts"
import { desiredOf, planOf } from "./plan.ts"
import { converted } from "./texts.ts"

const IMPORT = 'import boat from "./boat.png"\nimport Image from "x"\n\n'

test.each([
  ["<img src={require('./boat.png').default} alt=\"A\" />", '<img src="./boat.png" alt="A" />'],
  ['a <img width={300} src={require("./b.png")}> b', 'a <img width="300" src="./b.png"> b'],
  ['<img alt={"A & b"} src={useBaseUrl("/img/x.png")} />', '<img alt="A &amp; b" src="/img/x.png" />'],
  [`${IMPORT}<img src={boat} alt="A" />`, '<img src="./boat.png" alt="A" />'],
  [`${IMPORT}<img\n  src={boat.src}\n/>`, '<img src="./boat.png"\n/>'],
  ["const b = useBaseUrl('/b.png')\n\n<img src={b} />", "const b = useBaseUrl('/b.png')\n\n<img src=\"/b.png\" />"],
  [`${IMPORT}<Image src={boat} alt="A b" widths={[240, 540]} formats={['avif']} />`, "![A b](./boat.png)"],
  ["<Image img={require('./b.png')} />", "![](./b.png)"],
  ["<Image src={`/b.png`} alt={'A'} onClick={f} />", "![A](/b.png)"],
  [
    "<img src='a.png' style={{border: 0, width: '50%'}} onClick={() => { a({}) }} />",
    "<img src='a.png' width=\"50%\" />",
  ],
  ['<b style={{color: "red"}} {...props}>a</b>', "<b>a</b>"],
  ["<a href={useBaseUrl('/b')} target='x'>a</a>", "<a href=\"/b\" target='x'>a</a>"],
  ['<img src="a.png" {...props} />', '<img src="a.png" />'],
  ["<video src={require('./b.mp4').default}></video>", '<video src="./b.mp4"></video>'],
  // HTML, code, and braces of other tools stay.
  ["<div className={box}>a</div> <img src={attach}a.png>", "<div className={box}>a</div> <img src={attach}a.png>"],
  ["`<img src={require('./b.png')} />`", "`<img src={require('./b.png')} />`"],
  ["<img src={{ site.baseurl }}/b.png>", "<img src=/b.png>"],
  // An address that only code knows blocks the post.
  ['<img src={boat} alt="A" />', '<img src={boat} alt="A" />\n! 1 <img src={boat} alt="A" />'],
  ["<img src={`/a/${b}.png`} />", "<img src={`/a/${b}.png`} />\n! 1 <img src={`/a/${b}.png`} />"],
  ["<Image src={boat} alt='A' />", "<Image src={boat} alt='A' />\n! 1 <Image>"],
  ["<a href={b}>a</a>", "<a href={b}>a</a>\n! 1 <a href={b}>"],
])("the JSX %j becomes %j in .md and .mdx", (text, expected) => {
  for (const file of ["a.md", "a.mdx"]) {
    // The constant of the row is one line of MDX, which readers of .md see.
    if (file === "a.mdx" && /^const|className|attach|site\./.test(text)) continue
    expect(converted(text, { file }).trimStart()).toBe(expected)
  }
})

test.each([
  ['a <img draggable="false" class="emoji" alt="🌊" src="https://s.w.org/1f30a.png"> b', "a 🌊 b"],
  ['<img class="wp-smiley x" alt="1️⃣" src="/a.svg"/>', "1️⃣"],
  ['a <img class="emoji" alt=":boat:" src="/boat.png">', "a :boat:"],
  ['<img class="emoji" alt="A boat" src="/boat.png">', '<img class="emoji" alt="A boat" src="/boat.png">'],
  ['<img class="emoji-list" alt="🌊" src="/a.png">', '<img class="emoji-list" alt="🌊" src="/a.png">'],
  ['`<img class="emoji" alt="🌊">`', '`<img class="emoji" alt="🌊">`'],
])("the image of a character %j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))

test.each([
  ["![A](@site/static/x.png)", "static/x.png"],
  ["<img src={require('@site/static/x.png').default} />", "static/x.png"],
  ["<img src={useBaseUrl('/x.png')} />", "static/x.png"],
  ["import a from '@site/blog/y.png'\n\n<img src={a} />", "blog/y.png"],
])("the image of %j is %s", async (body, image) => {
  const folder = folderOf({
    "docusaurus.config.js": "module.exports = { url: 'https://old.example', baseUrl: '/' }",
    "blog/2024-05-01-p.md": `---\ntitle: P\nslug: p\n---\n${body}\n`,
    "static/x.png": "x",
    "blog/y.png": "y",
  })
  expect([...(await planOf(folder)).library.notes.keys()]).toEqual([image])
})

test("a link by @site leads to the post of the file", async () => {
  const folder = folderOf({
    "docusaurus.config.js": "module.exports = { url: 'https://old.example', baseUrl: '/' }",
    "blog/2024-05-01-p.md": "---\ntitle: P\nslug: p\n---\n[a](@site/blog/a.md) [b](@site/blog/sub/a.md#x)\n",
    "blog/a.md": "---\ntitle: A\nslug: one\ndate: 2024-05-01\n---\na",
    "blog/sub/a.md": "---\ntitle: B\nslug: two\ndate: 2024-05-01\n---\n## x",
  })
  const { body } = desiredOf(await planOf(folder), "p").source
  expect(body).toMatch(/^\[a\]\(\/@[^/]*\/one\/\) \[b\]\(\/@[^/]*\/two\/#x\)$/m)
})
