import { expect, test } from "vitest"

import type { ListedPost } from "../../src/client/index.ts"
import type { FolderConfig } from "../../src/config.ts"
import { sha256 } from "../../src/hash.ts"
import { planToJson } from "../../src/plan/screen.ts"
import { TOOLS } from "../../src/tools/index.ts"
import type { UsageError } from "../../src/usage-error.ts"
import { desiredOf } from "../markdown/plan.ts"
import { planOf } from "../plan/plan.ts"

type Files = Record<string, string | Uint8Array>

// Folders of the apps in which people write, in their own forms: what becomes of them, and what readers never see.

/** Plans a folder for a first run. */
const firstPlan = (files: Files, config: Partial<FolderConfig> = {}, paths: string[] = []) =>
  planOf(files, [], { paths }, undefined, [], [], { category: "Blog", timezone: "UTC", site_url: null, ...config })

/** Returns a line for each post: slug, title, status, day, categories, tags and description; then the warnings, and what is left out. */
const linesOf = async (files: Files, config: Partial<FolderConfig> = {}): Promise<string[]> => {
  const plan = await firstPlan(files, config)
  const posts = plan.entries.map(({ slug, action }) => {
    const { fields, source } = desiredOf(plan, slug)
    const { status, published_at, categories, tags } = fields
    const day = published_at?.replace("T00:00:00.000Z", "")
    const parts = [slug, source.title, action, status, day, [categories].flat().join("+"), [tags].flat().join("+")]
    return [...parts, source.meta_description].join(" | ")
  })
  const findings = plan.entries.flatMap((entry) =>
    entry.findings.map(({ file, line, code }) => `${file}:${line} ${code}`),
  )
  return [...posts, ...findings, ...plan.leftOut.map(({ file, reason }) => `${file} - ${reason}`)]
}

/** Returns the body of a post as the service gets it. */
const bodyOf = async (files: Files, slug: string, config: Partial<FolderConfig> = {}) => {
  const plan = await firstPlan(files, config)
  return desiredOf(plan, slug).source.body
}

const ALL = { publish_by: "all" }
const ID = (digit: string): string => digit.repeat(32)
/** An image of one pixel. */
const RED = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==",
  "base64",
)
/** The same in another file. */
const BLUE = Buffer.concat([RED, Buffer.from([0])])

const NOTION = {
  [`Blog ${ID("0")}.md`]: `# Blog\n\n[Tides](Blog%20${ID("0")}/Tides%20a%20guide%20${ID("1")}.md)\n`,
  [`Blog ${ID("0")}/Posts ${ID("9")}.csv`]: "Name,Tags\n",
  [`Blog ${ID("0")}/Tides a guide ${ID("1")}.md`]: `# Tides: a guide

Created time: March 10, 2024 9:15 AM
Tags: boats, sea
Assignee: SECRET
Published: March 12, 2024 9:00 AM (GMT+1) → March 13, 2024
Category: Coast (https://www.notion.so/Coast-${ID("8")}?pvs=21)

Words of the guide. [Blog](../Blog%20${ID("0")}.md)
`,
  [`Blog ${ID("0")}/Plan ${ID("2")}.md`]: "# Plan\n\nDate: 2024-03-01\nStatus: Draft\nOwner: SECRET\n\nWords.\n",
  [`Blog ${ID("0")}/Idea ${ID("3")}.md`]:
    "# Idea\n\nDate: 2024/03/01\nReady v1.0?: No\nStatus: Not started\nReview: SECRET\nand SECRET\n\nWords.\n",
}

/** Two notes as Joplin exports them, and the front matter of others. */
const times = (title: string): string =>
  `title: ${title}\nupdated: 2024-03-12 10:00:00Z\ncreated: 2024-03-10 09:15:00Z\n`
