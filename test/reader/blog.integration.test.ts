import { beforeEach, describe, expect, it } from "vitest"

import { patch, remove } from "../calls.ts"
import { tapD1 } from "../faults.ts"
import { type Author, call, newAuthor, newPost, OPERATOR, passSeconds, rows, stopClock, upload } from "../support.ts"
import { newDesk } from "../translations/author.ts"

const ORIGIN = "http://localhost:8787"

let ann: Author
beforeEach(async () => {
  stopClock(new Date("2030-01-01T12:00:00Z"))
  ann = await newAuthor()
})

const see = (path = "", headers: Record<string, string> = {}) => call("GET", `/@${ann.username}/${path}`, { headers })
const setAccount = (json: Record<string, unknown>, { username } = ann) =>
  call("PATCH", `/operator/api/accounts/${username}/`, { headers: OPERATOR, json })

/** Returns the query of the link to older posts. */
const olderOf = ({ text }: { text: string }): string =>
  (/<a rel="prev" href="[^"?]*(\?[^"]*)"/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&")

const etagOf = async (path: string) => (await see(path)).headers.get("ETag") ?? ""
/** Returns the time of the first post in the sitemap. */
const lastmod = async () => /<lastmod>([^<]*)</.exec((await see("sitemap.xml")).text)?.[1]
/** Returns the links of a post's page to other posts, as pairs of `prev` or `next` and a title. */
const neighboursOf = async ({ slug }: { slug: string }) =>
  [...(await see(`${slug}/`)).text.matchAll(/<a rel="(prev|next)" href="[^"]*">[^]*?<bdi lang="en">([^<]*)</g)].map(
    ([, rel, title]) => [rel, title],
  )

/** Returns the titles of the posts on a page, in order. */
const titlesOf = ({ text }: { text: string }): string[] =>
  [...text.matchAll(/<h2>\s*<a [^>]*><bdi>([^<]*)<\/bdi><\/a>/g)].map(([, title = ""]) => title)

const publishMany = async (count: number) => {
  for (let i = 1; i <= count; i++)
    await newPost(ann, { title: `Post ${i}`, published_at: new Date(Date.UTC(2020, 0, i)).toISOString() })
}
const french = { lang_code: "fr", translation_languages: ["fr"], title: "Un", meta_description: "De", body: "Mots" }

describe("the blog of an account", () => {
  it("lists its posts by published_at, the newest first, each with its description, day and cover", async () => {
    const cover = await upload(ann)
    await newPost(ann, { title: "Old", published_at: "2019-05-01T00:00:00Z", meta_description: "About the old one." })
    await newPost(ann, { title: "New", cover_image_id: cover.image_id })
    const page = await see()
    expect([page.status, titlesOf(page)]).toEqual([200, ["New", "Old"]])
    expect(page.text).toContain("About the old one.")
    expect(page.text).toContain("May 1, 2019")
    expect(page.text).toContain(`src="${cover.image_url}"`)
  })

  it("has 20 posts a page and links between pages; a page beyond the end answers 404", async () => {
    await publishMany(41)
    const pages = [await see(), await see("?page=2"), await see("?page=3")]
    expect(pages.map((page) => titlesOf(page).length)).toEqual([20, 20, 1])
    expect(titlesOf(pages[2] as never)).toEqual(["Post 1"])
    expect(pages[1]?.text).toContain(`<a rel="next" href="${addressOf("")}">`)
    expect(pages[1]?.text).toContain(`<a rel="prev" href="${addressOf("?page=3&amp;after=")}`)
    expect(titlesOf(await see(olderOf(pages[0] as never)))).toEqual(titlesOf(pages[1] as never))
    expect((await see("?page=2&after=gone")).headers.get("Location")).toBe(addressOf("?page=2"))
    for (const query of ["?page=4", "?page=0", "?page=x", "?page=-1", "?page=1e9"])
      expect((await see(query)).status, query).toBe(404)
  })

  it("begins a page only after a post of its own that readers see", async () => {
    const bob = await newAuthor()
    await newPost(ann, { published_at: "2020-01-01T00:00:00Z" })
    const hidden = [
      await newPost(bob, { published_at: "2021-01-01T00:00:00Z" }),
      await newPost(bob, { published_at: "2030-06-01T00:00:00Z" }),
      await newPost(ann, { published_at: "2030-06-01T00:00:00Z" }),
      await newPost(ann, { status: "DF" }),
    ]
    for (const { slug } of hidden)
      expect([(await see(`?after=${slug}`)).status, (await see("?after=none")).status], slug).toEqual([302, 302])
  })

  it("shows its title and description, and its username until it has a title", async () => {
    expect((await see()).text).toContain(`<title>@${ann.username}</title>`)
    await setAccount({ blog_title: "Notes <from> the bay", blog_description: "Tides & boats." })
    const { text } = await see()
    expect(text).toContain("<title>Notes &lt;from&gt; the bay</title>")
    expect(text).toContain('<meta name="description" content="Tides &amp; boats." />')
  })

  it("without a post says so in the language of the account", async () => {
    await setAccount({ primary_language: "de" })
    const { status, text } = await see()
    expect([status, text]).toEqual([200, expect.stringContaining("Es gibt noch keine Beiträge.")])
  })

  it("with ?lang= shows each post in that language where readers find it, else in its source language", async () => {
    const both = await newPost(ann, { title: "Both" })
    await newPost(ann, { title: "English only" })
    const unlisted = await newPost(ann, { title: "Unlisted" })
    await patch(ann, both.slug, french)
    await patch(ann, unlisted.slug, french)
    await patch(ann, unlisted.slug, { title: "Unlisted" })
    const page = await see("?lang=fr")
    expect(titlesOf(page).toSorted()).toEqual(["English only", "Un", "Unlisted"])
    expect(page.text).toContain(`href="${ORIGIN}/@${ann.username}/${both.slug}/fr/"`)
    expect(page.headers.get("Content-Language")).toBe("fr")
  })
})

/** Returns the language of a list and its canonical address. */
const languageAndCanonical = async (path: string) => {
  const { text, headers } = await see(path)
  const [, lang] = /<html lang="([^"]*)"/.exec(text) ?? []
  const [, canonical] = /<link rel="canonical" href="([^"]*)"/.exec(text) ?? []
  expect(headers.get("Content-Language")).toBe(lang)
  return [lang, canonical]
}

