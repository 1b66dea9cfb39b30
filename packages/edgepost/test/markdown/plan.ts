import { EMPTY_CONFIG } from "../../src/config.ts"
import type { Folder } from "../../src/folder/files.ts"
import { makePlan, type Plan } from "../../src/plan/plan.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"

const CONFIG = { ...EMPTY_CONFIG, category: "Blog" }

/** Plans a folder without the service. */
export const planOf = (folder: Folder): Promise<Plan> =>
  makePlan(null, folder, CONFIG, {
    paths: [],
    allowForeign: false,
    allowMissingImages: false,
    prune: false,
    now: OPTIONS.now,
  })

/** Returns a post of one file as the service would get it. */
export const planOne = async (file: string, text: string) => {
  const plan = await planOf(folderOf({ [file]: text }))
  const [entry, other] = plan.entries
  if (!entry || other) throw new Error(`There are ${plan.entries.length} posts.`)
  return { ...plan.desired(entry.slug), action: entry.action, findings: entry.findings }
}