const JOPLIN = {
  "Sea/Tides.md": `---\n${times("Tides")}latitude: 52.1\nlongitude: 4.2\naltitude: 0.0\ntags:\n  - boats\n---\n\nWords. ![red](../_resources/red.png) [Salt](../Kitchen/Salt.md) [gone](:/0123456789abcdef0123456789abcdef)`,
  "Kitchen/Salt.md": `---\n${times("Salt")}source: https://other.example/salt\n---\n\nSalt words.\nMore.`,
  "Kitchen/Buy.md": `---\n${times("SECRET")}completed?: no\ndue: 2024-04-01 00:00:00Z\n---\n\nSECRET`,
  "_resources/red.png": RED,
}

const BUNDLES = {
  "Tides a guide.textbundle/text.md": "---\ndate: 2024-03-10\n---\n\n# Tides\n\nWords. ![Red](assets/red.png)\n",
  "Tides a guide.textbundle/info.json": '{"version":2}',
  "Sea/Why salty.textbundle/text.markdown": "# Why is it salty?\n#sea\n\nSalt words.\n",
  "Sea/Why salty.textbundle/info.json":
    '{"version":2,"net.shinyfrog.bear":{"creationDate":"2024-03-11T08:00:00Z","modificationDate":"2024-03-12T08:00:00Z"}}',
  "Tides a guide.textbundle/assets/red.png": RED,
  "Old.textbundle/text.md": "# SECRET\n\nSECRET\n",
  "Old.textbundle/info.json": '{"net.shinyfrog.bear":{"creationDate":"2024-03-11T08:00:00Z","trashed":1}}',
  "New.textbundle/text.md": "Words without a date.\n",
  "note.md": "# A note\n\nNo post.\n",
  "post.md": "---\ntitle: A post\ndate: 2024-03-01\n---\n#kept\n",
}

const BLOCK = "65ed0000-0000-4000-8000-000000000001"
const LOGSEQ = {
  "logseq/config.edn": "{:meta/version 1}",
  "journals/2024_03_10.md": "- SECRET of the day.\n",
  "journals/2024_03_11.md": "-\n",
  "pages/tides.md": `title:: The tides
public:: true
tags:: [[sea]], #boats
date:: [[2024-03-09]]
reviewer:: SECRET

- First block
  id:: ${BLOCK}
  collapsed:: true
- TODO open
  :LOGBOOK:
  CLOCK: [2024-03-10 Sun 09:00:00] SECRET
  :END:
- id:: ${BLOCK}
  kept
- See ((${BLOCK})) and [the first](((${BLOCK})))
- \`\`\`
  :LOGBOOK:
  id:: 1
  \`\`\`
- ![red.png](../assets/red.png){:height 80, :width 120}
`,
  "pages/private.md": "- SECRET\n",
  "assets/red.png": RED,
}

const DENDRON = {
  "dendron.yml": "version: 5\n",
  "notes/blog.2024.tides.md":
    "---\nid: a2\ntitle: 'Tides: a guide'\npublish: true\ndesc: ''\nupdated: 1710150000000\ncreated: 1710061200000\n---\nWords. [[The salt|blog.2024.salt]]\n",
  "notes/blog.2024.salt.md": "---\nid: a3\ntitle: Salt\npublish: true\ncreated: 1710061200000\n---\nSalt.\n",
  "notes/daily.journal.2024.03.10.md":
    "---\nid: a4\ntitle: SECRET\nupdated: 1710150000000\ncreated: 1710061200000\npublish: true\n---\nSECRET\n",
}

const ORG_TEXT = `An *italic* start.


<a id="org6cd09ed"></a>

# First steps     :intro:

1.  One


<a id="org37a5e56"></a>

# Second part

See [the first part](#org6cd09ed).
`

const ORG = {
  "2024-03-10-high-tides.md": `# Table of Contents

1.  [First steps](#org6cd09ed):intro:
    1.  [Deeper](#org6cd09ee)
    2.  [With an id](#own)
2.  [Second part](#org37a5e56):end:

${ORG_TEXT}`,
}

const PAGE = "---\ntitle: A\ndate: 2024-03-01\n"

