import { beforeEach, describe, expect, it } from "vitest"

import { API, call, env as bindings, fetchWorker, OPERATOR, ORIGIN, stopClock, unique, upload } from "../support.ts"
import { type Desk, newDesk } from "../translations/author.ts"
import { READER_POLICY } from "./policy.ts"

beforeEach(() => stopClock())

interface Found {
  tag: string
  attributes: Record<string, string>
}

/** Returns every element of a page as a browser's parser sees it. */
const parse = async (html: string) => {
  const elements: Found[] = []
  let comments = 0
  const rewriter = new HTMLRewriter().on("*", {
    element: ({ tagName, attributes }) => {
      const all = Object.fromEntries(attributes)
      // Browsers do not run a data block.
      const isData = tagName === "script" && all["type"] === "application/ld+json"
      elements.push({ tag: isData ? "data" : tagName, attributes: all })
    },
    comments: () => {
      comments += 1
    },
  })
  await rewriter.transform(new Response(html)).text()
  const all = (tag: string) => elements.filter((element) => element.tag === tag).map(({ attributes }) => attributes)
  return { elements, comments, all }
}

const clean = (text: string) => text.replaceAll(",", " ")

const request = (url: string, init: RequestInit = {}) => new Request(url, { redirect: "manual", ...init })

const everything = async (response: Response) => JSON.stringify([...response.headers]) + (await response.text())

const problemOf = async (response: Response) => {
  const { code, detail }: { code: string; detail: string } = await response.json()
  return { status: response.status, code, detail }
}
const misconfigured = (variable: string) => ({
  status: 500,
  code: "misconfigured",
  detail: expect.stringContaining(variable),
})

const tagsOf = async (html: string): Promise<string[]> => (await parse(html)).elements.map(({ tag }) => tag)

const translated = async (changes: Record<string, unknown> = {}) => {
  const desk = await newDesk()
  const { slug } = await desk.create({ title: "Hello", translation_languages: ["fr", "de"], ...changes })
  await desk.run()
  return { desk, slug: slug as string }
}

const alternates = async (page: string) =>
  (await parse(page)).all("link").flatMap(({ hreflang, href }) => (hreflang ? [[hreflang, href]] : []))

describe("a public page that does not exist", () => {
  const gone: [string, (desk: Desk, slug: string) => Promise<string>][] = [
    ["a draft", async (desk) => `/@${desk.username}/${(await desk.create({ status: "DF" })).slug}/`],
    [
      "a draft's translation",
      async (desk) => {
        const { slug } = await desk.create({ status: "DF", translation_languages: ["fr"] })
        await desk.run()
        return `/@${desk.username}/${slug}/fr/`
      },
    ],
    [
      "a deleted post",
      async (desk, slug) => {
        await desk.send("DELETE", `${slug}/`)
        return `/@${desk.username}/${slug}/`
      },
    ],
    ["an unknown slug", async (desk) => `/@${desk.username}/never-was/`],
    ["an unknown author", async (_desk, slug) => `/@nobody/${slug}/`],
    ["another author", async (_desk, slug) => `/@${(await newDesk()).username}/${slug}/`],
    ["an author in capitals", async (desk, slug) => `/@${desk.username.toUpperCase()}/${slug}/`],
    ["an author without @", async (desk, slug) => `/${desk.username}/${slug}/`],
    ["a language that is not listed", async (desk, slug) => `/@${desk.username}/${slug}/ja/`],
    ["an invalid language", async (desk, slug) => `/@${desk.username}/${slug}/not_one/`],
    ["a language with an extension", async (desk, slug) => `/@${desk.username}/${slug}/fr-u-ca-buddhist/`],
    [
      "a listed language without a text",
      async (desk) => `/@${desk.username}/${(await desk.create({ translation_languages: ["fr"] })).slug}/fr/`,
    ],
    [
      "a hidden account",
      async (desk, slug) => {
        await call("PATCH", `/operator/api/accounts/${desk.username}/`, { headers: OPERATOR, json: { hidden: true } })
        return `/@${desk.username}/${slug}/`
      },
    ],
  ]

  it.each(gone)("the public page of %s answers 404", async (_, pathOf) => {
    const desk = await newDesk()
    const { slug } = await desk.create()
    expect((await desk.page(slug)).status).toBe(200)
    const { status, json } = await call("GET", await pathOf(desk, slug))
    expect([status, json.code]).toEqual([404, "not_found"])
  })
})