const addressOf = (path: string) => `${ORIGIN}/@${ann.username}/${path}`

describe("?lang= of a list", () => {
  it("counts if a post of the page is in the language; its canonical address names the language", async () => {
    const { slug } = await newPost(ann, { tags: "t" })
    await patch(ann, slug, french)
    expect(await languageAndCanonical("?lang=FR")).toEqual(["fr", addressOf("?lang=fr")])
    expect(await languageAndCanonical("tags/t/?lang=fr")).toEqual(["fr", addressOf("tags/t/?lang=fr")])
  })

  it.each(["en", "EN", "klingon", "de", "not_one", ""])(
    "%j, the blog's own language or one of no post, answers in the blog's with the plain canonical address",
    async (lang) => {
      await newPost(ann, { tags: "t" })
      expect(await languageAndCanonical(`?lang=${lang}`)).toEqual(["en", addressOf("")])
      expect(await languageAndCanonical(`tags/t/?lang=${lang}`)).toEqual(["en", addressOf("tags/t/")])
      expect((await see(`feed.json?lang=${lang}`)).json.language).toBe("en")
      expect((await see(`feed.atom?lang=${lang}`)).text).toContain(
        '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
      )
    },
  )

  it("stays in the links between pages, also on a page without a post in the language", async () => {
    await publishMany(21)
    const { slug } = await newPost(ann)
    await patch(ann, slug, french)
    expect((await see("?lang=fr")).text).toContain(`<a rel="prev" href="${addressOf("?lang=fr&amp;page=2&amp;after=")}`)
    expect((await see("?lang=fr&page=2")).text).toContain(`<a rel="next" href="${addressOf("?lang=fr")}">`)
    expect(await languageAndCanonical("?lang=fr&page=2")).toEqual(["en", addressOf("?page=2")])
  })
})

