import { describe, expect, test } from "vitest"

import type { Account, Client, ListedPost } from "../../src/client/index.ts"
import { EMPTY_CONFIG } from "../../src/config.ts"
import { makePlan, type Plan, type PlanOptions } from "../../src/plan/plan.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"

const CONFIG = { ...EMPTY_CONFIG, source: "mine", category: "Sea" }

const clientOf = (there: Partial<ListedPost>[]): Client => {
  const account: Pick<Account, "username" | "primary_language" | "translation_languages" | "limits"> = {
    username: "ann",
    primary_language: "en",
    translation_languages: [],
    limits: {},
  }
  const client: Pick<Client, "paginatePosts" | "findImages"> = {
    paginatePosts: async function* () {
      for (const post of there) yield { source: "mine", image_ids: [], texts: {}, ...post } as ListedPost
    },
    findImages: async () => [],
  }
  return { ...client, getAccount: async () => account } as Client
}

const post = (body: string, more = ""): string => `---\ntitle: A\ndate: 2024-01-02\n${more}---\n\n${body}\n`

const planOf = (
  files: Record<string, string | Uint8Array>,
  there: Partial<ListedPost>[] = [],
  options: Partial<PlanOptions> = {},
): Promise<Plan> =>
  makePlan(clientOf(there), folderOf(files), CONFIG, {
    paths: [],
    allowForeign: false,
    prune: false,
    now: OPTIONS.now,
    ...options,
  })

const brief = ({ entries }: Plan): string[] => entries.map(({ action, slug }) => `${action} ${slug}`)

describe("--prune with a path", () => {
  test.each([
    ["has the slug of another post", { "c.md": post("Text.", "slug: c\n"), "d.md": post("Text.", "slug: c\n") }],
    ["has unknown syntax", { "c.md": post("{{< gallery >}}") }],
    ["cannot be read", { "c.md": "---\ntitle: [\n---\n" }],
  ])("removes nothing if a post outside of the path %s", async (_, files) => {
    const there = ["a", "d"].map((slug) => ({ slug }))
    const plan = await planOf({ "a.md": post("Text."), ...files }, there, { paths: ["a.md"], prune: true })
    expect(brief(plan)).toEqual(["update a"])
    expect(plan).toMatchObject({ heldBy: Object.keys(files), gone: ["d"] })
  })

  test("removes a post without a file if nothing in the folder is blocked", async () => {
    const there = ["a", "d"].map((slug) => ({ slug }))
    const plan = await planOf({ "a.md": post("Text.") }, there, { paths: ["a.md"], prune: true })
    expect(brief(plan)).toEqual(["update a", "remove d"])
  })
})
