import type { Repository, Tree } from "./author.ts"

// What the Action has to do for each repository and event, by the contract, written by hand.

/** One run of a workflow: what started it, how it checks out, and the inputs of the Action. A push to the default branch by default. */
export interface Run {
  event?: string
  ref?: string
  payload?: object
  /** The inputs of each actions/checkout; `CASE` is the owner of the repositories. */
  checkouts?: Record<string, string>[]
  /** A bash script in the workspace before the Action; `AUTHOR` is the author's repository. */
  script?: string
  hasGit?: false
  /** The global configuration of Git. */
  gitconfig?: string
  /** GitHub's API does not answer. */
  silent?: true
  inputs?: Record<string, string>
}

/** What a run did, wrote and said. */
export interface Seen {
  code: number
  mode: "plan" | "publish" | "not done"
  /** Numbers of posts by the outputs, but for zeros. */
  counts: string
  /** The words that readers see; `draft` and `removed` for what they do not see. Absent is what was never on the service. */
  posts: Record<string, string>
  /** What was said, by kind. */
  says: string[]
}

/** Repositories, and the run of which is judged what it does. */
interface Setting extends Run {
  /** What the first run publishes, with all of its history; null without such a run. */
  old?: Tree | null
  /** A bash script before its commit. */
  setUp?: string
  oldRun?: Run
  /** Changes the repositories after it. @returns the commit, if it is not the head of the default branch */
  change?: (blog: Repository, more: (name: string) => Repository) => string | undefined
  /** A difference that we want to keep, and why. */
  differs?: { seen: Partial<Seen>; reason: string }
}

export interface Case extends Setting {
  name: string
  expected: Seen
}

/** Returns the file of a post. */
const post = (title: string, words: string, fields = ""): string =>
  `---\ntitle: ${title}\ndate: 2024-01-02\n${fields}---\n\n${words}\n`

const HIDES = 'title = "Harbour"\n\n[cascade]\ndraft = true\n[cascade._target]\npath = "/private/**"\n'
const DIARY = post("Diary", "SECRET words.")
const TIDE = post("Tide", "First words.")
const TIDE_2 = post("Tide", "Second words.")
const ROPE = "content/posts/rope.md"
const CONFIG = { "edgepost.config.yaml": "category: Sea\nsource: blog\n" }

/** Returns a blog of Hugo below a folder, of which Hugo's configuration alone hides a post. */
const hugo = (folder = ""): Tree => ({
  [`${folder}hugo.toml`]: HIDES,
  [`${folder}content/posts/tide.md`]: TIDE,
  [`${folder}${ROPE}`]: post("Rope", "Rope words."),
  [`${folder}content/private/diary.md`]: DIARY,
})
const OLD: Tree = { ...CONFIG, ...hugo() }
const ANCHOR = { "content/posts/anchor.md": post("Anchor", "Anchor words.") }
const CHANGE: Tree = { "content/posts/tide.md": TIDE_2, [ROPE]: null, ...ANCHOR }

/** Commits a tree to a repository that had no run before. */
const begin = (tree: Tree, setUp?: string): Setting => ({ old: null, change: (blog) => blog.commit(tree, setUp) })
/** Commits a change after the first run. */
const changed = (tree: Tree, setUp?: string): Setting => ({ change: (blog) => blog.commit(tree, setUp) })
/** Makes the change on another ref. */
const onRef = (ref: string): Setting => {
  const make = (blog: Repository): string => {
    blog.run("git checkout -q --detach")
    const commit = blog.commit(CHANGE)
    blog.run(`git update-ref ${ref} HEAD\ngit checkout -q main`)
    return commit
  }
  return { ref, change: make }
}
/** Makes the change, and then another before the run. */
const followedBy = (tree: Tree, script = ""): Setting => {
  const make = (blog: Repository): string => {
    const commit = blog.commit(CHANGE)
    blog.run(script)
    blog.commit(tree)
    return commit
  }
  return { change: make }
}
/** Adds a submodule as `git submodule add` does. */
const withSubmodule = (path: string, words: Tree, around: Tree): Setting => {
  const make = (blog: Repository, more: (name: string) => Repository): undefined => {
    const commit = more("words").commit(words)
    blog.commit({ ...around, ".gitmodules": `[submodule "${path}"]\n\tpath = ${path}\n\turl = ../words\n` })
    blog.run(`git update-index --add --cacheinfo 160000,${commit},${path}\ngit commit -qm "A submodule"`)
  }
  return { change: make }
}
/** Makes a second repository. */
const beside = (tree: Tree, own: Tree): Setting => {
  const make = (blog: Repository, more: (name: string) => Repository): string => {
    more("diary").commit(tree)
    return blog.commit(own)
  }
  return { change: make }
}
const filtered = (filter: string, ...paths: string[]): Tree => ({
  ".gitattributes": paths.map((path) => `${path} filter=${filter} diff=${filter} merge=${filter} -text\n`).join(""),
})

