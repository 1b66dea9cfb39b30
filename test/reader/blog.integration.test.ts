import { beforeEach, expect, it } from "vitest"

import { patch, remove, setAccount } from "../calls.ts"
import { tapD1 } from "../faults.ts"
import { wipeStorage } from "../storage.ts"
import { type Author, call, newAuthor, newPost, ORIGIN, passSeconds, rows, stopClock, upload } from "../support.ts"
import { newDesk } from "../translations/author.ts"

let ann: Author
beforeEach(async () => {
  stopClock(new Date("2030-01-01T12:00:00Z"))
  ann = await newAuthor()
})
const IN_A_SECOND = "2030-01-01T12:00:01Z"

const addressOf = (path: string) => `${ORIGIN}/@${ann.username}/${path}`
const see = (path = "", headers: Record<string, string> = {}) => call("GET", `/@${ann.username}/${path}`, { headers })

/** Returns the query of the link to older posts. */
const olderOf = ({ text }: { text: string }): string =>
  (/<a rel="prev" href="[^"?]*(\?[^"]*)"/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&")

const etagOf = async (path: string) => (await see(path)).headers.get("ETag") ?? ""
/** Returns the time of the first post in the sitemap. */
const lastmod = async () => /<lastmod>([^<]*)</.exec((await see("sitemap.xml")).text)?.[1]
/** Returns the links of a post's page to other posts, as pairs of `prev` or `next` and a title. */
const neighboursOf = async (slug: string) =>
  [...(await see(`${slug}/`)).text.matchAll(/<a rel="(prev|next)" href="[^"]*">[^]*?<bdi lang="en">([^<]*)</g)].map(
    ([, rel, title]) => [rel, title],
  )

/** Returns the titles of the posts on a page, in order. */
const titlesOf = ({ text }: { text: string }): string[] =>
  [...text.matchAll(/<h2>\s*<a [^>]*><bdi>([^<]*)<\/bdi><\/a>/g)].map(([, title = ""]) => title)

/** Publishes posts of successive days. */
const publishMany = async (count: number, changes: Record<string, unknown> = {}) => {
  for (let i = 1; i <= count; i++)
    await newPost(ann, { title: `Post ${i}`, published_at: new Date(Date.UTC(2020, 0, i)).toISOString(), ...changes })
}
const french = { lang_code: "fr", translation_languages: ["fr"], title: "Un", meta_description: "De", body: "Mots" }

it("the blog of an account lists its posts by published_at, the newest first, each with its description, day and cover", async () => {
  const cover = await upload(ann)
  await newPost(ann, { title: "Old", published_at: "2019-05-01T00:00:00Z", meta_description: "About the old one." })
  await newPost(ann, { title: "New", cover_image_id: cover.image_id })
  const page = await see()
  expect([page.status, titlesOf(page)]).toEqual([200, ["New", "Old"]])
  for (const shown of ["About the old one.", "May 1, 2019", `src="${cover.image_url}"`])
    expect(page.text).toContain(shown)
})

it("the blog of an account has 20 posts a page and links between pages; a page beyond the end answers 404", async () => {
  await publishMany(41)
  const [first, second, third] = [await see(), await see("?page=2"), await see("?page=3")]
  expect([first, second, third].map((page) => titlesOf(page).length)).toEqual([20, 20, 1])
  expect(titlesOf(third)).toEqual(["Post 1"])
  expect(second.text).toContain(`<a rel="next" href="${addressOf("")}">`)
  expect(second.text).toContain(`<a rel="prev" href="${addressOf("?page=3&amp;after=")}`)
  expect(titlesOf(await see(olderOf(first)))).toEqual(titlesOf(second))
  expect((await see("?page=2&after=gone")).headers.get("Location")).toBe(addressOf("?page=2"))
  for (const query of ["?page=4", "?page=0", "?page=x", "?page=-1", "?page=1e9"])
    expect((await see(query)).status, query).toBe(404)
})

it("the blog of an account begins a page only after a post of its own that readers see", async () => {
  const bob = await newAuthor()
  await newPost(ann, { published_at: "2020-01-01T00:00:00Z" })
  const hidden = [
    await newPost(bob, { published_at: "2021-01-01T00:00:00Z" }),
    await newPost(bob, { published_at: "2030-06-01T00:00:00Z" }),
    await newPost(ann, { published_at: "2030-06-01T00:00:00Z" }),
    await newPost(ann, { status: "DF" }),
    { slug: "none" },
  ]
  for (const { slug } of hidden) expect((await see(`?after=${slug}`)).status, slug).toBe(302)
})

it("the blog of an account shows its title and description; without them its username, and without a post a sentence in its language", async () => {
  await setAccount(ann, { primary_language: "de" })
  const empty = (await see()).text
  expect(empty).toContain(`<title>@${ann.username}</title>`)
  expect(empty).toContain("Es gibt noch keine Beiträge.")
  await setAccount(ann, { blog_title: "Notes <from> the bay", blog_description: "Tides & boats." })
  const { text } = await see()
  expect(text).toContain("<title>Notes &lt;from&gt; the bay</title>")
  expect(text).toContain('<meta name="description" content="Tides &amp; boats." />')
})

it("the blog of an account with ?lang= shows each post in that language where readers find it, else in its source language, as its feed does", async () => {
  const both = await newPost(ann, { title: "Both" })
  await newPost(ann, { title: "English only" })
  const unlisted = await newPost(ann, { title: "Unlisted" })
  await patch(ann, both.slug, french)
  await patch(ann, unlisted.slug, french)
  await patch(ann, unlisted.slug, { title: "Unlisted" })
  const page = await see("?lang=fr")
  const titles = ["English only", "Un", "Unlisted"]
  const url = addressOf(`${both.slug}/fr/`)
  expect(titlesOf(page).toSorted()).toEqual(titles)
  expect([page.headers.get("Content-Language"), page.text]).toEqual(["fr", expect.stringContaining(`href="${url}"`)])
  const { feed_url, items } = (await see("feed.json?lang=fr")).json
  expect([feed_url, items.map(({ title }: { title: string }) => title).toSorted()]).toEqual([
    addressOf("feed.json?lang=fr"),
    titles,
  ])
  expect(items).toContainEqual(expect.objectContaining({ title: "Un", language: "fr", url }))
})

/** Returns the language of a list and its canonical address. */
const languageAndCanonical = async (path: string) => {
  const { text, headers } = await see(path)
  const [, lang] = /<html lang="([^"]*)"/.exec(text) ?? []
  const [, canonical] = /<link rel="canonical" href="([^"]*)"/.exec(text) ?? []
  expect(headers.get("Content-Language")).toBe(lang)
  return [lang, canonical]
}