const CASES: Record<string, [files: Files, config: Partial<FolderConfig>, expected: string[]]> = {
  "Notion: names without ids, property lines as fields, and no other property": [
    NOTION,
    ALL,
    [
      "idea | Idea | create | DF | 2024-03-01 | Blog |  | Words.",
      "plan | Plan | create | DF | 2024-03-01 | Blog |  | Words.",
      "tides-a-guide | Tides: a guide | create | PB | 2024-03-12T08:00:00.000Z | Coast | boats+sea | Words of the guide. Blog",
      `Blog ${ID("0")}/Idea ${ID("3")}.md:7 property`,
      `Blog ${ID("0")}/Idea ${ID("3")}.md:5 undone`,
      `Blog ${ID("0")}/Plan ${ID("2")}.md:5 property`,
      `Blog ${ID("0")}/Plan ${ID("2")}.md:4 undone`,
      `Blog ${ID("0")}/Tides a guide ${ID("1")}.md:7 property`,
      `Blog ${ID("0")}/Tides a guide ${ID("1")}.md:9 left_out_link`,
      `Blog ${ID("0")}/Posts ${ID("9")}.csv - a table of a database, which is not read`,
      `Blog ${ID("0")}.md - no date: write \`date: 2024-01-31\` into its front matter`,
    ],
  ],
  "Joplin: notebooks as categories, and no to-do": [
    JOPLIN,
    ALL,
    [
      "salt | Salt | create | PB | 2024-03-10T09:15:00.000Z | Kitchen |  | Salt words. More.",
      "tides | Tides | create | PB | 2024-03-10T09:15:00.000Z | Sea | boats | Words. Salt gone",
      "Sea/Tides.md:12 missing_link",
      "Kitchen/Buy.md - a to-do",
    ],
  ],
  "TextBundle: the name of the bundle, the first heading, and the times of Bear": [
    BUNDLES,
    { as: "textbundle" },
    [
      "why-salty | Why is it salty? | create | PB | 2024-03-11T08:00:00.000Z | Sea | sea | Salt words.",
      "tides-a-guide | Tides | create | PB | 2024-03-10 | Blog |  | Words.",
      "post | A post | create | PB | 2024-03-01 | Blog |  | #kept",
      "Old.textbundle/text.md - hidden: true",
      "note.md - no title and no date, or a page",
      "New.textbundle/text.md - no date: write `date: 2024-01-31` into its front matter",
    ],
  ],
  "Logseq: pages that say yes": [
    LOGSEQ,
    { publish_by: "public" },
    [
      "tides | The tides | create | PB | 2024-03-09 | Blog | sea+boats | First block",
      "pages/tides.md:5 property",
      "journals/2024_03_10.md - no public that says yes",
      "journals/2024_03_11.md - no text",
      "pages/private.md - no title and no date, or a page",
    ],
  ],
  "Logseq: all pages, and days with words": [
    LOGSEQ,
    ALL,
    [
      "2024-03-10 | 2024 03 10 | create | PB | 2024-03-10 | Blog |  | SECRET of the day.",
      "tides | The tides | create | PB | 2024-03-09 | Blog | sea+boats | First block",
      "pages/tides.md:5 property",
      "journals/2024_03_11.md - no text",
      "pages/private.md - no title and no date, or a page",
    ],
  ],
  "Dendron: milliseconds as dates": [
    DENDRON,
    { publish_by: "publish" },
    [
      "blog-2024-salt | Salt | create | PB | 2024-03-10T09:00:00.000Z | Blog |  | Salt.",
      "blog-2024-tides | Tides: a guide | create | PB | 2024-03-10T09:00:00.000Z | Blog |  | Words. The salt",
      "notes/daily.journal.2024.03.10.md - a day of the journal",
    ],
  ],
  "Org: the contents are no title": [
    ORG,
    { as: "org" },
    ["high-tides | high tides | create | PB | 2024-03-10 | Blog |  | An italic start."],
  ],
  "Org, not asked for": [
    { "a.md": `${PAGE.replace("title: A\n", "")}---\n\n${ORG["2024-03-10-high-tides.md"]}` },
    {},
    ["a | First steps :intro: | create | PB | 2024-03-01 | Blog |  | An italic start."],
  ],
}

