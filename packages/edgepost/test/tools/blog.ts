import type { LocalPost } from "../../src/folder/post.ts"
import { type FolderPosts, readPosts } from "../../src/folder/posts.ts"
import { readTool } from "../../src/tools/index.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"

/** The configuration by which a folder is one of a tool. */
const CONFIGURATIONS: Record<string, [file: string, text: string]> = {
  hugo: ["hugo.toml", 'baseURL = "https://old.example/"\n'],
  jekyll: ["_config.yml", "title: T\n"],
  hexo: ["_config.yml", "source_dir: source\n"],
  eleventy: ["eleventy.config.js", ""],
  astro: ["astro.config.mjs", ""],
  docusaurus: ["docusaurus.config.js", ""],
  zola: ["config.toml", 'base_url = "https://old.example"\n'],
  folder: ["edgepost.config.yaml", ""],
}

/** Returns the files of a blog of a tool. @param configuration lines that are added to that of the tool */
export const blogOf = (tool: string, configuration: string, files: Record<string, string>): Record<string, string> => {
  const [name = "", text = ""] = CONFIGURATIONS[tool] ?? []
  return { [name]: text + configuration, ...files }
}

/** Reads the posts of files in memory, by the rules of their tool. */
export const readBlogOf = async (files: Record<string, string>, paths: string[] = []): Promise<FolderPosts> => {
  const folder = folderOf(files)
  return readPosts(folder, { ...OPTIONS, settings: await readTool(folder, null), paths })
}

/** Reads the only post of a blog in the file. */
export const readPostOf = async (files: Record<string, string>, file: string): Promise<LocalPost> => {
  const { all } = await readBlogOf(files)
  const post = all.find(({ source }) => source.file === file)
  if (!post) throw new Error(`${file} is no post.`)
  return post
}