it("?lang= of a list counts if a post of the page is in the language; its canonical address names the language", async () => {
  const { slug } = await newPost(ann, { tags: "t" })
  await patch(ann, slug, french)
  for (const list of ["", "tags/t/"])
    expect(await languageAndCanonical(`${list}?lang=FR`)).toEqual(["fr", addressOf(`${list}?lang=fr`)])
})

it.each(["en", "EN", "klingon", "de", "not_one", ""])(
  "?lang= of a list %j, the blog's own language or one of no post, answers in the blog's with the plain canonical address",
  async (lang) => {
    await newPost(ann, { tags: "t" })
    for (const list of ["", "tags/t/"])
      expect(await languageAndCanonical(`${list}?lang=${lang}`)).toEqual(["en", addressOf(list)])
    expect((await see(`feed.json?lang=${lang}`)).json.language).toBe("en")
    const { text } = await see(`feed.atom?lang=${lang}`)
    expect(text).toMatch(/<feed\s[^>]*xml:lang="en"\s*>/)
  },
)

it("?lang= of a list stays in the links between pages, also on a page without a post in the language", async () => {
  await publishMany(21)
  const { slug } = await newPost(ann)
  await patch(ann, slug, french)
  expect((await see("?lang=fr")).text).toContain(`<a rel="prev" href="${addressOf("?lang=fr&amp;page=2&amp;after=")}`)
  expect((await see("?lang=fr&page=2")).text).toContain(`<a rel="next" href="${addressOf("?lang=fr")}">`)
  expect(await languageAndCanonical("?lang=fr&page=2")).toEqual(["en", addressOf("?page=2")])
})

