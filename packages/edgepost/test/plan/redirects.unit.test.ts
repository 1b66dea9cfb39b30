import { expect, test } from "vitest"

import type { LocalPost } from "../../src/folder/post.ts"
import { MAX_REDIRECTS } from "../../src/limits.ts"
import { toOldPath } from "../../src/old-path.ts"
import { planRedirects } from "../../src/plan/redirects.ts"
import { showPlan } from "../../src/plan/screen.ts"
import { readRedirects, writeRedirects } from "../../src/redirects-csv.ts"
import { folderOf } from "../folder/folder.ts"
import { planOf } from "../markdown/plan.ts"

/** @param languages addresses of translations, by their languages */
const postOf = (
  slug: string,
  {
    addresses = [],
    named = [],
    likely = [],
    languages = {},
  }: { [name in "addresses" | "named" | "likely"]?: string[] } & {
    languages?: Record<string, string[]>
  } = {},
) => {
  const translations = Object.entries(languages).map(([lang, paths]) => [lang, { addresses: paths, namedPaths: [] }])
  const source = { file: `posts/${slug}.md`, addresses, namedPaths: named }
  const more = { translations: Object.fromEntries(translations), likelyPaths: likely }
  return { slug, source, isReadable: true, status: "PB", ...more } as unknown as LocalPost
}

const brief = (posts: LocalPost[], csv = "", there: Record<string, string> = {}) => {
  const redirects = Object.entries(there).map(([from, to]) => ({ from, to }))
  const { wanted, changed, removed } = planRedirects(posts, readRedirects(csv), redirects)
  return [Object.fromEntries((wanted ?? []).map(({ from, to }) => [from, to])), changed.length, removed.length]
}

test.each<[what: string, posts: LocalPost[], csv: string, there: Record<string, string>, expected: unknown]>([
  [
    "are made of names and guesses",
    [postOf("a", { named: ["/x/"], likely: ["/2024/01/a"] })],
    "",
    {},
    [{ "/x": "a", "/2024/01/a": "a" }, 2, 0],
  ],
  [
    "are the same in every spelling",
    [postOf("a", { named: ["/ü.html", "/%c3%bc/", "/%C3%BC/index.html"] })],
    "",
    {},
    [{ "/%C3%BC": "a" }, 1, 0],
  ],
  [
    "of a guess for two posts are none",
    [postOf("a", { likely: ["/x"] }), postOf("b", { likely: ["/x"] })],
    "",
    {},
    [{}, 0, 0],
  ],
  [
    "of a name win over a guess",
    [postOf("a", { likely: ["/x"] }), postOf("b", { named: ["/x"] })],
    "",
    {},
    [{ "/x": "b" }, 1, 0],
  ],
  [
    "of a slug win over guesses",
    [postOf("b", { likely: ["/a"] }), postOf("c", { likely: ["/a"] }), postOf("a", { likely: ["/a"] })],
    "",
    {},
    [{ "/a": "a" }, 1, 0],
  ],
  [
    "have the other languages",
    [postOf("a", { named: ["/x"], languages: { "pt-BR": [] } }), postOf("b", { named: ["/y"] })],
    "",
    {},
    [{ "/x": "a", "/pt-br/x": "/a/pt-BR/", "/y": "b", "/pt-br/y": "b" }, 4, 0],
  ],
  [
    "stay while their post does",
    [postOf("a", { named: ["/x"] })],
    "",
    { "/x": "a", "/by-hand": "a" },
    [{ "/x": "a", "/by-hand": "a" }, 0, 0],
  ],
  ["go with their post", [postOf("a")], "", { "/x": "b", "/y": "/b/fr/" }, [{}, 0, 2]],
  [
    "lead from an old slug to the new one",
    [postOf("new", { named: ["/x"] })],
    "",
    { "/x": "old" },
    [{ "/x": "new", "/old": "new" }, 2, 0],
  ],
  [
    "of an old slug stay",
    [postOf("new", { named: ["/x"] })],
    "",
    { "/x": "new", "/old": "new" },
    [{ "/x": "new", "/old": "new" }, 0, 0],
  ],
  ["of the root are none", [postOf("a", { named: ["/", "/index.html"] })], "", {}, [{}, 0, 0]],
])("redirects %s", (_, posts, csv, there, expected) => {
  expect(brief(posts, csv, there)).toEqual(expected)
})

test("an address of a post that is renamed twice leads to its last slug, in one hop", () => {
  const [first] = brief([postOf("second", { named: ["/x"] })], "", { "/x": "first" })
  const [second] = brief([postOf("third", { named: ["/x"] })], "", first as Record<string, string>)
  expect(second).toEqual({ "/x": "third", "/second": "third", "/first": "third" })
})

test("redirects to a post that the service has stay, although its file is gone or broken", () => {
  const { wanted, removed } = planRedirects(
    [],
    [],
    [
      { from: "/x", to: "a" },
      { from: "/y", to: "/a/fr/" },
      { from: "/z", to: "b" },
    ],
    new Set(["a"]),
  )
  expect([wanted?.map(({ from }) => from), removed]).toEqual([["/x", "/y"], [{ from: "/z", to: "b" }]])
})

test("a named address below a language wins over that of another post's translation", () => {
  const posts = [postOf("a", { likely: ["/x"], languages: { fr: [] } }), postOf("b", { named: ["/fr/x"] })]
  expect((brief(posts)[0] as Record<string, string>)["/fr/x"]).toBe("b")
})