test.each(Object.entries(CASES))("%s", async (_, [files, config, expected]) => {
  expect(await linesOf(files, config)).toEqual(expected)
})

const TYPORA = {
  "red.png": BLUE,
  "posts/a.md": `${PAGE}typora-root-url: ../media\ntypora-copy-images-to: ../media/img\n---\n![one](/red.png) ![two](img/blue.png)\n`,
  "media/red.png": RED,
  "posts/img/blue.png": BLUE,
}

test.each<[string, Files, string, Partial<FolderConfig>, string]>([
  ["Notion", NOTION, "tides-a-guide", ALL, "\nWords of the guide. Blog\n"],
  ["Joplin, whose line ends are line breaks", JOPLIN, "salt", ALL, "\nSalt words.\\\nMore."],
  ["Joplin", JOPLIN, "tides", ALL, "\nWords. ![red](RED) [Salt](/@ann/salt/) gone"],
  ["TextBundle", BUNDLES, "why-salty", { as: "textbundle" }, "Salt words.\n"],
  [
    "Logseq",
    LOGSEQ,
    "tides",
    { publish_by: "public" },
    "\n- First block\n- TODO open\n- \n  kept\n- See … and the first\n- ```\n  :LOGBOOK:\n  id:: 1\n  ```\n- ![red.png](RED)\n",
  ],
  ["Dendron", DENDRON, "blog-2024-tides", { publish_by: "publish" }, "Words. [The salt](/@ann/blog-2024-salt/)\n"],
  ["Org", ORG, "high-tides", { as: "org" }, ORG_TEXT],
  ["Typora", TYPORA, "a", { as: "typora" }, "![one](RED) ![two](BLUE)\n"],
])("the text of a note of %s is what its app shows", async (_, files, slug, config, expected) => {
  const body = await bodyOf(files, slug, config)
  expect(
    body.replaceAll(/\/media\S*\/(\w+)\.webp/g, (_path, hash: string) => (hash === sha256(RED) ? "RED" : "BLUE")),
  ).toBe(expected)
})

test.each(Object.entries(CASES).filter(([name]) => !name.includes("days")))(
  "nothing hidden is in a plan, and in what is sent: %s",
  async (_, [files, config]) => {
    const plan = await firstPlan(files, config)
    const sent = [...plan.wanted.values()].filter(({ fields }) => fields.status === "PB")
    expect(JSON.stringify([sent, planToJson(plan)])).not.toContain("SECRET")
  },
)

test.each<[string, Files]>([
  ["Notion", NOTION],
  ["Joplin", JOPLIN],
  ["Logseq", LOGSEQ],
  ["Dendron", DENDRON],
])("without opting in, a first run of a folder of %s writes nothing and shows nothing hidden", async (app, files) => {
  const said = await firstPlan(files).then(planToJson, (error: UsageError) => ({
    stop: error.advice,
    message: error.message,
  }))
  expect(said.stop).toContain(`The folder is one of ${app}, and nothing says which of its notes are for readers.`)
  expect(JSON.stringify(said)).not.toContain("SECRET")
})

test.each<[string, Files, Partial<FolderConfig>, string]>([
  ["Notion", NOTION, ALL, "Read as a folder of Notion."],
  ["TextBundle", BUNDLES, { as: "textbundle" }, "Read as a folder of TextBundle."],
  ["no app", { "a.md": `${PAGE}---\nA` }, {}, "Read as a folder of Markdown, by the rules of no tool."],
  ["Obsidian", { ".obsidian/app.json": "{}", "a.md": `${PAGE}---\nA` }, ALL, "Read as a folder of Obsidian."],
  [
    "Hexo",
    { "_config.yml": "source_dir: source", "source/_posts/a.md": `${PAGE}---\nA` },
    {},
    "Read as a blog of Hexo, by _config.yml.",
  ],
])("a first run says by which rules the folder is read: %s", async (_, files, config, expected) => {
  const { readAs } = await firstPlan(files, config)
  expect(readAs).toBe(expected)
})