const decomposed = (text: string) => encodeURIComponent(text.normalize("NFD"))

it("lists by tag and category list the posts with the tag or in the category", async () => {
  await newPost(ann, { title: "A", tags: ["sea", "größe"], categories: ["News"] })
  await newPost(ann, { title: "B", tags: ["land"], categories: ["a/b c"] })
  for (const path of ["tags/sea/", `tags/${encodeURIComponent("größe")}/`, "categories/News/"])
    expect(titlesOf(await see(path)), path).toEqual(["A"])
  expect(titlesOf(await see(`categories/${encodeURIComponent("a/b c")}/`))).toEqual(["B"])
  for (const path of ["categories/news/", "tags/none/"]) expect((await see(path)).status, path).toBe(404)
})

it("lists by tag and category have links between their own pages", async () => {
  await publishMany(21, { tags: "t" })
  for (const list of ["tags/t/", "categories/news/"]) {
    const [first, second] = [await see(list), await see(`${list}?page=2`)]
    expect(first.text).toContain(`<a rel="prev" href="${addressOf(`${list}?page=2&amp;after=`)}`)
    expect(second.text).toContain(`<a rel="next" href="${addressOf(list)}">`)
    expect([titlesOf(first).length, titlesOf(second).length]).toEqual([20, 1])
  }
})

it("another spelling of a tag or category redirects with 308 and the query, whatever the list has", async () => {
  await newPost(ann, { tags: ["größe", "weg"], categories: ["Größe"] })
  for (const [sent, right] of [
    ["tags/WEG/", "tags/weg/"],
    [`tags/${decomposed("größe")}/`, "tags/gr%C3%B6%C3%9Fe/"],
    [`categories/${decomposed("Größe")}/`, "categories/Gr%C3%B6%C3%9Fe/"],
    ["tags/WEG/?lang=FR&page=2", "tags/weg/?lang=fr&page=2"],
    ["tags/NONE/?page=2", "tags/none/?page=2"],
    ["tags/WEG/?lang=fr&page=1&utm=x", "tags/weg/?lang=fr"],
    [`categories/${decomposed("é")}/?lang=fr&page=3`, "categories/%C3%A9/?lang=fr&page=3"],
  ] as const) {
    const { status, headers } = await see(sent)
    expect([status, headers.get("Location")]).toEqual([308, addressOf(right)])
  }
  for (const path of ["tags/weg/?lang=fr&page=2", "tags/WEG/?page=0"]) expect((await see(path)).status).toBe(404)
  expect((await call("GET", "/@nobody%0A/tags/WEG/")).status).toBe(404)
})

it("the links of a post lead to lists that have it", async () => {
  const names = ["c++", "a&b", "50%", "日本", "?", "#1"]
  const { slug } = await newPost(ann, { title: "Odd", tags: names, categories: names })
  const { text } = await see(`${slug}/`)
  const links = [...text.matchAll(/href="([^"]*\/(?:tags|categories)\/[^"]+)"/g)].map(([, href = ""]) => href)
  expect(links).toHaveLength(2 * names.length)
  for (const href of links) expect(titlesOf(await call("GET", new URL(href).pathname)), href).toEqual(["Odd"])
})

it("the page of topics has all categories and tags of posts that readers see, those with the most posts first", async () => {
  const topics = async () => {
    const { status, text } = await see("tags/")
    const found = text.matchAll(/<li>\s*<a href="([^"]*)"><bdi>([^<]*)<\/bdi><\/a>\s*(\d+)/g)
    return [
      status,
      ...[...found].map(([, href = "", label, count]) => [new URL(href).pathname.split("/")[2], label, count]),
    ]
  }
  expect(await topics()).toEqual([200])
  await newPost(ann, { categories: "Sea", tags: "boat, a&b" })
  await newPost(ann, { categories: "Land", tags: "boat" })
  await newPost(ann, { categories: "Secret", tags: "hidden", status: "DF" })
  await newPost(ann, { categories: "Later", tags: "later", published_at: IN_A_SECOND })
  expect(await topics()).toEqual([
    200,
    ["categories", "Land", "1"],
    ["categories", "Sea", "1"],
    ["tags", "#boat", "2"],
    ["tags", "#a&amp;b", "1"],
  ])
  expect((await see()).text).toContain(`<a href="${addressOf("tags/")}">Topics</a>`)
})