describe("lists by tag and category", () => {
  it("list the posts with the tag or in the category", async () => {
    await newPost(ann, { title: "A", tags: ["sea", "größe"], categories: ["News"] })
    await newPost(ann, { title: "B", tags: ["land"], categories: ["a/b c"] })
    expect(titlesOf(await see("tags/sea/"))).toEqual(["A"])
    expect(titlesOf(await see(`tags/${encodeURIComponent("größe")}/`))).toEqual(["A"])
    expect(titlesOf(await see("categories/News/"))).toEqual(["A"])
    expect(titlesOf(await see(`categories/${encodeURIComponent("a/b c")}/`))).toEqual(["B"])
    expect((await see("categories/news/")).status).toBe(404)
    expect((await see("tags/none/")).status).toBe(404)
  })

  it("have links between their own pages", async () => {
    for (let i = 1; i <= 21; i++) await newPost(ann, { tags: "t" })
    for (const list of ["tags/t/", "categories/news/"]) {
      const [first, second] = [await see(list), await see(`${list}?page=2`)]
      expect(first.text).toContain(`<a rel="prev" href="${addressOf(`${list}?page=2&amp;after=`)}`)
      expect(second.text).toContain(`<a rel="next" href="${addressOf(list)}">`)
      expect([titlesOf(first).length, titlesOf(second).length]).toEqual([20, 1])
    }
  })

  it("another spelling of a tag or category redirects with 308 to the stored one", async () => {
    await newPost(ann, { tags: ["größe", "weg"], categories: ["Größe"] })
    const decomposed = encodeURIComponent("größe".normalize("NFD"))
    for (const [sent, right] of [
      ["tags/WEG/", "tags/weg/"],
      [`tags/${decomposed}/`, "tags/gr%C3%B6%C3%9Fe/"],
      [`categories/${encodeURIComponent("Größe".normalize("NFD"))}/`, "categories/Gr%C3%B6%C3%9Fe/"],
    ]) {
      const { status, headers } = await see(sent)
      expect([status, headers.get("Location")]).toEqual([308, `${ORIGIN}/@${ann.username}/${right}`])
    }
  })

  it("another spelling redirects with the query, whatever the list has on that page", async () => {
    for (const [sent, right] of [
      ["tags/WEG/?lang=FR&page=2", "tags/weg/?lang=fr&page=2"],
      ["tags/WEG/?page=2", "tags/weg/?page=2"],
      ["tags/WEG/?lang=fr&page=1&utm=x", "tags/weg/?lang=fr"],
      [`categories/${encodeURIComponent("é".normalize("NFD"))}/?lang=fr&page=3`, "categories/%C3%A9/?lang=fr&page=3"],
    ] as const) {
      const { status, headers } = await see(sent)
      expect([status, headers.get("Location")]).toEqual([308, addressOf(right)])
    }
    expect((await see("tags/weg/?lang=fr&page=2")).status).toBe(404)
    expect((await see("tags/WEG/?page=0")).status).toBe(404)
    expect((await call("GET", "/@nobody%0A/tags/WEG/")).status).toBe(404)
  })

  it("the links of a post lead to lists that have it", async () => {
    const names = ["c++", "a&b", "50%", "日本", "?", "#1"]
    const { slug } = await newPost(ann, { title: "Odd", tags: names, categories: names })
    const { text } = await see(`${slug}/`)
    const links = [...text.matchAll(/href="([^"]*\/(?:tags|categories)\/[^"]*)"/g)].map(([, href = ""]) => href)
    expect(links).toHaveLength(2 * names.length)
    for (const href of links) {
      const { pathname } = new URL(href)
      expect(titlesOf(await call("GET", pathname)), pathname).toEqual(["Odd"])
    }
  })
})