test.each(["joplin", "notion", "logseq", "dendron"] as const)("as: %s asks which notes are for readers", async (as) => {
  const { stop } = await firstPlan({ "a.md": `${PAGE}---\nA` }, { as })
  expect(stop).toContain("Set `publish_by` in edgepost.config.yaml")
})

test("files in other formats are named in one line a kind, with what to do", async () => {
  const others = {
    "a.qmd": "",
    "b/c.QMD": "",
    "d.Rmd": "",
    "docs/e.rst": "",
    "f.docx": "",
    "tests/g.rst": "",
    "README.rst": "",
  }
  const { leftOut } = await firstPlan({ ...others, "a.md": `${PAGE}---\nA` })
  expect(leftOut.map(({ file, reason }) => `${file} ${reason}`)).toEqual([
    "a.qmd .qmd is not read: render it: `quarto render --to gfm`",
    "b/c.QMD .qmd is not read: render it: `quarto render --to gfm`",
    "d.Rmd .rmd is not read: knit it to `github_document`",
    "docs/e.rst .rst is not read: write it as Markdown: `pandoc -f rst -t gfm`",
    "f.docx .docx is not read: write it as Markdown: `pandoc -t gfm --extract-media=.`",
  ])
  await expect(firstPlan(others)).rejects.toThrow(
    "There are no posts: a.qmd (and 4 more) is left out: .qmd is not read: ",
  )
})

test.each<[string, string, Partial<FolderConfig>, expected: string]>([
  ["of another site", "url: https://other.example/news/2023/01/02/big-story?id=3", {}, "bay |  | /bay"],
  [
    "of another site, where that of the blog is known",
    "url: //other.example/news/big",
    { site_url: "https://e.x/" },
    "bay |  | /bay",
  ],
  [
    "of another site, as a permalink",
    "permalink: https://other.example/news/big",
    { site_url: "https://e.x/" },
    "bay |  | /bay",
  ],
  ["of the blog", "url: https://www.e.x/news/big/", { site_url: "https://e.x/" }, "big |  | /bay,/news/big,/big"],
  ["without a site", "url: /news/big/", {}, "big |  | /bay,/news/big,/big"],
  ["of a canonical page", "canonicalUrl: https://other.example/news/big", {}, "bay |  | /bay"],
  ["of a source", "source: https://other.example/news/big", {}, "bay |  | /bay"],
  ["of an alias", "aliases: [https://old.example/news/big]", {}, "bay |  | /bay,/news/big"],
])("an address %s", async (_, field, config, expected) => {
  const plan = await firstPlan({ "bay.md": `---\ntitle: Bay\n${field}\n---\nA` }, config, ["bay.md"])
  const [post] = plan.wanted.values()
  expect(
    [post?.slug, post?.fields.published_at, plan.redirects.changed.map(({ from }) => from).join()].join(" | "),
  ).toBe(expected)
})

test.each<[string, string]>([
  ["created: 1710061200000\nupdated: 1710150000000", "2024-03-10T09:00:00.000Z"],
  ["created: 999999999999", "2001-09-09T01:46:39.999Z"],
  ["created: 202413101530", "error"],
  ["date: 946684800000", "2000-01-01T00:00:00.000Z"],
  ["published: 1710061200000", "2024-03-10T09:00:00.000Z"],
  ["date: 202403101530", "error"],
  ["created: 2024-03-10\npublished: 2024-03-12", "2024-03-12T00:00:00.000Z"],
  ["created: 2024-03-10\npublished: true", "2024-03-10T00:00:00.000Z"],
  ["created_at: 2024-03-10\ndate: 2024-03-12", "2024-03-12T00:00:00.000Z"],
  ["published: 2024-03-12\ndate: 2024-03-11", "2024-03-11T00:00:00.000Z"],
])("the date of %j is %s", async (fields, expected) => {
  const { entries } = await firstPlan({ "a.md": `---\ntitle: A\n${fields}\n---\nA` })
  expect(entries[0]?.action === "blocked" ? "error" : entries[0]?.published_at).toBe(expected)
})