const whereTo = async (path: string) => {
  const { status, headers } = await see(path)
  return [status, headers.get("Location")]
}

it("usual names of feeds lead to the feed, unless a post has that slug", async () => {
  for (const name of ["feed", "feed/", "feed.xml", "atom.xml", "index.xml"])
    expect(await whereTo(name), name).toEqual([301, addressOf("feed.atom")])
  for (const name of ["rss", "rss/", "rss.xml"]) expect(await whereTo(name), name).toEqual([301, addressOf("feed.rss")])
  expect(await whereTo("archive/")).toEqual([404, null])
  await newPost(ann, { slug: "rss" })
  expect(await whereTo("rss/")).toEqual([200, null])
  expect((await call("GET", "/@nobody-here/rss/")).status).toBe(404)
})

it("the Atom feed has whole posts with absolute addresses", async () => {
  const image = await upload(ann)
  await setAccount(ann, { blog_title: "Bay", author_name: "Ada" })
  const links = "[a](#part) [b](/@x/y/) <a href='//e.example/x'>d</a> [e](//e.example/y)"
  const body = `## Part\n\n${links} ![c](${image.image_url}) src="/x" &`
  const { slug, url } = await newPost(ann, { body, tags: "t", categories: "c" })
  const { status, headers, text } = await see("feed.atom")
  const sent = ["Content-Type", "Access-Control-Allow-Origin", "Last-Modified"].map((name) => headers.get(name))
  expect([status, ...sent]).toEqual([200, "application/atom+xml; charset=utf-8", "*", new Date().toUTCString()])
  expect(text).toContain(`<id>${addressOf(`${slug}/`)}</id>`)
  const [, content = ""] = /<content type="html">([^<]*)</.exec(text) ?? []
  const html = content
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
  const addresses = [`${url}#part`, `${ORIGIN}/@x/y/`, "http://e.example/x", "http://e.example/y"]
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(addresses)
  for (const shown of [`src="${ORIGIN}${image.image_url}"`, 'src="/x"']) expect(html).toContain(shown)
  const [{ content_html }] = (await see("feed.json")).json.items
  expect(content_html).toBe(html)
})

it("a feed has 30 posts, whole ones until 1 MiB in all, then descriptions", async () => {
  await publishMany(31, { body: "x".repeat(100_000) })
  const { items } = (await see("feed.json")).json
  expect(items).toHaveLength(30)
  const whole = items.filter(({ content_html }: { content_html?: string }) => content_html)
  expect(whole).toHaveLength(10)
  expect(items.slice(0, 10)).toEqual(whole)
  expect(items[10].content_text).toBe(items[10].summary)
})

/** Decodes the references of a text once, as a parser of XML or HTML does, and drops its tags. */
const decode = (text: string): string =>
  text
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(
      /&(?:lt|gt|quot|amp|#39);/g,
      (found) => ({ "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" })[found] ?? "'",
    )

it.each([
  "When to use the <main> element, and 5 < 6 & so on.",
  'Uses <script> & "quotes" of <b>',
  "std::vector<T> in C++; &lt; stays &lt;",
])(
  "the description %j is whole in each feed, for readers that take it for HTML in RSS and for text in the others",
  async (text) => {
    await setAccount(ann, { blog_description: text })
    await newPost(ann, { meta_description: text })
    const described = async (file: string, element: string) =>
      [...(await see(file)).text.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "g"))].map(([, found = ""]) =>
        decode(found),
      )
    expect((await described("feed.rss", "description")).map(decode)).toEqual([text, text])
    expect([await described("feed.atom", "subtitle"), await described("feed.atom", "summary")]).toEqual([
      [text],
      [text],
    ])
    const { description, items } = (await see("feed.json")).json
    expect([description, items[0].summary]).toEqual([text, text])
  },
)

