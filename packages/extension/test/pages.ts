import { readdirSync, readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"

import { draw } from "../../edgepost/test/blogs.ts"

// Small pages of many kinds. Each has an article between things that a reader would not keep.

export interface TestPage {
  /** What the tests are called by, and the path. */
  name: string
  title: string
  language: string
  /** Direction of the script. */
  dir?: "rtl"
  head?: string
  /** HTML of what a reader would keep, without the title. `OTHER` stands for the origin of the other server. */
  article: string
  /** What a reader keeps, if it is not the article. */
  kept?: string
  /** Sizes of the images that arrive. An image with `data-link` stays a link. */
  images?: string[]
  /** Addresses of the links. `SITE` stands for the origin of the page. */
  links?: string[]
  tags?: string[]
  description?: string
  cells?: string[]
  code?: string[]
  /** What the popup says of the page. */
  notes?: string
  /** What the popup says beside that the draft is saved. */
  said?: string
  /** Runs in the page before the button is pressed. */
  script?: string
}

const SENTENCES = [
  "The ferry to the outer islands leaves at six in the morning, and nobody on the quay seems to mind the rain.",
  "Its captain has crossed the strait for thirty years; she says that the tide tells more than the radio does.",
  "Prices rose by 4 < 5 percent & more: R&D costs $5, *not* $6, for a_b_c and [brackets] in 2026.",
  "Two of the passengers carry cellos, one carries a dog, and the rest carry newspapers that are wet by now.",
]
const TEXT = SENTENCES.map((sentence) => `<p>${sentence.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`).join(
  "\n",
)

const long = Array.from(
  { length: 300 },
  (_, index) =>
    `<h2>Chapter ${index + 1}</h2><p>${index} ${SENTENCES[0]} ${SENTENCES[1]}</p><p>${SENTENCES[3]} ${index}</p>`,
).join("\n")

const CODE_TABLE = `<div class="highlight"><table><tbody><tr><td class="gutter"><pre>1
2</pre></td><td class="code"><pre><code class="language-python">def tide(hour):
    return hour % 12 | 3  # *high*
</code></pre></td></tr></tbody></table></div>`

/** Code as Hugo shows it, with its numbers in a cell, and as editors do, with elements inside of lines. */
const MORE_CODE = `<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code><span class="lnt">1
</span><span class="lnt">2
</span></code></pre></td><td class="lntd"><pre class="chroma"><code class="language-go" data-lang="go"><span class="line"><span class="cl">high := 12
</span></span><span class="line"><span class="cl">low := 6
</span></span></code></pre></td></tr></table></div></div>
<pre><code><div class="row"><span class="linenos">1</span><div class="cell">ebb()</div></div><div class="row"><span class="linenos">2</span><div class="cell">flow()</div></div></code></pre>`

/** Kinds that stand on many pages: signs beside headings, KaTeX, Google Docs, task boxes, GitHub's gists, SyntaxHighlighter. */
const KINDS = `<h2 id="install">Install<a href="#install" class="hash-link" title="Direct link">\u200B</a></h2>
<p>Formula <span class="katex"><span class="katex-mathml"><math><semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">E=mc2</span></span> ends.</p>
<b style="font-weight:normal"><p><span style="font-weight:700">Bold</span> and plain</p></b>
<ul><li><input type="checkbox" checked disabled> done</li><li><input type="checkbox" disabled> open</li></ul>
<div class="gist"><table class="highlight"><tbody><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code"><span>def</span> f(x):</td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-code">    <span>return</span> x | 1</td></tr></tbody></table></div>
<div class="syntaxhighlighter"><table><tbody><tr><td class="gutter"><div class="line">1</div><div class="line">2</div></td><td class="code"><div class="container"><div class="line"><code>var</code> <code>x</code></div><div class="line"><code>&nbsp;&nbsp;y</code></div></div></td></tr></tbody></table></div>
<pre><code class="language-js"><span class="token-line">let a = 1</span><span class="token-line">  let b = 2</span></code></pre>
<p><em>a</em><em>b</em> word<strong>(x)</strong>word</p>`

export const PAGES: TestPage[] = [
  {
    name: "news",
    title: "The ferry leaves at six",
    language: "en",
    head: '<meta name="keywords" content="Ferry, Islands"><meta name="description" content="A morning on the quay."><style>.promo { display: none }</style>',
    article: `${TEXT}<div class="promo">Subscribe now and never miss a hidden offer of our paper, as nobody can read here.</div>
      <figure><img src="/image/640x480/quay.png" alt="The quay *at* six"><figcaption>The quay, before the rain</figcaption></figure>
      <p>See <a href="/harbour?a=1&amp;b=2">the harbour</a>! And <a href="https://tides.example/today_(utc)">the tides</a>.</p>
      <blockquote><p>We wait for nobody, said the captain.</p></blockquote><ul><li>Six in the morning</li><li>Eight at night</li></ul>`,
    images: ["640x480"],
    links: ["SITE/harbour?a=1&b=2", "https://tides.example/today_(utc)"],
    tags: ["ferry", "islands"],
    description: "A morning on the quay.",
  },
  {
    name: "recipe",
    title: "Harbour soup",
    language: "en",
    article: `${TEXT}<h2>Ingredients</h2><table><thead><tr><th>What</th><th>How much</th></tr></thead><tbody>
      <tr><td>Fish | any</td><td>500 g</td></tr><tr><td>Cream</td><td>2&frac12; cups<br>or less</td></tr></tbody></table>
      <h2>Steps</h2><ol><li>Cut the fish into cubes of 10<sup>1</sup> mm.</li><li>Cook for 1. and 2. time.</li></ol>
      <img src="/image/800x600/soup.png" alt="Soup">`,
    images: ["800x600"],
    cells: ["Fish | any", "500 g", "Cream", "2½ cupsor less"],
  },
  {
    name: "code",
    title: "Tides in twelve lines",
    language: "en-GB",
    article: `${TEXT}<h2>First <a class="anchor" href="#first">#</a></h2><p>Use <code>a|b</code> and <code>\`x\`</code>.</p>
      <pre><code class="hljs language-js">const tide = "&lt;b&gt;" // \`*\`
  if (tide) return</code></pre>${CODE_TABLE}${MORE_CODE}`,
    code: [
      'const tide = "<b>" // `*`\n  if (tide) return\n',
      "def tide(hour):\n    return hour % 12 | 3  # *high*\n",
      "high := 12\nlow := 6\n",
      "ebb()\nflow()\n",
    ],
  },
  {
    name: "kinds",
    title: "Code, formulas and styles of many sites",
    language: "en",
    head: "<style>.token-line { display: block }</style>",
    article: `${TEXT}${KINDS}`,
    kept: `${TEXT}<h2>Install</h2><p>Formula E=mc2 ends.</p><p><strong>Bold</strong> and plain</p><ul><li>done</li><li>open</li></ul>
      <pre><code>def f(x):\n    return x | 1\n</code></pre><pre><code>var x\n  y\n</code></pre><pre><code>let a = 1\n  let b = 2\n</code></pre><p><em>ab</em> word<strong>(x)</strong>word</p>`,
    code: ["def f(x):\n    return x | 1\n", "var x\n  y\n", "let a = 1\n  let b = 2\n"],
  },
  {
    name: "lazy",
    title: "Images that come late",
    language: "en",
    article: `${TEXT}<p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/image/300x200/late.png" alt="Late"></p>
      <p><img src="/image/30x20/small.png" srcset="/image/400x300/s.png 400w, /image/1600x1200/m.png 1600w, /image/3000x2000/l.png 3000w" alt="Set"></p>
      <p><picture><source srcset="/image/900x600/wide.png" media="(min-width: 1px)"><img src="/image/90x60/narrow.png" alt="Picture"></picture></p>
      <p><img src="/image/3000x1000/huge.png" alt="Huge"></p><p><img src="/image/1x1/dot.png" width="1" height="1" alt=""></p>
      <p><img data-link src="/missing.png" alt="Missing"></p><p><img data-link src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/heavy.png" alt="Heavy"></p>
      <p><img data-link src="/endless.png" alt="Endless"></p>`,
    images: ["1600x1200", "2048x683", "300x200", "900x600"],
    links: ["SITE/missing.png", "SITE/heavy.png", "SITE/endless.png"],
    said: "The image “Missing” stays a link: its site answered 404.\nThe image “Heavy” stays a link: its file has more than 40 MB.\nThe image “Endless” stays a link: its file has more than 40 MB.",
  },
  {
    name: "foreign",
    title: "Images of another site",
    language: "en",
    article: `${TEXT}<p><img src="/image/200x100/own.png" alt="Own"></p><p><a href="OTHER/large"><img data-link src="OTHER/image/210x110/other.png" alt="Other"></a></p>`,
    images: ["200x100"],
    links: ["OTHER/image/210x110/other.png"],
    said: "The image “Other” stays a link: you have not allowed to read it from its site.",
  },
  {
    name: "cjk",
    title: "港の朝",
    language: "ja",
    article: `<p>離島への渡し船は朝六時に出る。桟橋にいる人たちは、雨など気にしていないようだ。船長はこの海峡を三十年も渡ってきた。</p>
      <p>「潮のほうが無線よりよく教えてくれる」と<strong>彼女</strong>は言う。<ruby>凪<rt>なぎ</rt></ruby>の日もあれば、荒れる日もある。乗客のうち二人はチェロを持っている。</p>
      <h2>帰り道</h2><p>夜八時、最後の船が戻る。<a href="https://example.jp/潮">潮の表</a>を見てから、もう一度出かけよう。新聞はもうすっかり濡れてしまっていた。</p>`,
    links: ["https://example.jp/潮"],
  },
  {
    name: "rtl",
    title: "الميناء في الصباح",
    language: "ar",
    dir: "rtl",
    article: `<p>تغادر العبّارة إلى الجزر البعيدة في السادسة صباحًا، ولا يبدو أن أحدًا على الرصيف يكترث بالمطر الذي لا يتوقف.</p>
      <p>عبر القبطان هذا المضيق ثلاثين عامًا، وهي تقول إن المد يخبرها أكثر مما يخبرها المذياع في كل صباح.</p>
      <p>انظر <a href="https://example.com/tides">جدول المد</a> قبل أن تخرج، فالبحر لا ينتظر أحدًا من المسافرين.</p>`,
    links: ["https://example.com/tides"],
  },
  { name: "long", title: "Three hundred chapters", language: "en", article: long },
  {
    name: "app",
    title: "An app of one page",
    language: "en",
    article: `${TEXT}<p>Written by a script.</p>`,
    script: "history.pushState({}, '', '/app?view=article'); show()",
  },
  {
    name: "media",
    title: "A film of the harbour",
    language: "en",
    article: `${TEXT}<p><iframe src="OTHER/news" title="A film" width="400" height="300"></iframe></p>
      <p><video title="The tide" width="320" height="240"><source src="/tide.mp4"></video></p><p>It has <math><mi>x</mi></math> waves.</p>`,
    links: ["OTHER/news", "SITE/tide.mp4"],
    notes: "The text has formulas, which become plain text. Correct them.",
  },
  {
    name: "selection",
    title: "Only a part",
    language: "en",
    article: `<ol start="5"><li>Second <b>item</b></li><li>Third item</li></ol>`,
    notes: "The text is what you selected on the page.",
    script: `getSelection().setBaseAndExtent(document.querySelector("#from").firstChild, 0, document.querySelector("#to").firstChild, 10)`,
  },
  {
    name: "file",
    title: "A page on this computer",
    language: "en",
    article: `${TEXT}<p><img data-link src="boat.png" alt="A boat"> and <a href="other.html">a file</a>.</p>`,
  },
]

/** A page without an article. */
export const SIGN_IN: TestPage = { name: "none", title: "Sign in", language: "en", article: "" }

const inner = ({ name, title, article }: TestPage): string => {
  if (name === "none")
    return '<form><label>Name <input></label><button>Sign in</button></form><ul><li><a href="/a">Help</a></li><li><a href="/b">Terms</a></li></ul>'
  if (name === "app")
    return `<div id="app"></div><script>window.show = () => { document.querySelector("#app").innerHTML = ${JSON.stringify(`<article><h1>${title}</h1>${article}</article>`)} }</script>`
  if (name === "selection")
    return `<article>${TEXT}<ol start="4"><li>First item</li><li id="from">Second <b>item</b><span style="display: none">unseen</span></li><li id="to">Third item</li></ol></article>`
  return `<article><h1>${title}</h1>${article}</article>`
}

/** Returns the whole HTML of a page. */
export const htmlOfPage = (page: TestPage, other = ""): string =>
  `<!doctype html><html lang="${page.language}"${page.dir ? ` dir="${page.dir}"` : ""}><head><meta charset="utf-8"><title>${page.title}</title>${page.head ?? ""}</head>
  <body><header><nav><ul><li><a href="/">Home page</a></li><li><a href="/sport">Sport pages</a></li></ul></nav></header>
  <main>${inner(page).replaceAll("OTHER", other)}</main>
  <aside class="sidebar ad"><p>Buy a boat now.</p></aside><footer><p>All rights reserved by nobody in particular.</p></footer></body></html>`

export interface Site {
  origin: string
  /** The Cookie headers with which images were asked for, by path. */
  cookies: Map<string, string>
  /** The colour of the images, from 0 to 255. */
  hue: number
  close: () => void
}

/** Pages of `samples/`, each with a kind of HTML that other converters get wrong, by name. */
export const SAMPLES = readdirSync(join(import.meta.dirname, "samples")).filter((name) => name.endsWith(".html"))

/** Serves the pages and images. @param host the name that the browser uses: `localhost` and `127.0.0.1` are two origins */
export const startSite = async (host: string, other = ""): Promise<Site> => {
  const site: Site = { origin: "", cookies: new Map(), hue: 100, close: () => server.close() }
  const server: Server = createServer((request, answer) => {
    const url = request.url ?? "/"
    const page = [...PAGES, SIGN_IN].find(({ name }) => url.split("?")[0] === `/${name}`)
    const file = SAMPLES.find((name) => url === `/samples/${name}`)
    // Matches `/image/640x480/quay.png`. Does not match `/missing.png`.
    const [, width, height] = /^\/image\/(\d+)x(\d+)\//.exec(url) ?? []
    if (page) {
      answer.writeHead(200, { "Content-Type": "text/html", "Set-Cookie": "session=reader; Path=/" })
      answer.end(htmlOfPage(page, other))
    } else if (file !== undefined)
      answer
        .writeHead(200, { "Content-Type": "text/html" })
        .end(readFileSync(join(import.meta.dirname, "samples", file)))
    else if (width !== undefined) {
      site.cookies.set(url, request.headers.cookie ?? "")
      void draw(url, Number(width), Number(height), site.hue).then((bytes) =>
        answer.writeHead(200, { "Content-Type": "image/png" }).end(bytes),
      )
    } else if (url === "/heavy.png") {
      // The rest never comes: an image that is too large is not read.
      answer.writeHead(200, { "Content-Length": 41 * 2 ** 20 }).write("x")
    } else if (url === "/endless.png") {
      // Does not say its size, and never ends.
      answer.writeHead(200).write(Buffer.alloc(41 * 2 ** 20))
    } else answer.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  site.origin = `http://${host}:${port}`
  return site
}