it("changing a post's status to DF (draft) takes its public pages down, and back to PB restores them", async () => {
  const { desk, slug } = await translated()
  const pages = async () => [(await desk.page(slug)).status, (await desk.page(slug, "fr")).status]
  const list = { translation_languages: ["fr", "de"] }
  expect(await pages()).toEqual([200, 200])
  await desk.patch(slug, { ...list, status: "DF" })
  expect(await pages()).toEqual([404, 404])
  await desk.patch(slug, { ...list, status: "PB" })
  expect(await pages()).toEqual([200, 200])
})

describe("a public page of a post", () => {
  it("a public page of a post has the documented security policy, no script and no cookie", async () => {
    const { desk, slug } = await translated()
    for (const lang of [undefined, "fr"]) {
      const { headers, text } = await desk.page(slug, lang)
      expect(headers.get("Content-Security-Policy")).toBe(READER_POLICY)
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff")
      expect(headers.get("Content-Type")).toMatch(/^text\/html; charset=utf-8$/i)
      expect(headers.has("Set-Cookie")).toBe(false)
      const { elements } = await parse(text)
      expect(elements.map(({ tag }) => tag)).not.toContain("script")
      expect(
        elements.flatMap(({ attributes }) => Object.keys(attributes).filter((name) => /^on|^style$/.test(name))),
      ).toEqual([])
    }
  })

  it("a public page has title, description, canonical URL and links to the post's other languages", async () => {
    const { desk, slug } = await translated({ meta_description: "About it." })
    const base = `${ORIGIN}/@${desk.username}/${slug}/`
    for (const [lang, canonical, title, description] of [
      [undefined, base, "Hello", "About it."],
      ["fr", `${base}fr/`, "Hello·fr", "About·fr it·fr."],
    ]) {
      const { text } = await desk.page(slug, lang)
      const { all } = await parse(text)
      expect(text).toContain(`<title>${title}</title>`)
      expect(all("meta")).toContainEqual({ name: "description", content: description })
      expect(all("link").filter(({ rel }) => rel === "canonical")).toEqual([{ rel: "canonical", href: canonical }])
      expect(await alternates(text)).toEqual([
        ["en", base],
        ["fr", `${base}fr/`],
        ["de", `${base}de/`],
        ["x-default", base],
      ])
      expect(all("html")).toMatchObject([{ lang: lang ?? "en", dir: "ltr" }])
    }
  })

  it("a public page does not link to languages of the post that are unlisted or have no text", async () => {
    const { desk, slug } = await translated()
    await desk.patch(slug, { translation_languages: ["fr", "es"] })
    const { text } = await desk.page(slug)
    expect((await alternates(text)).map(([lang]) => lang)).toEqual(["en", "fr", "x-default"])
    expect(text).not.toMatch(/hreflang="(?:de|es)"/)
  })

  it.each([
    ["en", "ltr"],
    ["ar", "rtl"],
    ["he", "rtl"],
    ["fa", "rtl"],
    ["ur", "rtl"],
    ["az-Arab", "rtl"],
    ["zh-Hant", "ltr"],
  ])("a public page in the language %s has the text direction %s", async (lang, dir) => {
    const desk = await newDesk()
    const own = await desk.create({ primary_language: lang })
    expect((await parse((await desk.page(own.slug)).text)).all("html")).toMatchObject([{ lang, dir }])
    const other = await desk.create({ primary_language: "sv", translation_languages: [lang] })
    await desk.run()
    expect((await parse((await desk.page(other.slug, lang)).text)).all("html")).toMatchObject([{ lang, dir }])
  })

  it.each([
    ["en", ""],
    ["EN", ""],
    ["FR", "fr/"],
    ["Pt-bR", "pt-BR/"],
  ])("the path of a public page with the language %s redirects with 308 to the canonical path", async (sent, right) => {
    const desk = await newDesk()
    const { slug } = await desk.create({ translation_languages: ["fr", "pt-br"] })
    await desk.run()
    const { status, headers } = await desk.page(slug, sent)
    expect(status).toBe(308)
    const target = new URL(headers.get("Location") ?? "", ORIGIN)
    expect(target.href).toBe(`${ORIGIN}/@${desk.username}/${slug}/${right}`)
    expect((await call("GET", target.pathname)).status).toBe(200)
  })

  it("a public page is the same without its trailing slash or with an escaped @, and answers HEAD", async () => {
    const { desk, slug } = await translated()
    for (const path of [`/@${desk.username}/${slug}`, `/@${desk.username}/${slug}/fr`]) {
      const { text } = await call("GET", `${path}/`)
      expect((await call("GET", path)).text).toBe(text)
      expect((await call("GET", `${path.replace("@", "%40")}/`)).text).toBe(text)
      expect((await call("HEAD", path)).status).toBe(200)
    }
  })
})