const PRUNE: Setting = { checkouts: [{ "fetch-depth": "0" }], inputs: { prune: "true" } }
const at = (path: string, more: Record<string, string> = {}): Setting => ({ inputs: { path, ...more } })
const pruneAt = (path: string): Setting => ({ ...PRUNE, ...at(path, { prune: "true" }) })
const sparse = (...paths: string[]): Setting => ({
  checkouts: [{ "fetch-depth": "0", "sparse-checkout": paths.join("\n"), "sparse-checkout-cone-mode": "false" }],
})

const BEFORE = { tide: "First words.", rope: "Rope words.", diary: "draft" }
const AFTER = { ...BEFORE, tide: "Second words.", anchor: "Anchor words." }
const PUBLISHED: Seen = {
  code: 0,
  mode: "publish",
  counts: "1 created, 1 updated, 1 unchanged",
  posts: AFTER,
  says: ["post stays"],
}
const PRUNED: Seen = { ...PUBLISHED, posts: { ...AFTER, rope: "removed" }, says: ["post goes"] }
const PLANNED: Seen = { ...PUBLISHED, mode: "plan", posts: BEFORE, says: ["why it is a plan", "post stays"] }
const SAME: Seen = { ...PUBLISHED, counts: "3 unchanged", posts: BEFORE, says: [] }
const saying = (seen: Seen, ...says: string[]): Seen => ({ ...seen, says })
/** @param why why nothing is removed */
const kept = (...why: string[]): Seen => saying(PUBLISHED, "post stays", ...why)
/** @param why why posts are blocked, which stay as they were */
const blocked = (counts: string, ...why: string[]): Seen => ({ ...SAME, code: 1, counts, says: why })
/** Returns what a first run does, which says nothing. */
const first = (counts: string, posts: Seen["posts"]): Seen => ({ ...PUBLISHED, counts, posts, says: [] })
const FIRST = first("3 created", BEFORE)
const OLDER = saying(PLANNED, "a newer commit publishes", "post stays")

const QUEUE = "refs/heads/gh-readonly-queue/main/pr-7-0a1b2c3"
const IDEA = onRef("refs/heads/idea")
const PULL: Setting = { payload: { number: 7, pull_request: { number: 7 } }, inputs: { comment: "true" } }
const NEW_TIDE: Tree = { "content/posts/tide.md": post("Tide", "Right words.") }
const OLD_RUN = followedBy(NEW_TIDE)
const OTHER: Setting = { checkouts: [{ ref: "idea" }], change: (...all) => (IDEA.change?.(...all), undefined) }
const TAGGED: Setting = { ref: "refs/tags/v1", change: (blog) => (blog.run("git tag -am V v1"), undefined) }

const EVENTS: [name: string, setting: Setting, seen: Seen][] = [
  ["push to the default branch", {}, PUBLISHED],
  ["push to the default branch, prune", PRUNE, PRUNED],
  ["push to the default branch, mode plan", { inputs: { mode: "plan" } }, saying(PLANNED, "post stays")],
  ["push to another branch", IDEA, PLANNED],
  ["push to another branch, prune", { ...IDEA, ...PRUNE }, saying(PLANNED, "why it is a plan", "post goes")],
  ["push of a tag", TAGGED, { ...SAME, mode: "plan", says: ["why it is a plan"] }],
  ["checkout of another ref", OTHER, PUBLISHED],
  ["pull request", { event: "pull_request", ...onRef("refs/pull/7/merge"), ...PULL }, saying(PLANNED, "post stays")],
  ["pull request from outside", { event: "pull_request_target", ...PULL }, saying(PLANNED, "post stays")],
  ["merge queue", { event: "merge_group", ...onRef(QUEUE) }, PLANNED],
  ["merge queue, mode publish", { event: "merge_group", ...onRef(QUEUE), inputs: { mode: "publish" } }, PUBLISHED],
  ["schedule", { event: "schedule", payload: { schedule: "0 6 * * *" } }, PUBLISHED],
  ["started by hand", { event: "workflow_dispatch" }, PUBLISHED],
  ["started by hand on another branch", { event: "workflow_dispatch", ...IDEA }, PLANNED],
  ["deleted branch", { event: "delete" }, PLANNED],
  ["re-run of an old commit", OLD_RUN, OLDER],
  ["re-run of an old commit, prune", { ...OLD_RUN, ...PRUNE }, saying(OLDER, "a newer commit publishes", "post goes")],
  ["re-run of an old commit, publish_old", { ...OLD_RUN, inputs: { publish_old: "true" } }, PUBLISHED],
  ["re-run after a force push", followedBy(NEW_TIDE, "git reset -q --hard HEAD~1"), OLDER],
  ["old commit, newer one of other files", { ...followedBy({ "lib/a.ts": "" }), ...at("content") }, saying(PUBLISHED)],
  ["GitHub does not answer", { silent: true }, kept("GitHub was not asked")],
]