describe("feeds and sitemaps", () => {
  it("the Atom feed has whole posts with absolute addresses", async () => {
    const image = await upload(ann)
    await setAccount({ blog_title: "Bay", author_name: "Ada" })
    const body = `## Part\n\n[a](#part) [b](/@x/y/) ![c](${image.image_url}) src="/x" &`
    const { slug, url } = await newPost(ann, { body, tags: "t", categories: "c" })
    const { status, headers, text } = await see("feed.atom")
    expect([status, headers.get("Content-Type")]).toEqual([200, "application/atom+xml; charset=utf-8"])
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*")
    expect(headers.get("Last-Modified")).toBe(new Date().toUTCString())
    expect(text).toContain(`<id>${ORIGIN}/@${ann.username}/${slug}/</id>`)
    const [, content = ""] = /<content type="html">([^<]*)</.exec(text) ?? []
    const html = content
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&")
    expect(html).toContain(`href="${url}#part"`)
    expect(html).toContain(`href="${ORIGIN}/@x/y/"`)
    expect(html).toContain(`src="${ORIGIN}${image.image_url}"`)
    expect(html).toContain('src="/x"')
  })

  it("a feed has 30 posts, whole ones until 1 MiB in all, then descriptions", async () => {
    for (let i = 1; i <= 31; i++)
      await newPost(ann, { body: "x".repeat(100_000), published_at: new Date(Date.UTC(2020, 0, i)).toISOString() })
    const feed = (await see("feed.json")).json
    expect(feed.items).toHaveLength(30)
    const whole = feed.items.filter(({ content_html }: { content_html?: string }) => content_html)
    expect(whole).toHaveLength(10)
    expect(feed.items.slice(0, 10)).toEqual(whole)
    expect(feed.items[10].content_text).toBe(feed.items[10].summary)
  })

  it("the JSON feed in another language has each post in it where it has a text", async () => {
    const { slug } = await newPost(ann)
    await patch(ann, slug, french)
    const { json } = await see("feed.json?lang=fr")
    expect(json.items[0]).toMatchObject({ title: "Un", language: "fr", url: `${ORIGIN}/@${ann.username}/${slug}/fr/` })
    expect(json.feed_url).toBe(`${ORIGIN}/@${ann.username}/feed.json?lang=fr`)
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
    const at = (path: string) => `${ORIGIN}/@${ann.username}/${path}`
    expect(found).toContainEqual([at(`${slug}/`), "2030-01-01T12:00:00.000Z"])
    expect(found).toContainEqual([at(`${slug}/fr/`), "2030-01-01T12:01:00.000Z"])
    expect(new Set(found.map(([loc]) => loc))).toEqual(
      new Set([at(""), at(`${slug}/`), at(`${slug}/fr/`), at(`${elsewhere.slug}/fr/`)]),
    )
  })

  it("the last change of a translation moves with its own text only, not when it is queued, made again or failed", async () => {
    const desk = await newDesk()
    const { slug } = await desk.create({ translation_languages: ["fr"] })
    await desk.run()
    const times = async () => {
      const [sitemap, feed, page] = [
        await call("GET", `/@${desk.username}/sitemap.xml`),
        await call("GET", `/@${desk.username}/feed.json?lang=fr`),
        await desk.page(slug, "fr"),
      ]
      const [, last] = /\/fr\/<\/loc><lastmod>([^<]*)</.exec(sitemap.text) ?? []
      const [, modified] = /"dateModified":"([^"]*)"/.exec(page.text) ?? []
      expect([feed.json.items[0].date_modified, modified]).toEqual([last, last])
      return last
    }
    const made = await times()
    passSeconds(60)
    expect((await desk.send("POST", `${slug}/translations/fr/`)).status).toBe(202)
    expect(await times()).toBe(made)
    await desk.run()
    expect(await times()).toBe(made)
    passSeconds(60)
    await desk.patch(slug, { translation_languages: ["fr"], title: "Another" })
    expect(await times()).toBe(made)
    await rows("update texts set status = 'running', attempts = 9 where lang_code = 'fr'")
    await desk.run()
    expect((await desk.translations(slug))["fr"]).toMatchObject({ status: "failed" })
    expect(await times()).toBe(made)
    await desk.send("POST", `${slug}/translations/fr/`)
    await desk.run()
    expect(Date.parse((await times()) ?? "")).toBeGreaterThan(Date.parse(made ?? ""))
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

  it("a sitemap has at most 50,000 URLs, the blog's own page included", async () => {
    const n = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000)"
    await rows(
      `${n} insert into posts (id, account_id, slug, status, categories, tags, primary_language, translation_languages,
         version, revision, text_version, created_at, updated_at, published_at)
       select 'many-' || i, (select id from accounts where username = ?), 'many-' || i, 'PB', '[]', '[]', 'en', '[]', 1, 1, 1,
         i, i, i from n`,
      ann.username,
    )
    await rows(
      `${n} insert into texts (post_id, lang_code, image_ids, versions, edited, status, warnings, updated_at, changed_at)
       select 'many-' || i, 'en', '[]', '{"title":1,"meta_description":1,"body":1}', '[]', 'ready', '[]', i, i from n`,
    )
    const { text } = await see("sitemap.xml")
    expect(text.split("<loc>")).toHaveLength(1 + 50_000)
    expect(text).toContain(`/@${ann.username}/</loc>`)
    await call("DELETE", `/operator/api/accounts/${ann.username}/`, { headers: OPERATOR })
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

  it("the sitemap index leaves out a blog whose posts are all scheduled, until the time of one", async () => {
    const listed = async () => (await call("GET", "/sitemap.xml")).text.includes(`/@${ann.username}/sitemap.xml<`)
    await newPost(ann, { published_at: "2030-01-01T12:00:01Z" })
    expect(await listed()).toBe(false)
    passSeconds(1)
    expect(await listed()).toBe(true)
  })

  it("addresses in feeds that begin with // get the protocol of the page", async () => {
    await newPost(ann, { body: "<a href='//e.example/x'>a</a> [b](//e.example/y)" })
    const [{ content_html }] = (await see("feed.json")).json.items
    const links = [...content_html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
    expect(links).toEqual(["http://e.example/x", "http://e.example/y"])
  })

  it("the sitemap index has the blogs with a post that readers see", async () => {
    const listed = async () => (await call("GET", "/sitemap.xml")).text.includes(`/@${ann.username}/sitemap.xml<`)
    expect(await listed()).toBe(false)
    const { slug } = await newPost(ann, { status: "DF" })
    expect(await listed()).toBe(false)
    await patch(ann, slug, { status: "PB" })
    expect(await listed()).toBe(true)
    await setAccount({ hidden: true })
    expect(await listed()).toBe(false)
  })
})

describe("who sees a blog", () => {
  const FILES = ["", "feed.atom", "feed.json", "sitemap.xml", "tags/t/", "categories/news/"]
  const statuses = async (username = ann.username) =>
    Promise.all(FILES.map(async (file) => (await call("GET", `/@${username}/${file}`)).status))

  it("a draft, a scheduled and a deleted post are on no page, feed or sitemap", async () => {
    const { slug } = await newPost(ann, { title: "Secret", tags: "t" })
    await newPost(ann, { title: "Shown", tags: "t" })
    const isShown = async () => {
      const answers = await Promise.all(FILES.map((file) => see(file)))
      return answers.some(({ text }) => text.includes(slug))
    }
    expect(await isShown()).toBe(true)
    await patch(ann, slug, { status: "DF" })
    expect(await isShown()).toBe(false)
    await patch(ann, slug, { status: "PB", published_at: "2030-01-01T12:00:01Z" })
    expect(await isShown()).toBe(false)
    passSeconds(1)
    expect(await isShown()).toBe(true)
    await remove(ann, slug)
    expect(await isShown()).toBe(false)
  })

  it.each([
    ["hidden", { hidden: true }, 404],
    ["restricted", { restricted: true }, 200],
    ["unpaid", { paid_until: null }, 200],
  ])("all pages of a %s account answer the same", async (_, changes, status) => {
    await newPost(ann, { tags: "t" })
    expect(new Set(await statuses())).toEqual(new Set([200]))
    await setAccount(changes)
    expect(new Set(await statuses())).toEqual(new Set([status]))
  })

  it("all pages of an erased and of an unknown account answer 404", async () => {
    await newPost(ann, { tags: "t" })
    await call("DELETE", `/operator/api/accounts/${ann.username}/`, { headers: OPERATOR })
    expect(new Set([...(await statuses()), ...(await statuses("nobody-at-all"))])).toEqual(new Set([404]))
  })
})

describe("a post on its blog", () => {
  it("links to the posts before and after it, of those that readers see", async () => {
    await publishMany(3)
    const [, second] = (await rows(
      "select slug from posts where account_id = (select id from accounts where username = ?) order by published_at",
      ann.username,
    )) as { slug: string }[]
    await newPost(ann, { status: "DF", published_at: "2020-01-02T12:00:00Z", title: "Draft" })
    expect(await neighboursOf({ slug: second?.slug ?? "" })).toEqual([
      ["prev", "Post 1"],
      ["next", "Post 3"],
    ])
  })

  it("does not link to a scheduled post before its time", async () => {
    const first = await newPost(ann, { title: "First", published_at: "2030-01-01T11:59:00Z" })
    await newPost(ann, { title: "Second", published_at: "2030-01-01T12:00:01Z" })
    const third = await newPost(ann, { title: "Third", published_at: "2030-01-01T12:00:02Z" })
    expect(await neighboursOf(first)).toEqual([])
    passSeconds(1)
    expect(await neighboursOf(first)).toEqual([["next", "Second"]])
    passSeconds(1)
    expect(await neighboursOf(third)).toEqual([["prev", "Second"]])
  })

  it("of two posts of the same moment, each is the other's neighbour on the right side", async () => {
    const published_at = "2020-01-01T00:00:00Z"
    await newPost(ann, { title: "A", published_at })
    await newPost(ann, { title: "B", published_at })
    const links = [...(await see()).text.matchAll(/<h2>\s*<a href="[^"]*\/([^/]+)\/">/g)].map(([, slug = ""]) => slug)
    const [newer = "", older = ""] = titlesOf(await see())
    expect(await neighboursOf({ slug: links[0] ?? "" })).toEqual([["prev", older]])
    expect(await neighboursOf({ slug: links[1] ?? "" })).toEqual([["next", newer]])
    expect([newer, older].toSorted()).toEqual(["A", "B"])
  })

  it.each([
    ["the post's author_name", "Ada", "Bea", "Ada"],
    ["the account's author_name without the post's", null, "Bea", "Bea"],
    ["the username without both", null, null, ""],
  ])("names %s in its head, byline, data and feeds", async (_, ofPost, ofAccount, expected) => {
    await setAccount({ author_name: ofAccount })
    const { slug } = await newPost(ann, { author_name: ofPost })
    const user = `@${ann.username}`
    const name = expected || user
    const { text } = await see(`${slug}/`)
    expect(text).toContain(`<meta name="author" content="${name}" />`)
    const [, byline = ""] = /<p class="byline">([^]*?)<\/p>/.exec(text) ?? []
    const inByline = [...byline.matchAll(/<bdi>([^<]+)</g)].map(([, found]) => found)
    expect(inByline).toEqual(expected ? [expected, user] : [user])
    expect(text).toContain(`"author":{"@type":"Person","name":"${name}"`)
    expect((await see("feed.json")).json.items[0].authors).toEqual([{ name }])
    expect((await see("feed.atom")).text).toMatch(new RegExp(`<author><name>${name}</name></author>\\s*<category `))
  })

  it("has a BlogPosting and social tags with absolute addresses; hostile text does not end the data", async () => {
    const cover = await upload(ann)
    const title = `</script><script>alert(1)</script> "quoted" <!--`
    const { url } = await newPost(ann, { title, cover_image_id: cover.image_id, author_name: "Ada", tags: "t" })
    const { text } = await call("GET", new URL(url).pathname)
    const [, data = ""] = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(text) ?? []
    expect(JSON.parse(data)).toMatchObject({
      "@type": "BlogPosting",
      headline: title,
      url,
      image: `${ORIGIN}${cover.image_url}`,
      author: { name: "Ada" },
    })
    expect(text.match(/<script/g)).toHaveLength(1)
    expect(text).toContain(`<meta property="og:image" content="${ORIGIN}${cover.image_url}" />`)
    expect(text).toContain('<meta name="twitter:card" content="summary_large_image" />')
  })
})

describe("the ETag of a readers' page", () => {
  it("answers 304 while nothing that the page shows has changed", async () => {
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
    }
  })

  it("decides alone: If-Modified-Since is ignored", async () => {
    await newPost(ann)
    for (const path of ["", "feed.atom", "feed.json"])
      expect((await see(path, { "If-Modified-Since": new Date().toUTCString() })).status, path).toBe(200)
  })

  it.each<[string, (slug: string, older: string) => Promise<unknown>, string[]]>([
    ["a newer post", () => newPost(ann, { title: "A neighbour" }), ["", "post", "feed.atom", "sitemap.xml"]],
    ["the title of a neighbour", (_, older) => patch(ann, older, { title: "Renamed" }), ["", "post", "feed.atom"]],
    ["the title of the blog", () => setAccount({ blog_title: "New" }), ["", "post", "feed.atom", "feed.json"]],
    ["the description of the blog", () => setAccount({ blog_description: "New" }), ["", "feed.atom", "feed.json"]],
    ["the author's name", () => setAccount({ author_name: "Ada" }), ["", "post", "feed.atom", "feed.json"]],
    ["a tag", (slug) => patch(ann, slug, { tags: "t,u" }), ["post", "feed.json"]],
  ])("changes with %s", async (_, change, paths) => {
    const older = await newPost(ann, { published_at: "2019-01-01T00:00:00Z" })
    const { slug } = await newPost(ann, { tags: "t", published_at: "2020-01-01T00:00:00Z" })
    const all = async () => Promise.all(paths.map((path) => etagOf(path === "post" ? `${slug}/` : path)))
    const before = await all()
    await change(slug, older.slug)
    const after = await all()
    for (const [i, path] of paths.entries()) expect(after[i], path).not.toBe(before[i])
  })
})

describe("the page and files of the service", () => {
  it("/ says what this service is, and links to reference and settings", async () => {
    const { status, text } = await call("GET", "/")
    expect(status).toBe(200)
    expect(text).toContain('href="/docs/"')
    expect(text).toContain('href="/settings/"')
  })

  it("robots.txt names the sitemap, and leaves out what is not for readers", async () => {
    const { text } = await call("GET", "/robots.txt")
    expect(text).toBe(
      `User-agent: *\nDisallow: /api/\nDisallow: /settings/\nDisallow: /operator/\n\nSitemap: ${ORIGIN}/sitemap.xml\n`,
    )
  })
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

it("a page, a blog and a feed read as many rows with 41 posts as with 1041, and a page as with 2041", async () => {
  const read = async (path: string) => {
    let sum = 0
    const DB = tapD1({
      aroundReplica: async (ask) => {
        const answer = await ask()
        for (const { meta } of [answer].flat() as D1Result[]) sum += meta.rows_read
        return answer
      },
    })
    await call("GET", `/@${ann.username}/${path}`, { env: { DB } })
    return sum
  }
  const { slug } = await newPost(ann, { published_at: "2020-01-15T12:00:00Z" })
  await publishMany(40)
  const paths = [`${slug}/`, "", "feed.json"]
  const before = []
  for (const path of paths) before.push(await read(path))
  const fillFrom = (name: string, first: number) =>
    rows(
      `with recursive n(i) as (select ? union all select i + 1 from n where i < ?)
       insert into posts (id, account_id, slug, status, categories, tags, primary_language, translation_languages, version,
         revision, text_version, created_at, updated_at, published_at)
       select ? || i, (select id from accounts where username = ?), ? || i, 'PB', '[]', '[]', 'en', '[]', 1, 1, 1, i, i, i from n`,
      first,
      first + 999,
      name,
      ann.username,
      name,
    )
  await fillFrom("older-", 1)
  for (const [i, path] of paths.entries()) expect(await read(path), path).toBe(before[i])
  // The blog and the feed would show these, which have no texts.
  await fillFrom("newer-", Date.now() - 10_000)
  expect(await read(`${slug}/`), "among newer posts").toBe(before[0])
})