test.each<[string, string, Partial<ListedPost>, expected: string]>([
  [
    "its day",
    "created: 2024-03-10\npublished: 2024-03-12",
    { slug: "bay", published_at: "2024-03-10T00:00:00Z" },
    "bay",
  ],
  [
    "the slug of an address of another site",
    "date: 2024-03-10\nurl: https://other.example/news/big-story?id=3",
    { slug: "big-story", published_at: "2024-03-10T00:00:00Z" },
    "big-story",
  ],
])("a post that the service has keeps %s", async (_, fields, there, slug) => {
  const files = { "bay.md": `---\ntitle: Bay\n${fields}\n---\nA` }
  const texts = { en: { body_sha256: sha256("A"), edited: [] } } as unknown as ListedPost["texts"]
  const { entries, gone, risks } = await planOf(files, [
    { title: "Bay", categories: ["Sea"], tags: [], texts, ...there },
  ])
  expect(entries.map((entry) => [entry.slug, entry.changes.post.includes("published_at")])).toEqual([[slug, false]])
  expect([gone, risks]).toEqual([[], []])
})

/** A page of Notion with an id, and one without. */
const PAGES = (text: string): Files => ({ [`A ${ID("1")}.md`]: text })
const NAMED = (text: string): Files => ({ "a.md": text })
const DATED = "# P\n\nDate: 2024-01-01\n"

test.each<[string, Files, expected: string]>([
  ["below a front matter", NAMED(`${PAGE}---\n\nAssignee: SECRET\nStatus: Draft\n\nRest.`), "DF property+undone"],
  ["with a comma", PAGES(`${PAGE}---\n# P\n\nWho, when: SECRET\nURL: https://e.x\n\nRest.`), "PB property"],
  ["with signs", PAGES(`${PAGE}---\n# P\n\nFeedback!: SECRET\nv1.0: x\n\nRest.`), "PB property"],
  ["with brackets", PAGES(`${PAGE}---\n# P\n\n[Internal] Owner: SECRET\n\nRest.`), "PB property"],
  [
    "with a long question",
    PAGES(`${PAGE}---\n# P\n\n${"Who is to read this ".repeat(3)}?: SECRET\n\nRest.`),
    "PB property",
  ],
  ["without a value", PAGES(`${PAGE}---\n# P\n\nAssignee: \nReview notes: SECRET\n\nRest.`), "PB property"],
  [
    "below an image",
    PAGES("![](a.png)\n\n# P\n\nDate: 2024-01-01\nOwner: SECRET\nand SECRET\n\nRest."),
    "PB property+missing_image",
  ],
  ["In Draft", PAGES(`${DATED}Status: In Draft\n\nRest.`), "DF undone"],
  ["🟡 Draft", PAGES(`${DATED}Status: 🟡 Draft\n\nRest.`), "DF undone"],
  ["Archived", PAGES(`${DATED}📌 Status: Archived\n\nRest.`), "DF undone"],
  ["a stage", PAGES(`${DATED}Stage: Draft\nStatus: Done\n\nRest.`), "DF undone"],
  ["a state", PAGES(`${DATED}State: Draft\n\nRest.`), "DF undone"],
  ["Done", PAGES(`${DATED}Status: ✅ Done\n\nRest.`), "PB "],
  ["Done, of what is no post", PAGES(`${DATED}Status: Done\nDraft: Yes\n\nRest.`), "DF "],
])("a property of Notion is not for readers, %s", async (_, files, expected) => {
  const plan = await firstPlan(files, { as: "notion", ...ALL })
  const [post] = plan.wanted.values()
  expect(post?.source.body).not.toMatch(/SECRET|Status|Stage|State/)
  expect(post?.source.body).toContain("Rest.")
  const codes = plan.entries[0]?.findings.map(({ code }) => code)
  expect(`${post?.fields.status} ${codes?.join("+")}`).toBe(expected)
})

