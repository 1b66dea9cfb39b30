import type { Known } from "./draw.ts"

// Small blogs of `real/`, each with kinds met in public blogs, and what readers must see of them.

type Row = [
  file: string,
  mark: string,
  title?: string,
  date?: string | null,
  more?: { language?: string; tags?: string[]; categories?: string[] },
]

/** The posts of each blog; without a title, no reader may see the mark. */
const POSTS: Record<string, Row[]> = {
  bl: [
    ["content/posts/good-one.md", "See the other", "Good one", "2024-01-01"],
    // Its shortcode is unknown, and nothing else is in it.
    ["content/posts/other-one.md", "gadget"],
  ],
  d1: [["blog/2024-04-01-duck.md", "The duck in a box. In the pond. It flies", "Duck", "2024-04-01"]],
  e1: [
    ["404.md", "Nothing here", "Not found", null],
    ["posts/notes/tools2.md", "SECRET-IGNORES-ADD"],
    ["posts/offset.md", "Noon in the islands", "Offset of one digit", "2024-01-03T18:00:00"],
    ["posts/quoted.md", "Body of the quoted one", "A quoted summary", "2024-01-04"],
    ["posts/shed/tools.md", "SECRET-ELEVENTYIGNORE"],
  ],
  g1: [["posts/01-owl/index.md", "Owls hunt at night", "The owl", "2024-03-01"]],
  h1: [
    ["content/inbox/idea.md", "SECRET-INBOX"],
    ["content/posts/rain.wip.md", "SECRET-WIP"],
    ["content/posts/wind.fr.md", "SECRET-FR"],
    ["content/posts/wind.md", "Kites like wind", "Wind", "2024-02-01"],
  ],
  h3: [
    ["content/posts/peat.md", "Peat is old", "Peat", "2024-01-01"],
    ["content/posts/peat.fr.md", "La tourbe est vieille", "La tourbe", "2024-01-01", { language: "fr" }],
  ],
  j1: [
    ["_notes/2024-budget.md", "SECRET-NOTE"],
    ["_posts/2024-01-02-green.md", "Steep it for two minutes", "Green tea", "2024-01-02"],
    ["_recipes/_template.md", "TEMPLATE"],
    ["_recipes/scone.md", "Flour and butter", "Scones", null],
    ["_staff/ann.md", "SECRET-STAFF"],
  ],
  l1: [
    ["_posts/2024-01-01-tea.md", "The pot Made of clay", "All about tea", "2024-01-01"],
    ["_posts/2024-01-02-milk.md", "White.", "Milk", "2024-01-02"],
  ],
  li: [["_posts/2024-05-01-a.md", "youtube.com/embed/abc123", "A", "2024-05-01"]],
  n1: [
    ["posts/2024-04-02-cumulus.md", "SECRET-NIKOLA-DRAFT"],
    ["posts/cirrus.md", "Cirrus is made of ice", "Cirrus", "2024-04-01T08:00:00", { tags: ["sky", "ice"] }],
    ["posts/stratus.md", "Stratus is low", "Stratus", "2024-04-03T08:00:00"],
  ],
  nu1: [
    ["content/blog/-shed.md", "SECRET-DASH"],
    ["content/blog/1.lake.md", "Text before. A short hint.", "The lake", "2024-08-01"],
  ],
  p1: [
    [
      "content/2024-03-01-hive.md",
      "The hive wakes up",
      "The hive in spring",
      "2024-03-01T09:20:00",
      { categories: ["Garden"], tags: ["bees", "spring"] },
    ],
    ["content/2024-03-02-plan.md", "SECRET-DRAFT"],
    ["content/2024-03-03-hid.md", "SECRET-HIDDEN"],
    ["content/queen.md", "See the hive", "The queen", "2024-03-04T09:20:00"],
  ],
  pub1: [["public/lake/index.md", "Blue", "Lake", "2024-01-01"]],
  q1: [
    ["content/moss.md", "Moss grows on", "Moss", "2024-01-01"],
    ["content/private/diary.md", "SECRET-PRIVATE"],
    ["content/stone.md", "SECRET-NOTPUBLISHED"],
    ["content/templates/note.md", "SECRET-TEMPLATE"],
  ],
  rc: [1, 2, 3].map((n): Row => [`_posts/2024-01-0${n}-p${n}.md`, `Text ${n}`, `P${n}`, `2024-01-0${n}`]),
  s1: [
    ["content/posts/old.md", "", "Old post", "2014-01-01"],
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((n): Row => [`content/posts/p${n}.md`, "", `Post ${n}`, `2024-01-0${n}`]),
  ],
  v1: [
    ["docs/01.frog.md", "A new way is there", "The frog", "2024-07-01T10:00:00"],
    ["docs/02.toad.md", "Toads walk", "The toad", "2024-07-02T10:00:00"],
  ],
  x1: [
    ["source/_posts/ahead.md", "In the future"],
    ["source/_posts/angle.md", "is a note", "Angle brackets", "2024-01-01T10:00:00"],
    ["source/_posts/inbox/later.md", "SECRET-EXCLUDE", "For later", "2024-01-02T10:00:00"],
    ["source/_posts/raw.skip.md", "SECRET-IGNORE"],
  ],
  y1: [
    ["_posts/2024-01-03-offset.md", "Noon in the islands", "Offset of one digit", "2024-01-03T18:00:00"],
    ["_posts/2024-01-04-quoted.md", "Body of the quoted one", "A quoted summary", "2024-01-04"],
  ],
  z1: [
    ["content/posts/2024-02-03_peat.md", "Peat is old", "Peat", "2024-02-03"],
    ["content/posts/bog.wip.md", "SECRET-IGNORED"],
    ["content/posts/part.md", "SECRET-RENDER-FALSE"],
    ["content/posts/shown.md", "Words of Ann", "Shown", "2024-02-05"],
    ["content/shed/x.md", "SECRET-IGNORED2"],
  ],
  z4: [
    ["content/posts/peat.md", "Peat is old", "Peat", "2024-01-01"],
    ["content/posts/peat.fr.md", "La tourbe est vieille", "La tourbe", "2024-01-01", { language: "fr" }],
  ],
  zr: [
    ["content/first.md", "The first one", "First", "2018-04-06"],
    ["content/inside/first.md", "The other first one", "First inside", "2024-09-02"],
  ],
}

/** Images that are there: their files would say nothing to a reader. */
export const IMAGES: Record<string, string[]> = {
  p1: ["content/images/queen.png"],
  s1: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `static/p${n}.png`),
  v1: ["docs/.vuepress/public/img/frog.png"],
}

const toKnown = ([file, mark, title, date = null, more = {}]: Row): Known => {
  // Matches `2024-01-02`, not `2024-01-02T10:00:00`.
  const time = date && `${date}${/^[\d-]+$/.test(date) ? "T00:00:00" : ""}Z`
  const { categories = null, tags = [], language = "en" } = more
  const shown = title === undefined ? null : { title, date: time, categories, tags, language }
  return { file, kind: file, mark: mark === "" ? (title ?? "") : mark, shown }
}

export const CASES: Record<string, Known[]> = Object.fromEntries(
  Object.entries(POSTS).map(([name, rows]) => [name, rows.map(toKnown)]),
)
