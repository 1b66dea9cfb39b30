import { expect, it } from "vitest"

import type { Operation } from "../../src/http/operation.ts"
import { routes } from "../../src/routes.ts"
import { Browser, fieldOf, newLink, type Page, signIn } from "../author-pages/browser.ts"
import { pathOf, signInOperator } from "../operator/operator.ts"
import { newPost } from "../support.ts"

const POLICY = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src", "form-action"].map((name) => `${name} 'self'`),
  ...["base-uri", "frame-ancestors"].map((name) => `${name} 'none'`),
]
const SCRIPT = '<script type="module" src="/assets/settings.js"></script>'

const expectPage = ({ html, headers }: Page): void => {
  expect(html).toContain("<main")
  expect(headers.get("Content-Type")).toContain("text/html")
  expect(headers.get("Content-Security-Policy")?.split("; ")).toEqual(POLICY)
  expect(headers.get("Cache-Control")).toBe("no-store")
  expect(headers.get("Referrer-Policy")).toBe("same-origin")
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff")
  expect(headers.get("Access-Control-Allow-Origin")).toBeNull()
  expect(html.match(/<script[^]*?<\/script>/g)).toEqual([SCRIPT])
  expect(html).not.toMatch(/<style| style=| on\w+=/)
}

/** Returns a browser for each kind of visitor. */
const newScene = async () => {
  const { browser: author, username, key } = await signIn()
  // Only a post that readers do not see can be scheduled.
  const { slug } = await newPost({ username, key }, { status: "DF" })
  const [operator, link] = [await signInOperator(), await newLink(username)]
  return { page: new Browser(), author, "operator-page": operator, username, slug, link }
}
type Scene = Awaited<ReturnType<typeof newScene>>
type Viewer = "page" | "author" | "operator-page"

/** Returns the value of a field of a page's form. */
const shownField = async (browser: Browser, path: string, name: string) => ({
  [name]: fieldOf((await browser.get(path)).html, name) ?? "none",
})
/** Form data by path for forms answered with a page. A new form fails until it has a row. */
const FORMS: Record<string, (scene: Scene) => Record<string, string> | Promise<Record<string, string>>> = {
  "/settings/keys/": () => ({ name: "other", scope: "publish", replaced: "" }),
  "/operator/accounts/:username/keys/": () => ({ name: "other", scope: "publish", replaced: "" }),
  "/operator/accounts/:username/sign-in-links/": ({ "operator-page": operator, username }) =>
    shownField(operator, pathOf(username), "seen"),
  "/settings/erase/": ({ username }) => ({ username }),
}

const visit = async ({ method, path, access }: Operation): Promise<Page> => {
  const scene = await newScene()
  const { username, slug, link } = scene
  const address = path.replace("/sign-in/:secret/", link).replace(":username", username).replace(":slug", slug)
  const browser = scene[access as Viewer]
  return method === "GET" ? browser.get(address) : browser.post(address, await FORMS[path]?.(scene))
}

const isHtml = ({ successes }: Operation): boolean => successes[200]?.contentType === "text/html"
const shown = routes
  .map(({ operation }) => operation)
  .filter(({ access }) => ["page", "author", "operator-page"].includes(access))
  .filter((operation) => operation.method === "GET" || isHtml(operation))
  .filter(({ successes }) => successes[200])
  // A post's preview has the policy of readers' pages: see test/author-pages/posts.integration.test.ts.
  .filter(({ path }) => !/^\/settings\/posts\/.*\/preview\/$/.test(path))
const named = (operation: Operation) => [`${operation.method} ${operation.path}`, operation] as const

it.each(shown.filter(isHtml).map(named))(
  "the page %s cannot be framed, scripted or cached by another site",
  async (_, page) => {
    const answer = await visit(page)
    expect(answer.status).toBe(200)
    expectPage(answer)
  },
)

it.each(shown.filter((operation) => !isHtml(operation)).map(named))(
  "the answer of %s is a download and is not cached",
  async (_, file) => {
    const { status, headers } = await visit(file)
    expect(status).toBe(200)
    expect(headers.get("Content-Disposition")).toMatch(/^attachment;/)
    expect([headers.get("Cache-Control"), headers.get("X-Content-Type-Options")]).toEqual(["no-store", "nosniff"])
  },
)

it.each<[string, (scene: Scene) => Promise<Page>, string[]]>([
  ["of a used sign-in link", ({ page }) => page.get(`/sign-in/${"x".repeat(43)}/`), ["/settings/"]],
  ["of a form with an error", ({ author }) => author.post("/settings/sessions/end/", { session: "?" }), ["/settings/"]],
  [
    "of an operator's form with an error",
    ({ "operator-page": operator }) => operator.post("/operator/accounts/nobody/hidden/"),
    ["/operator/"],
  ],
  ["of a wrong token", ({ page }) => page.post("/operator/sign-in/", { token: "wrong" }), ["/operator/"]],
  ["of an unknown path", ({ page }) => page.get("/nothing/here/at/all/"), ["/"]],
])("the error page %s cannot be framed, scripted or cached, and links back", async (_, fail, home) => {
  const answer = await fail(await newScene())
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expectPage(answer)
  expect([...answer.html.matchAll(/<a href="([^"#]+)"/g)].map(([, href]) => href)).toEqual(home)
})