test.each<[string, Files]>([
  ["below a field", NAMED(`${DATED}Words of the text.\nMore.\n\nRest.`)],
  ["below a field of a page with an id", PAGES(`${DATED}Words of the text.\nMore.\n\nRest.`)],
  ["with a name", NAMED(`${PAGE}---\n# P\n\nWords of the text.\nAuthor: Jane wrote it\nMore.`)],
  ["that is a note", NAMED(`${PAGE}---\n# P\n\nNote: Words of the text.\nMore.`)],
  ["that is a dialogue", NAMED(`${PAGE}---\n# P\n\nAnn: Words of the text.\nBob: More.`)],
  ["before a list", PAGES(`${PAGE}---\n# P\n\nFor four: Words of the text.\n- salt\n\nMore.`)],
  ["before an image", PAGES(`${PAGE}---\n# P\n\nFigure: Words of the text.\n![](a.png)\n\nMore.`)],
])("a text of Notion stays, %s", async (_, files) => {
  const plan = await firstPlan(files, { as: "notion", ...ALL })
  const [post] = plan.wanted.values()
  expect(post?.source.body).toContain("Words of the text.")
  expect(post?.source.body).toContain("More.")
})

test.each<[string, string, expected: string]>([
  ["blank lines in a drawer", "- A\n  :LOGBOOK:\n  a\n\n  SECRET\n  :END:\n- B\n", "- A\n- B\n"],
  ["a list in a drawer", "- A\n  :logbook:\n  - SECRET\n  - SECRET\n  :end:\n- B\n", "- A\n- B\n"],
  ["a drawer in a quote", "> A\n> :PROPERTIES:\n> SECRET\n> :END:\n> B\n", "> A\n> B\n"],
  ["a drawer as a block", "- :LOGBOOK:\n  SECRET\n  :END:\n- B\n", "- \n- B\n"],
  ["a drawer without an end", "- A\n  :LOGBOOK:\n  CLOCK: SECRET\n- B\n", "- A\n- B\n"],
  ["no drawer", "- A\n  :WARNING:\n  B\n", "- A\n  :WARNING:\n  B\n"],
  ["C++", "std::cout << 1\n\n- id:: is a namespace\n", "std::cout << 1\n\n- id:: is a namespace\n"],
  ["prose", "A\n\nid:: is a namespace\ncollapsed:: too\n", "A\n\nid:: is a namespace\ncollapsed:: too\n"],
])("of a page of Logseq readers see what the app shows: %s", async (_, body, expected) => {
  const files = { "a.md": `${PAGE}---\n${body}` }
  expect(await bodyOf(files, "a", { as: "logseq", ...ALL })).toBe(expected)
})

test("a first line that is taken for a property of Logseq is told", async () => {
  const { entries } = await firstPlan({ "a.md": `${PAGE}---\nAnswer:: 42\n\nA` }, { as: "logseq", ...ALL })
  expect(entries[0]?.findings.map(({ message }) => message).join()).toContain("`Answer`")
})

test.each<[string, string]>([
  ["words", "- [One](#org1234567) is what I wrote\n- [Two](#two)"],
  ["a second link", "- [One](#org1234567) and [two](#two)"],
  ["words below it", "- [One](#org1234567)\n  is what I wrote"],
])("a list of links is no contents of Org if an item has %s", async (_, list) => {
  const body = `# My links\n\n${list}\n`
  expect(await bodyOf({ "a.md": `${PAGE}---\n${body}` }, "a")).toContain("[One]")
})