it("a cover is in all three feeds, with its address, type and size, and a post without one has none", async () => {
  const { image_id, image_url, width, height } = await upload(ann)
  await newPost(ann)
  await newPost(ann, { cover_image_id: image_id })
  for (const file of ["feed.atom", "feed.rss"]) {
    const { text } = await see(file)
    expect(text).toContain('xmlns:media="http://search.yahoo.com/mrss/"')
    expect(text.match(/<media:[^>]*>/g)).toEqual([
      `<media:content url="${ORIGIN}${image_url}" type="image/webp" medium="image" width="${width}" height="${height}" />`,
    ])
  }
  const images = (await see("feed.json")).json.items.map(({ image }: { image?: string }) => image)
  expect(images.toSorted()).toEqual([ORIGIN + image_url, undefined])
})

it("characters that XML forbids are left out of the Atom feed, and markup in texts is escaped", async () => {
  await newPost(ann, { title: "a\u0008b\uFFFEc <script>]]>&", body: "x\u0001y" })
  const { text } = await see("feed.atom")
  expect(text).toContain("<title>abc &lt;script&gt;]]&gt;&amp;</title>")
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0008\uFFFE]/)
})

it("the sitemap lists each language's page with its last change, but no page that is canonical elsewhere", async () => {
  const { slug } = await newPost(ann)
  passSeconds(60)
  await patch(ann, slug, french)
  const elsewhere = await newPost(ann, { canonical_url: "https://example.org/a" })
  await patch(ann, elsewhere.slug, french)
  const { text } = await see("sitemap.xml")
  const found = [...text.matchAll(/<loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<)?/g)].map(([, loc, last]) => [loc, last])
  expect(found).toContainEqual([addressOf(`${slug}/`), "2030-01-01T12:00:00.000Z"])
  expect(found).toContainEqual([addressOf(`${slug}/fr/`), "2030-01-01T12:01:00.000Z"])
  const pages = ["", `${slug}/`, `${slug}/fr/`, `${elsewhere.slug}/fr/`].map(addressOf)
  expect(new Set(found.map(([loc]) => loc))).toEqual(new Set(pages))
})

it("the last change of a translation moves with its own text only, not when it is queued, made again or failed", async () => {
  const desk = await newDesk()
  const { slug } = await desk.create({ translation_languages: ["fr"] })
  await desk.run()
  const retranslate = () => desk.send("POST", `${slug}/translations/fr/`)
  const time = async () => {
    const { text } = await call("GET", `/@${desk.username}/sitemap.xml`)
    const { json } = await call("GET", `/@${desk.username}/feed.json?lang=fr`)
    const [, last] = /\/fr\/<\/loc><lastmod>([^<]*)</.exec(text) ?? []
    const [, modified] = /"dateModified":"([^"]*)"/.exec((await desk.page(slug, "fr")).text) ?? []
    expect([json.items[0].date_modified, modified]).toEqual([last, last])
    return last
  }
  const made = await time()
  passSeconds(60)
  expect((await retranslate()).status).toBe(202)
  expect(await time()).toBe(made)
  await desk.run()
  expect(await time()).toBe(made)
  passSeconds(60)
  await desk.patch(slug, { translation_languages: ["fr"], title: "Another" })
  expect(await time()).toBe(made)
  await rows("update texts set status = 'running', attempts = 9 where lang_code = 'fr'")
  await desk.run()
  expect((await desk.translations(slug))["fr"]).toMatchObject({ status: "failed" })
  expect(await time()).toBe(made)
  await retranslate()
  await desk.run()
  expect(Date.parse((await time()) ?? "")).toBeGreaterThan(Date.parse(made ?? ""))
})

it("the last change of a source text moves with title, description or body, and not with tags", async () => {
  const { slug } = await newPost(ann)
  const first = await lastmod()
  passSeconds(60)
  await patch(ann, slug, { tags: "t", title: "Hello", translation_languages: ["fr"] })
  const second = await lastmod()
  passSeconds(60)
  await patch(ann, slug, { tags: "u", title: "Hello" })
  expect([await lastmod(), second === first]).toEqual([second, false])
  for (const change of [{ title: "New" }, { meta_description: "New." }, { body: "New." }]) {
    passSeconds(60)
    await patch(ann, slug, change)
    expect(await lastmod()).toBe(new Date().toISOString())
  }
})

