import { EMPTY_CONFIG, type FolderConfig } from "../../src/config.ts"
import type { Folder } from "../../src/folder/files.ts"
import { makePlan, type Plan, type PlanOptions } from "../../src/plan/plan.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"

const DEFAULTS = { paths: [], allowForeign: false, allowMissingImages: false, prune: false, now: OPTIONS.now }

/** Plans a folder without the service. */
export const planOf = (
  folder: Folder,
  config: Partial<FolderConfig> = {},
  options: Partial<PlanOptions> = {},
): Promise<Plan> =>
  makePlan(null, folder, { ...EMPTY_CONFIG, category: "Blog", ...config }, { ...DEFAULTS, ...options })

/** Returns a post of one file as the service would get it. */
export const planOne = async (file: string, text: string) => {
  const plan = await planOf(folderOf({ [file]: text }))
  const [entry, other] = plan.entries
  if (!entry || other) throw new Error(`There are ${plan.entries.length} posts.`)
  return { ...plan.desired(entry.slug), action: entry.action, findings: entry.findings }
}