describe("an author's text never becomes markup of a public page", () => {
  const ATTACKS = [
    "<script>alert(1)</script>",
    `"><img src=x onerror=alert(1)>`,
    `'><svg onload=alert(1)>`,
    "</title><script>alert(1)</script>",
    "</main></body></html><h1>x</h1>",
    `" onmouseover="alert(1)`,
    `' onfocus='alert(1)`,
    "<!--",
    "]]>",
    "&lt;script&gt;",
    "{{constructor}}",
  ]

  it.each(ATTACKS)(
    "an XSS attack in a post's title, labels and alt text adds no markup to its public page: %s",
    async (attack) => {
      const desk = await newDesk()
      const { image_id, image_url } = await upload(desk)
      const fields = (text: string) => ({
        title: text,
        meta_description: text,
        categories: [clean(text)],
        tags: [clean(text)],
        body: `Words.\n\n![${text.replaceAll(/[[\]]/g, "\\$&")}](${image_url})`,
        image_ids: [image_id],
      })
      const harmless = await desk.create(fields("harmless"))
      const hostile = await desk.create(fields(attack))
      const expected = await parse((await desk.page(harmless.slug)).text)
      const page = await desk.page(hostile.slug)
      const found = await parse(page.text)
      const inventory = ({ elements }: typeof found) =>
        elements.map(({ tag, attributes }) => [tag, Object.keys(attributes)])
      expect(inventory(found)).toEqual(inventory(expected))
      expect(found.comments).toBe(expected.comments)
      expect(page.text).not.toMatch(/<script(?! type="application\/ld\+json")|<svg|<h1>x|<img src=x/)
    },
  )

  it.each(ATTACKS)(
    "an XSS attack in a post body yields only allowed elements on its public page: %s",
    async (attack) => {
      const desk = await newDesk()
      const { slug } = await desk.create({ body: `Words ${attack} here.\n\n${attack}\n\n- ${attack}\n\n\`${attack}\`` })
      const allowed =
        /^(?:html|head|meta|title|link|data|body|main|article|header|h1|p|time|ul|li|a|code|blockquote|footer|bdi)$/
      const tags = await tagsOf((await desk.page(slug)).text)
      expect(tags.filter((tag) => !allowed.test(tag))).toEqual([])
      expect(tags.filter((tag) => tag === "main")).toHaveLength(1)
    },
  )

  it("a hand-edited translation with XSS attacks adds no markup to its public page", async () => {
    const desk = await newDesk()
    const { slug } = await desk.create()
    const text = `</title><script>x</script>"><img src=x onerror=y>`
    const fields = { title: text, meta_description: text, body: text }
    await desk.patch(slug, { lang_code: "fr", translation_languages: ["fr"], ...fields })
    const { elements, all } = await parse((await desk.page(slug, "fr")).text)
    expect(elements.map(({ tag }) => tag)).not.toEqual(expect.arrayContaining(["script"]))
    expect(all("img")).toEqual([])
    expect(all("meta")).toContainEqual({ name: "description", content: expect.stringContaining("script") })
  })
})