it("a language that is unlisted or not complete is in no sitemap, list or feed", async () => {
  const { slug } = await newPost(ann)
  await patch(ann, slug, { lang_code: "fr", translation_languages: ["fr"], title: "Un" })
  const shown = async () => {
    const answers = [await see("sitemap.xml"), await see("?lang=fr"), await see("feed.atom?lang=fr")]
    return answers.map(({ text }) => text.includes(`/${slug}/fr/`))
  }
  expect(await shown()).toEqual([false, false, false])
  await patch(ann, slug, french)
  expect(await shown()).toEqual([true, true, true])
  await patch(ann, slug)
  expect(await shown()).toEqual([false, false, false])
})

it("the sitemap index has a blog once readers see a post of it, and not while its account is hidden", async () => {
  const listed = async () => (await call("GET", "/sitemap.xml")).text.includes(`/@${ann.username}/sitemap.xml<`)
  expect(await listed()).toBe(false)
  const { slug } = await newPost(ann, { status: "DF" })
  expect(await listed()).toBe(false)
  await patch(ann, slug, { status: "PB", published_at: IN_A_SECOND })
  expect(await listed()).toBe(false)
  passSeconds(1)
  expect(await listed()).toBe(true)
  await setAccount(ann, { hidden: true })
  expect(await listed()).toBe(false)
})

it("a draft, a scheduled and a deleted post are on no page, in no language, and in no feed or sitemap", async () => {
  const { slug } = await newPost(ann, { title: "Secret", tags: "t" })
  await patch(ann, slug, french)
  await newPost(ann, { title: "Shown", tags: "t" })
  const files = ["", `${slug}/`, `${slug}/fr/`, "feed.atom", "feed.json", "sitemap.xml", "tags/t/", "categories/news/"]
  const expectShown = async (isShown: boolean) => {
    const answers = await Promise.all(files.map((file) => see(file)))
    expect(answers.map(({ text }) => text.includes(slug))).toEqual(files.map(() => isShown))
  }
  const change = (changes: Record<string, unknown>) => patch(ann, slug, { translation_languages: ["fr"], ...changes })
  await expectShown(true)
  await change({ status: "DF" })
  await expectShown(false)
  await change({ status: "PB", published_at: IN_A_SECOND })
  await expectShown(false)
  passSeconds(1)
  await expectShown(true)
  await remove(ann, slug)
  await expectShown(false)
})

it("a post on its blog links to the posts before and after it, of those that readers see, and to a scheduled one from its time on", async () => {
  const first = await newPost(ann, { title: "First", published_at: "2030-01-01T11:59:00Z" })
  await newPost(ann, { title: "Draft", published_at: "2030-01-01T11:59:30Z", status: "DF" })
  const second = await newPost(ann, { title: "Second", published_at: IN_A_SECOND })
  await newPost(ann, { title: "Third", published_at: "2030-01-01T12:00:02Z" })
  expect(await neighboursOf(first.slug)).toEqual([])
  passSeconds(1)
  expect(await neighboursOf(first.slug)).toEqual([["next", "Second"]])
  passSeconds(1)
  expect(await neighboursOf(second.slug)).toEqual([
    ["prev", "First"],
    ["next", "Third"],
  ])
})

