import { relative } from "node:path"

/** Gives the folder of the pages from the root of the blog. */
export default { load: () => relative(process.cwd(), globalThis.VITEPRESS_CONFIG.srcDir) }