describe("a post's body on its public page", () => {
  it('links in a post body have rel="nofollow ugc noopener" on its public page', async () => {
    const desk = await newDesk()
    const body = "[a](https://e.x) <https://e.y> https://e.z [b]\n\n[b]: /c"
    const { slug } = await desk.create({ body })
    const links = (await parse((await desk.page(slug)).text)).all("a")
    const written = links.filter(({ rel }) => rel?.includes("nofollow"))
    expect(written.map(({ href, rel }) => [href, rel])).toEqual(
      ["https://e.x", "https://e.y", "https://e.z", "/c"].map((href) => [href, "nofollow ugc noopener"]),
    )
  })

  it("a public page shows the author's own images and makes other images in the body links", async () => {
    const desk = await newDesk()
    const own = await upload(desk)
    const others = await upload(await newDesk())
    const body = `![own](${own.image_url}) ![others](${others.image_url}) ![far](https://e.x/p.png) ![data](data:image/png;base64,AA)`
    const { slug } = await desk.create({ body, image_ids: [own.image_id], translation_languages: ["fr"] })
    await desk.run()
    for (const lang of [undefined, "fr"]) {
      const { all } = await parse((await desk.page(slug, lang)).text)
      expect(all("img")).toMatchObject([{ src: own.image_url, alt: lang ? "own·fr" : "own" }])
      const links = all("a").filter(({ rel }) => rel?.includes("nofollow"))
      expect(links.map(({ href }) => href)).toEqual([others.image_url, "https://e.x/p.png"])
      expect(links.map(({ rel }) => rel)).toEqual(links.map(() => "nofollow ugc noopener"))
    }
  })

  it("footnotes on a public page link to their references and back with unique ids", async () => {
    const desk = await newDesk()
    const { slug } = await desk.create({ body: "# Fn 1\n\nWord[^1].\n\n[^1]: Note." })
    const { elements } = await parse((await desk.page(slug)).text)
    const ids = elements.flatMap(({ attributes }) => attributes.id ?? [])
    const targets = elements.flatMap(({ attributes: { href } }) => (href?.startsWith("#") ? href.slice(1) : []))
    expect(targets.length).toBeGreaterThan(0)
    expect(targets.filter((id) => !ids.includes(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([
    ["references", `${"[c] ".repeat(2000)}\n\n[c]: ${"d".repeat(2500)}`],
    ["nested quotes", `${"> ".repeat(200)}a`],
    ["emphasis markers", "*a* ".repeat(60_000)],
    ["nested elements", "<div>".repeat(1000)],
    ["bytes of HTML", "&".repeat(220_000)],
  ])("creating or changing a post with too many %s in its body answers 400 body_too_complex", async (_, body) => {
    const desk = await newDesk()
    const { slug } = await desk.create()
    const created = await desk.send("POST", "", {
      title: "a",
      slug: unique("big"),
      status: "PB",
      categories: "a",
      meta_description: "a",
      body,
    })
    const patched = await desk.patch(slug, { body })
    for (const { status, json } of [created, patched])
      expect([status, json.code, json.errors[0].field]).toEqual([400, "body_too_complex", "body"])
    expect((await desk.get(slug)).json.post.version).toBe(1)
  })
})

describe("origin of public pages", () => {
  const EVIL = "evil.example"

  it("a foreign Host header appears in no answer while PUBLIC_ORIGIN is set", async () => {
    const { desk, slug } = await translated()
    const headers = { "X-API-KEY": desk.key, Host: EVIL, "X-Forwarded-Host": EVIL, Forwarded: `host=${EVIL}` }
    const other = unique("hosted")
    const create = { title: "a", slug: other, status: "PB", categories: "a", meta_description: "a", body: "b" }
    const requests: [string, string, unknown?][] = [
      ["GET", `/@${desk.username}/${slug}/`],
      ["GET", `/@${desk.username}/${slug}/fr/`],
      ["GET", `/@${desk.username}/${slug}/FR/`],
      ["GET", `/@${desk.username}/${slug}/en/`],
      ["GET", `/@${desk.username}/none/`],
      ["POST", `${API}/posts/`, create],
      ["GET", `${API}/posts/?limit=1`],
      ["GET", `${API}/posts/${slug}/`],
      ["GET", `${API}/posts/${slug}/translations/`],
      ["PATCH", `${API}/${slug}/`, { lang_code: "en", primary_language: "en", translation_languages: ["es"] }],
      ["GET", `${API}/account/`],
      ["GET", "/openapi.json"],
      ["GET", "/docs/"],
      ["GET", "/docs/errors"],
    ]
    for (const [method, path, json] of requests) {
      const body = json === undefined ? {} : { body: JSON.stringify(json) }
      const response = await fetchWorker(request(`https://${EVIL}${path}`, { method, headers, ...body }))
      expect(await everything(response), `${method} ${path}`).not.toContain(EVIL)
    }
    const page = await fetchWorker(request(`https://${EVIL}/@${desk.username}/${slug}/`))
    expect(await page.text()).toContain(`<link rel="canonical" href="${ORIGIN}/@${desk.username}/${slug}/"`)
  })

  it.each(["http://localhost:1234", "http://127.0.0.1:8787", "http://[::1]:8787"])(
    "without PUBLIC_ORIGIN, a page requested at %s has URLs with this origin",
    async (origin) => {
      const { desk, slug } = await translated()
      const page = await fetchWorker(request(`${origin}/@${desk.username}/${slug}/`), { PUBLIC_ORIGIN: "" })
      expect(page.status).toBe(200)
      expect(await page.text()).toContain(`<link rel="canonical" href="${origin}/@${desk.username}/${slug}/"`)
    },
  )

  it.each(["https://blog.example", "http://192.168.0.1", "http://localhost.evil.example", "http://127.0.0.1.nip.io"])(
    "without PUBLIC_ORIGIN, a request to %s answers misconfigured and names the variable",
    async (origin) => {
      const { desk, slug } = await translated()
      const page = request(`${origin}/@${desk.username}/${slug}/`)
      expect(await problemOf(await fetchWorker(page, { PUBLIC_ORIGIN: "" }))).toEqual(misconfigured("PUBLIC_ORIGIN"))
    },
  )

  it("creating a post on a deployment without PUBLIC_ORIGIN answers misconfigured and makes no post", async () => {
    const desk = await newDesk()
    const json = {
      title: "a",
      slug: unique("refused"),
      status: "PB",
      categories: "a",
      meta_description: "a",
      body: "b",
    }
    const create = request(`https://blog.example${API}/posts/`, {
      method: "POST",
      headers: { "X-API-KEY": desk.key },
      body: JSON.stringify(json),
    })
    expect(await problemOf(await fetchWorker(create, { PUBLIC_ORIGIN: "" }))).toEqual(misconfigured("PUBLIC_ORIGIN"))
    expect((await desk.get(json.slug)).status).toBe(404)
  })

  it.each<[keyof Env, string]>([
    ["PUBLIC_ORIGIN", "blog.example"],
    ["PUBLIC_ORIGIN", "http://localhost:8787/"],
    ["PUBLIC_ORIGIN", "http://localhost:8787/path"],
    ["PUBLIC_ORIGIN", "http://user@localhost"],
    ["PUBLIC_ORIGIN", "ftp://localhost"],
    ["PUBLIC_ORIGIN", "javascript:alert(1)"],
    ["PUBLIC_ORIGIN", "null"],
    ["TRANSLATOR", ""],
    ["TRANSLATOR", "nobody"],
    ["IMAGE_ID_TTL_SECONDS", "0"],
    ["IMAGE_ID_TTL_SECONDS", "-1"],
    ["IMAGE_ID_TTL_SECONDS", "1.5"],
    ["IMAGE_ID_TTL_SECONDS", "half an hour"],
    ["IMAGE_ID_TTL_SECONDS", ""],
    ["UPLOADS_PER_MINUTE", "0"],
    ["UPLOADS_PER_MINUTE", "1e3"],
    ["TRANSLATION_DEBOUNCE_SECONDS", "-5"],
    ["TRANSLATION_DEBOUNCE_SECONDS", "soon"],
  ])(
    "a request to a deployment with an invalid %s (%j) answers misconfigured and names the variable",
    async (variable, value) => {
      const { status, json } = await call("GET", "/@nobody/nothing/", { env: { [variable]: value } })
      expect({ status, code: json.code, detail: json.detail }).toEqual(misconfigured(variable))
    },
  )

  it("a request answers misconfigured if TRANSLATOR is pseudo and PUBLIC_ORIGIN is not loopback", async () => {
    const env = { TRANSLATOR: "pseudo", PUBLIC_ORIGIN: "https://blog.example" } as const
    const { json } = await call("GET", "/@nobody/nothing/", { env })
    expect([json.code, json.detail]).toEqual(["misconfigured", expect.stringContaining("TRANSLATOR")])
  })

  it("a request answers misconfigured with the names of all invalid variables at once", async () => {
    const { json } = await call("GET", "/", {
      env: { ...bindings, UPLOADS_PER_MINUTE: "no", IMAGE_ID_TTL_SECONDS: "no" },
    })
    expect(json.detail).toMatch(/IMAGE_ID_TTL_SECONDS.*UPLOADS_PER_MINUTE/)
  })
})