it("a post that is not listed is a page at its address and in the sitemap, and in no list, feed, topic or neighbour", async () => {
  const labels = { tags: "sea", categories: "Boats" }
  const first = await newPost(ann, { title: "First", ...labels, published_at: "2029-12-01T00:00:00Z" })
  const about = { title: "About", ...labels, tags: "sea, me", published_at: "2029-12-02T00:00:00Z" }
  const page = await newPost(ann, { ...about, listed: false })
  await newPost(ann, { title: "Third", ...labels, published_at: "2029-12-03T00:00:00Z" })
  const paths = ["", "tags/sea/", "categories/Boats/", "feed.atom", "feed.rss", "feed.json", "tags/", "tags/me/"]
  const findPage = async () => {
    const found = []
    for (const path of [...paths, `${first.slug}/`])
      if (/About|#me|>\s*3\b/.test((await see(path)).text)) found.push(path)
    return found
  }
  expect(await findPage()).toEqual([])
  expect(await neighboursOf(first.slug)).toEqual([["next", "Third"]])
  expect([(await see(`${page.slug}/`)).status, await neighboursOf(page.slug)]).toEqual([200, []])
  expect((await see("tags/me/")).status).toBe(404)
  expect((await see("sitemap.xml")).text).toContain(addressOf(`${page.slug}/`))
  const own = async () => (await call("GET", "/api/blogcontroller/posts/?tag=me", { key: ann.key })).json.posts
  expect(await own()).toMatchObject([{ slug: page.slug, listed: false }])
  await patch(ann, page.slug, { listed: true })
  expect(await findPage()).toEqual([...paths, `${first.slug}/`])
  await patch(ann, page.slug, { listed: false, tags: "sea, me, you" })
  expect(await findPage()).toEqual([])
})

it("of two posts of the same moment, each is the other's neighbour on the right side", async () => {
  const published_at = "2020-01-01T00:00:00Z"
  const slugs = new Map<string, string>()
  for (const title of ["A", "B"]) slugs.set(title, (await newPost(ann, { title, published_at })).slug)
  const [newer = "", older = ""] = titlesOf(await see())
  expect([newer, older].toSorted()).toEqual(["A", "B"])
  expect(await neighboursOf(slugs.get(newer) ?? "")).toEqual([["prev", older]])
  expect(await neighboursOf(slugs.get(older) ?? "")).toEqual([["next", newer]])
})

it.each([
  ["the post's author_name", "Ada", "Bea", "Ada"],
  ["the account's author_name without the post's", null, "Bea", "Bea"],
  ["the username without both", null, null, ""],
])("a post on its blog names %s in its head, byline, data and feeds", async (_, ofPost, ofAccount, expected) => {
  await setAccount(ann, { author_name: ofAccount })
  const { slug } = await newPost(ann, { author_name: ofPost })
  const user = `@${ann.username}`
  const name = expected || user
  const { text } = await see(`${slug}/`)
  expect(text).toContain(`<meta name="author" content="${name}" />`)
  const [, byline = ""] = /<p class="byline">([^]*?)<\/p>/.exec(text) ?? []
  const inByline = [...byline.matchAll(/<bdi(?: class="p-name")?>([^<]+)</g)].map(([, found]) => found)
  expect(inByline).toEqual(expected ? [expected, user] : [user])
  expect(text).toContain(`"author":{"@type":"Person","name":"${name}"`)
  expect((await see("feed.json")).json.items[0].authors).toEqual([{ name }])
  expect((await see("feed.atom")).text).toMatch(new RegExp(`<author><name>${name}</name></author>\\s*<category `))
})

it("a post on its blog has a BlogPosting and social tags with absolute addresses; hostile text does not end the data", async () => {
  const { image_id, image_url } = await upload(ann)
  const headline = `</script><script>alert(1)</script> "quoted" <!--`
  const { slug, url } = await newPost(ann, {
    title: headline,
    cover_image_id: image_id,
    author_name: "Ada",
    tags: "t",
  })
  const { text } = await see(`${slug}/`)
  const [, data = ""] = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(text) ?? []
  const image = `${ORIGIN}${image_url}`
  expect(JSON.parse(data)).toMatchObject({ "@type": "BlogPosting", headline, url, image, author: { name: "Ada" } })
  expect(text.match(/<script/g)).toHaveLength(1)
  expect(text).toContain(`<meta property="og:image" content="${image}" />`)
  expect(text).toContain('<meta name="twitter:card" content="summary_large_image" />')
})

it("the ETag of a readers' page answers 304 while nothing that the page shows has changed, and If-Modified-Since does not", async () => {
  const { slug } = await newPost(ann, { tags: "t" })
  await patch(ann, slug, french)
  const own = ["", `${slug}/`, `${slug}/fr/`, "feed.atom", "feed.json", "sitemap.xml", "tags/t/", "categories/news/"]
  const inFrench = ["?lang=fr", "tags/t/?lang=fr", "feed.atom?lang=fr", "feed.json?lang=fr"]
  const ofBlog = [...own, ...inFrench].map((path) => `/@${ann.username}/${path}`)
  for (const path of [...ofBlog, "/sitemap.xml", "/robots.txt"]) {
    const { headers } = await call("GET", path)
    expect(headers.get("Cache-Control"), path).toBe("public, max-age=0, must-revalidate")
    const again = await call("GET", path, { headers: { "If-None-Match": headers.get("ETag") ?? "" } })
    expect([again.status, again.text], path).toEqual([304, ""])
    const dated = await call("GET", path, { headers: { "If-Modified-Since": new Date().toUTCString() } })
    expect(dated.status, path).toBe(200)
  }
})

it.each<[string, (slug: string, older: string) => Promise<unknown>, string[]]>([
  ["a newer post", () => newPost(ann, { title: "A neighbour" }), ["", "post", "feed.atom", "sitemap.xml"]],
  ["the title of a neighbour", (_, older) => patch(ann, older, { title: "Renamed" }), ["", "post", "feed.atom"]],
  ["the title of the blog", () => setAccount(ann, { blog_title: "New" }), ["", "post", "feed.atom", "feed.json"]],
  ["the description of the blog", () => setAccount(ann, { blog_description: "New" }), ["", "feed.atom", "feed.json"]],
  ["the author's name", () => setAccount(ann, { author_name: "Ada" }), ["", "post", "feed.atom", "feed.json"]],
  ["a tag", (slug) => patch(ann, slug, { tags: "t,u" }), ["post", "feed.json"]],
])("the ETag of a readers' page changes with %s", async (_, change, paths) => {
  const older = await newPost(ann, { published_at: "2019-01-01T00:00:00Z" })
  const { slug } = await newPost(ann, { tags: "t", published_at: "2020-01-01T00:00:00Z" })
  const all = async () => Promise.all(paths.map((path) => etagOf(path === "post" ? `${slug}/` : path)))
  const before = await all()
  await change(slug, older.slug)
  const after = await all()
  for (const [i, path] of paths.entries()) expect(after[i], path).not.toBe(before[i])
})

it("/ says what this service is, and links to reference and settings", async () => {
  const { status, text } = await call("GET", "/")
  expect(status).toBe(200)
  for (const page of ["docs", "settings"]) expect(text).toContain(`href="/${page}/"`)
})

/** Tells whether the page of the service leads to the blog. */
const isNamed = async () => (await call("GET", "/")).text.includes(`href="${addressOf("")}"`)

it("/ names the blog if the service has one alone", async () => {
  await wipeStorage()
  ann = await newAuthor()
  expect(await isNamed()).toBe(false)
  await newPost(ann)
  expect(await isNamed()).toBe(true)
  await newPost(await newAuthor())
  expect(await isNamed()).toBe(false)
})

it("robots.txt names the sitemap, and leaves out what is not for readers", async () => {
  const { text } = await call("GET", "/robots.txt")
  const disallowed = "Disallow: /api/\nDisallow: /settings/\nDisallow: /operator/\n"
  expect(text).toBe(`User-agent: *\n${disallowed}\nSitemap: ${ORIGIN}/sitemap.xml\n`)
})

it.each(["", "tags/t/", "categories/news/", "feed.atom", "feed.json", "sitemap.xml", "post", "/sitemap.xml"])(
  "%j is read from a replica of the database",
  async (path) => {
    const { slug } = await newPost(ann, { tags: "t" })
    let replicas = 0
    const DB = tapD1({
      around: () => Promise.reject(new Error("Not a replica.")),
      aroundReplica: (ask) => {
        replicas += 1
        return ask()
      },
    })
    const ofBlog = `/@${ann.username}/${path === "post" ? `${slug}/` : path}`
    expect((await call("GET", path.startsWith("/") ? path : ofBlog, { env: { DB } })).status).toBe(200)
    expect(replicas).toBe(1)
  },
)