const WITHOUT_GIT: Setting = { hasGit: false, inputs: { prune: "true" } }
const IGNORED = changed({ ".gitattributes": `${ROPE} export-ignore\n` })
const LESS = { counts: "2 unchanged", posts: BEFORE }
const DEEP = begin(hugo("apps/web/blog/"))
const WORDS: Tree = { "posts/tide.md": TIDE, "private/diary.md": DIARY }
const SUBMODULE: Setting = { old: null, ...withSubmodule("content", WORDS, { "hugo.toml": HIDES }) }
const LOST = withSubmodule("content/words", { "rope.md": post("Rope", "Rope words.") }, CHANGE)
const OF_SUBMODULE = first("2 created", { tide: "First words.", diary: "draft" })
const ONE_DRAFT = first("1 created", { diary: "draft" })
const OF_JEKYLL = first("2 created", { lamp: "Lamp words.", log: "draft" })
const OF_TWO = first("1 created", { ...BEFORE, lamp: "Lamp words." })
const UNSEEN: Seen = { code: 1, mode: "not done", counts: "", posts: {}, says: ["configuration missing"] }
const LAMP = "blog/_posts/2024-01-02-lamp.md"
const JEKYLL: Tree = {
  ...hugo("a-shop/"),
  "blog/_config.yml": "title: B\ndefaults:\n  - scope: { path: _posts/hidden }\n    values: { published: false }\n",
  [LAMP]: "---\ntitle: Lamp\n---\n\nLamp words.\n",
  "blog/_posts/hidden/2024-01-03-log.md": "---\ntitle: Log\n---\n\nSECRET words.\n",
}
const PAGES: Tree = { ...hugo("a-shop/"), "_config.yml": "title: Site\n", [LAMP]: post("Lamp", "Lamp words.") }
const TWO: Tree = {
  "two/edgepost.config.yaml": "category: Land\nsource: two\n",
  "two/lamp.md": post("Lamp", "Lamp words."),
}
const SITE_HERE = { "fetch-depth": "0" }
const SITE = { ...SITE_HERE, path: "site" }
const PRIVATE = { repository: "CASE/diary", path: "private", "fetch-depth": "0" }
const IN_PRIVATE: Setting = { checkouts: [{}, PRIVATE], ...at("private") }
const DRAFT: Tree = { ...CONFIG, "posts/diary.md": post("Diary", "SECRET words.", "draft: true\n") }

const CHECKOUTS: typeof EVENTS = [
  ["shallow clone", { inputs: { prune: "true" } }, kept("shallow")],
  ["partial clone", { ...PRUNE, checkouts: [{ "fetch-depth": "0", filter: "blob:none" }] }, kept("partial")],
  [
    "sparse checkout",
    { ...PRUNE, ...sparse("/*.*", "/content/posts") },
    { ...kept("sparse"), counts: "1 created, 1 updated" },
  ],
  ["sparse checkout without Hugo's file", { ...begin(hugo()), ...sparse("/content"), ...at("content") }, UNSEEN],
  ["REST archive", WITHOUT_GIT, kept("no .git")],
  ["REST archive of Hugo's content", { ...begin(hugo()), hasGit: false, ...at("content") }, FIRST],
  ["REST archive, export-ignore", { ...IGNORED, ...WITHOUT_GIT }, { ...kept("no .git"), ...LESS }],
  ["files without a repository", { ...begin(hugo()), script: "rm -rf .git", ...at("content") }, FIRST],
  ["Hugo's content", { ...begin(hugo()), ...at("content") }, FIRST],
  ["part of Hugo's content", { ...begin(hugo()), ...at("content/private") }, ONE_DRAFT],
  ["three folders deep", { ...DEEP, ...at("apps/web/blog") }, FIRST],
  ["content three folders deep", { ...DEEP, ...at("apps/web/blog/content") }, FIRST],
  ["whole repository, blog three folders deep", DEEP, UNSEEN],
  ["two blogs, Jekyll's", { ...begin(JEKYLL), ...at("blog") }, OF_JEKYLL],
  ["two blogs, Hugo's", { ...begin(JEKYLL), ...at("a-shop") }, FIRST],
  ["blog of Hugo beside GitHub Pages", { ...begin(PAGES), ...at("a-shop") }, FIRST],
  ["two configurations", { ...changed({ ...TWO, [ROPE]: null }), ...pruneAt("two") }, OF_TWO],
  ["submodule", { ...SUBMODULE, checkouts: [{ submodules: "true" }], ...at("content") }, OF_SUBMODULE],
  ["submodule, whole repository", { ...SUBMODULE, checkouts: [{ submodules: "recursive" }] }, OF_SUBMODULE],
  ["submodule that is not fetched", { ...LOST, ...PRUNE }, kept("submodule missing")],
  ["checkout with a path", { ...pruneAt("site"), checkouts: [SITE] }, PRUNED],
  ["checkout with a path, part of it", { ...pruneAt("site/content"), checkouts: [SITE] }, PRUNED],
  [
    "private repository beside",
    { ...pruneAt("content"), ...beside(WORDS, CHANGE), checkouts: [SITE_HERE, PRIVATE] },
    PRUNED,
  ],
  ["private repository beside, its drafts", { old: null, ...beside(DRAFT, OLD), ...IN_PRIVATE }, ONE_DRAFT],
]

