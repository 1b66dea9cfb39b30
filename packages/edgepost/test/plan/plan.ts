import { type Account, type Client, EdgepostError, type FoundImage, type ListedPost } from "../../src/client/index.ts"
import { planFolder } from "../../src/commands/plan.ts"
import { EMPTY_CONFIG, type FolderConfig } from "../../src/config.ts"
import type { Plan } from "../../src/plan/plan.ts"
import { folderOf } from "../folder/folder.ts"
import { DEFAULTS } from "../markdown/plan.ts"

const CONFIG = { ...EMPTY_CONFIG, source: "mine", category: "Sea", site_url: "https://old.example/" }

/** @param others slugs that posts of another author have */
const clientOf = (
  there: Partial<ListedPost>[],
  putPost?: Client["putPost"],
  images: FoundImage[] = [],
  others: string[] = [],
): Client => {
  const account = { username: "ann", primary_language: "en", translation_languages: [], limits: {} } as Partial<Account>
  const client: Partial<Client> = {
    paginatePosts: async function* () {
      for (const post of there)
        yield {
          source: "mine",
          status: "PB",
          primary_language: "en",
          image_ids: [],
          images: [],
          cover_image_id: null,
          texts: {},
          translations: [],
          ...post,
        } as ListedPost
    },
    findImages: async () => images,
    getPost: async (slug) => {
      const [code, status] = others.includes(slug) ? (["not_the_author", 403] as const) : (["not_found", 404] as const)
      throw new EdgepostError({ code, status, detail: "" })
    },
    listRedirects: async () => [],
    getAccount: async () => account as Account,
    ...(putPost && { putPost }),
  }
  return client as Client
}

/** Returns the file of a post. @param more further lines of its front matter */
export const post = (body: string, more = ""): string => `---\ntitle: A\ndate: 2024-01-02\n${more}---\n\n${body}\n`

/** Plans a folder in memory against posts of a service. */
export const planOf = (
  files: Record<string, string | Uint8Array>,
  there: Partial<ListedPost>[] = [],
  options: Partial<Parameters<typeof planFolder>[3]> = {},
  putPost?: Client["putPost"],
  images?: FoundImage[],
  others?: string[],
  config: Partial<FolderConfig> = {},
): Promise<Plan> => {
  const all = { ...DEFAULTS, allowMissingImages: true, ...options }
  return planFolder(clientOf(there, putPost, images, others), folderOf(files), { ...CONFIG, ...config }, all)
}

/** Returns the entries of a plan in short: `create a`. */
export const brief = ({ entries }: Plan): string[] => entries.map(({ action, slug }) => `${action} ${slug}`)