test.each<[string, string, body: string, tags: string]>([
  ["at the start and the end", "# B\n#sea\n\nA\n\n#MeToo #a/b", "A\n", "sea,metoo,a/b"],
  ["in the text", "# B\n\nA\n#MeToo\nB", "A\n#MeToo\nB", ""],
  ["of digits", "# B\n#1\n\nA\n#ffffff #000000", "#1\n\nA\n#ffffff #000000", ""],
  ["in code", "# B\n\nA\n```\n#c\n```", "A\n```\n#c\n```", ""],
])("lines of tags of a bundle %s", async (_, text, body, tags) => {
  const plan = await firstPlan({ "A.textbundle/text.md": `---\ndate: 2024-03-01\n---\n${text}` }, { as: "textbundle" })
  const { source, fields } = desiredOf(plan, "a")
  expect([source.body.trim(), String(fields.tags)]).toEqual([body.trim(), tags])
})

test("bundles in a folder ask how it is read, and change no post", async () => {
  const { stop } = await firstPlan(BUNDLES)
  expect(stop).toContain("Set `as: textbundle` in edgepost.config.yaml")
  const there = { slug: "post", title: "A post", categories: ["Sea"], published_at: "2024-03-01T00:00:00Z" }
  const { entries, stop: later } = await planOf({ ...BUNDLES, "new.md": `${PAGE}---\nA` }, [there])
  expect(later).toBeNull()
  expect(entries.map(({ slug, action }) => `${action} ${slug}`)).toContain("create new")
})

const TO_DO = { "Kitchen/Buy.md": JOPLIN["Kitchen/Buy.md"].replace("title: SECRET", "title: Buy") }

test.each<[string, Files, Partial<FolderConfig>]>([
  ["without a configuration", { ...JOPLIN, ...TO_DO }, {}],
  ["as a folder", { ...JOPLIN, ...TO_DO }, { as: "folder" }],
  ["with a rule", { ...JOPLIN, ...TO_DO }, ALL],
  ["in a plain folder", { ...TO_DO, "a.md": `${PAGE}---\nA` }, {}],
])("a to-do that the service has goes on, and a new one is left out: %s", async (_, files, config) => {
  const there = { slug: "buy", title: "Buy", categories: ["Kitchen"], published_at: "2024-03-10T09:15:00Z" }
  const before = await planOf(files, [there], {}, undefined, [], [], config)
  expect(before.entries.find(({ slug }) => slug === "buy")?.action).toBe("update")
  expect(before.wanted.get("buy")?.fields.status).toBe("PB")
  const first = await firstPlan(files, config)
  expect(first.leftOut.map(({ file, reason }) => `${file} ${reason}`)).toContain("Kitchen/Buy.md a to-do")
  expect(JSON.stringify(planToJson(first))).not.toContain("SECRET")
})

test("a to-do takes no post of another folder", async () => {
  const there = { slug: "buy", title: "Buy", source: "other", published_at: "2024-03-10T09:15:00Z" }
  const { entries, leftOut } = await planOf({ ...TO_DO, "a.md": `${PAGE}---\nA` }, [there])
  expect(entries.map(({ slug }) => slug)).toEqual(["a"])
  expect(leftOut.map(({ reason }) => reason)).toEqual(["a to-do"])
})

test("a to-do leaves its slug to a note", async () => {
  const { "Kitchen/Salt.md": note } = JOPLIN
  const toDo = note.replace("2024-03-10", "2023-03-10").replace("source:", "completed?: no\nsource:")
  const { entries } = await firstPlan({ "A/Salt.md": toDo, "Kitchen/Salt.md": note, "a.md": `${PAGE}---\nA` })
  expect(entries.map(({ slug }) => slug)).toEqual(["salt", "a"])
})

test("a long line of blanks takes the rules of Notion no time", () => {
  expect(TOOLS.notion.splitFields?.(`#${" ".repeat(100_000)}`, "a.md")).toBeNull()
}, 1000)
