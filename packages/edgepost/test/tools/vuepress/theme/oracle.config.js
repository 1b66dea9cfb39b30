import { existsSync } from "node:fs"
import { join } from "node:path"

import { viteBundler } from "@vuepress/bundler-vite"

const folder = existsSync("docs") ? "docs" : "."
const { default: own } = await import(join(process.cwd(), folder, ".vuepress/config.js"))

export default {
  ...own,
  bundler: viteBundler(),
  theme: {
    name: "oracle",
    clientConfigFile: join(process.cwd(), "oracle-client.js"),
    extendsPage: (page) => {
      page.data.file = page.filePathRelative === null ? null : join(folder, page.filePathRelative)
      page.data.date = page.date === "0000-00-00" ? null : page.date
    },
  },
}