test("redirects of long addresses fit into a request", () => {
  const posts = Array.from({ length: 1500 }, (_, i) => postOf(`p${i}`, { named: [`/${"烏".repeat(100)}/${i}`] }))
  const { wanted, leftOut } = planRedirects(posts, [], [])
  expect(Buffer.byteLength(JSON.stringify({ redirects: wanted }))).toBeLessThan(2 ** 20)
  expect(leftOut).toBeGreaterThan(0)
})

test.each(["/a.html/index.html", "/a.html.html", "/a/index.html//", "/a.htm/"])(
  "the form of the old address %s is found again",
  (address) => {
    const { whole } = toOldPath(address)
    expect([whole, toOldPath(whole).whole]).toEqual(["/a", "/a"])
  },
)

test("redirects.csv names addresses with their queries, and the file counts before the slug", () => {
  const csv = writeRedirects([
    { path: "/2023/a,b/", slug: "old", file: "posts/a.md" },
    { path: "/?p=12", slug: "b", file: "posts/gone.md" },
    { path: "/nowhere/", slug: "gone", file: "posts/gone.md" },
  ])
  expect(brief([postOf("a"), postOf("b")], csv)).toEqual([{ "/2023/a%2Cb": "a", "/?p=12": "b" }, 2, 0])
})

test("the address that the tool gave each text comes before those that are named and likely", () => {
  const post = postOf("a", {
    addresses: ["/blog/a/", "/b/a"],
    named: ["/x"],
    likely: ["/y"],
    languages: { fr: ["/fr/blog/ah/"] },
  })
  const { wanted } = planRedirects([post, postOf("b", { addresses: ["/blog/b/"] })], readRedirects(""), [])
  expect(wanted?.map(({ from, to }) => `${from} ${to}`)).toEqual([
    "/blog/a a",
    "/fr/blog/ah /a/fr/",
    "/blog/b b",
    "/x a",
    "/b/a a",
    "/y a",
  ])
})

test("of too many redirects the address that the tool gave each post is kept, whatever else posts name", () => {
  const posts = Array.from({ length: 4900 }, (_, i) =>
    postOf(`p${i}`, { addresses: [`/posts/p${i}/`], named: [`/old/p${i}`, `/older/p${i}`], likely: [`/p${i}`] }),
  )
  const { wanted, leftOut, lost } = planRedirects(posts, [], [])
  expect(wanted?.slice(0, 4900).map(({ from }) => from)).toEqual(posts.map(({ slug }) => `/posts/${slug}`))
  expect([wanted?.length, leftOut, lost]).toEqual([MAX_REDIRECTS, 14_600, 0])
})

test("a plan counts the posts whose address has no room", () => {
  const posts = Array.from({ length: 5200 }, (_, i) => postOf(`p${i}`, { addresses: [`/posts/p${i}/`] }))
  const likely = Array.from({ length: 5100 }, (_, i) => postOf(`p${i}`, { likely: [`/posts/p${i}/`, `/p${i}`] }))
  const counts = [posts, likely].map((all) => planRedirects(all, [], []))
  expect(counts.map(({ leftOut, lost }) => [leftOut, lost])).toEqual([
    [200, 200],
    [5200, 100],
  ])
})

test.each([
  [0, "The likeliest address of each text is kept."],
  [200, "The old site showed posts at 200 of these: links to them from other sites lead nowhere."],
])("a plan with %i addresses without room says what that means", async (lost, meaning) => {
  const plan = await planOf(folderOf({ "a.md": "---\ntitle: A\ndate: 2024-01-02\n---\nText." }))
  const shown = showPlan({ ...plan, redirects: { ...plan.redirects, leftOut: 300, lost } }, (_, text) => text)
  expect(shown.replaceAll(/\s+/g, " ")).toContain(
    `300 more are left out: an account has ${MAX_REDIRECTS}, or 1 MB. ${meaning}`,
  )
})

test("useless redirects on the service make room for addresses that the tool gave", () => {
  const posts = Array.from({ length: 4000 }, (_, i) => postOf(`p${i}`, { addresses: [`/posts/p${i}/`] }))
  const there = posts.map(({ slug }) => ({ from: `/content/posts/${slug}`, to: slug }))
  const { wanted, lost } = planRedirects(posts, [], there)
  expect([wanted?.length, wanted?.[3999]?.from, lost]).toEqual([MAX_REDIRECTS, "/posts/p3999", 0])
})

test("of too many redirects each post keeps its likeliest ones", () => {
  const posts = Array.from({ length: 1000 }, (_, i) =>
    postOf(`p${i}`, { likely: [0, 1, 2, 3, 4, 5].map((rank) => `/${rank}/p${i}`) }),
  )
  const { wanted, leftOut } = planRedirects(posts, [], [])
  expect([wanted?.length, leftOut]).toEqual([MAX_REDIRECTS, 1000])
  expect(wanted?.some(({ from }) => from.startsWith("/5/"))).toBe(false)
})

test("drafts and posts that cannot be read have no redirects", () => {
  const [draft, broken] = [postOf("a", { named: ["/x"] }), postOf("b", { named: ["/y"] })]
  expect(
    brief([
      { ...draft, status: "DF" },
      { ...broken, isReadable: false },
    ]),
  ).toEqual([{}, 0, 0])
})

test("a plan says which old addresses two posts name, and which lines of redirects.csv lead to no post", () => {
  const posts = [postOf("a", { named: ["/x", "/x/", "/y"] }), postOf("b", { named: ["/x.html"] })]
  const csv = "old_path,slug,file\n/p/,a,\n/old/ b/\n\n/q/,gone,posts/gone.md\n"
  expect(planRedirects(posts, readRedirects(csv), []).remarks).toEqual([
    "/x is an old address in posts/a.md and in posts/b.md.",
    "redirects.csv names no path and post of the folder (old_path,slug,file) in line 3, 5.",
  ])
})
