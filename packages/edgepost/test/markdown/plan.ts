import { planFolder } from "../../src/commands/plan.ts"
import { EMPTY_CONFIG, type FolderConfig } from "../../src/config.ts"
import type { Folder } from "../../src/folder/files.ts"
import type { PlanOptions } from "../../src/plan/blog.ts"
import { type DesiredPost, withImages } from "../../src/plan/desired.ts"
import type { Plan } from "../../src/plan/plan.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"

/** The options of a plan, as the command line has them without any. */
export const DEFAULTS: PlanOptions = {
  paths: [],
  allowForeign: false,
  allowMissingImages: false,
  noPages: false,
  acceptChanges: false,
  prune: false,
  incomplete: null,
  now: OPTIONS.now,
}

/** Plans a folder without the service. */
export const planOf = (
  folder: Folder,
  config: Partial<FolderConfig> = {},
  options: Partial<PlanOptions> = {},
): Promise<Plan> =>
  planFolder(null, folder, { ...EMPTY_CONFIG, category: "Blog", ...config }, { ...DEFAULTS, ...options })

/** Returns a post of a plan as the service would get it. */
export const desiredOf = ({ wanted, images }: Plan, slug: string): DesiredPost => {
  const post = wanted.get(slug)
  if (!post) throw new Error(`The plan has no post ${slug}.`)
  return withImages(post, images)
}

/** Returns a post of one file as the service would get it. */
export const planOne = async (file: string, text: string) => {
  const plan = await planOf(folderOf({ [file]: text }), {}, { paths: [file] })
  const [entry, other] = plan.entries
  if (!entry || other) throw new Error(`There are ${plan.entries.length} posts.`)
  return { ...desiredOf(plan, entry.slug), action: entry.action, findings: entry.findings }
}