const LFS = "git lfs install --local"
const LFS_POST: Tree = { ...CHANGE, [ROPE]: post("Rope", "New words."), ...filtered("lfs", ROPE) }
const LFS_OTHERS: Tree = {
  "content/posts/2024-01-04-oar.md": "---\ntitle: Oar\n---\n\nOar words.\n",
  "content/posts/anchor.md": post("Anchor", "Anchor words.\n\n![A](a.png)"),
  "content/posts/a.png": "not an image, but long enough\n",
  ...filtered("lfs", "*.png", "content/posts/2024-*"),
}
const annexed = (more: string): Setting => {
  const tree = { "content/posts/tide.md": TIDE_2, [ROPE]: post("Rope", "New words.") }
  const add = `git annex add -q --force-large ${Object.keys(tree).join(" ")}`
  return { ...changed(tree, `git annex init -q\n${add}\n${more}`), ...PRUNE }
}
const TWO_BLOCKED = "1 unchanged, 2 blocked"
const CRYPT = "git-crypt init\ngit-crypt export-key .git/key"
const ENCRYPTED: Tree = { ...OLD, ...filtered("git-crypt", ROPE, "content/private/**") }
const UNLOCK: Run = { script: "git-crypt unlock AUTHOR/.git/key" }
const LOCKED: Setting = { old: ENCRYPTED, setUp: CRYPT, oldRun: UNLOCK, change: () => undefined, ...PRUNE }
const LINK: Tree = { [ROPE]: "-> ../../notes/rope.md", "notes/rope.md": post("Rope", "Other words.") }
const AS_TEXT = "[core]\nsymlinks = false\n"
const CRLF = "[core]\nautocrlf = true\n"
const MAP =
  '<svg xmlns="http://www.w3.org/2000/svg"\n  width="60" height="40">\n<rect width="60" height="40"/>\n</svg>\n'
const MAPPED: Tree = {
  ...OLD,
  "map.svg": MAP,
  "content/posts/tide.md": post("Tide", "First words.\n\n![Map](../../map.svg)"),
}
const AS_MAPPED: Seen = { ...SAME, posts: { ...BEFORE, tide: "First words. [image]" } }

const FILES: typeof EVENTS = [
  ["git-lfs, fetched", { ...begin({ ...OLD, ...filtered("lfs", ROPE) }, LFS), checkouts: [{ lfs: "true" }] }, FIRST],
  [
    "git-lfs, a post",
    { ...changed(LFS_POST, LFS), ...PRUNE },
    { ...PUBLISHED, code: 1, counts: `${PUBLISHED.counts}, 1 blocked`, says: ["LFS pointer"] },
  ],
  ["git-lfs, a dated post and an image", changed(LFS_OTHERS, LFS), blocked("3 unchanged, 2 blocked", "LFS pointer")],
  ["git-annex, locked", annexed(""), blocked(TWO_BLOCKED, "annex pointer")],
  ["git-annex, unlocked", annexed("git annex unlock -q ."), blocked(TWO_BLOCKED, "annex pointer")],
  ["git-crypt, locked", LOCKED, blocked(TWO_BLOCKED, "encrypted")],
  ["git-crypt, unlocked", { ...begin(ENCRYPTED, CRYPT), ...UNLOCK }, FIRST],
  ["symbolic link", changed(LINK), { ...PUBLISHED, ...LESS }],
  [
    "symbolic link as text",
    { ...changed(LINK), gitconfig: AS_TEXT },
    blocked("2 unchanged, 1 blocked", "link as text"),
  ],
  ["core.autocrlf", { old: MAPPED, gitconfig: CRLF, change: () => undefined }, AS_MAPPED],
  ["eol=crlf", { old: MAPPED, ...changed({ ".gitattributes": "* text=auto eol=crlf\n" }) }, AS_MAPPED],
]

export const CASES = [...EVENTS, ...CHECKOUTS, ...FILES].map(([name, setting, expected]): Case => ({
  name,
  old: OLD,
  ...changed(CHANGE),
  ...setting,
  expected,
}))
