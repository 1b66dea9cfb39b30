import { Content, useData, withBase } from "vitepress"
import { h } from "vue"

import { data as folder } from "./folder.data.mjs"

const Layout = {
  setup() {
    const { frontmatter, lang, page, site } = useData()
    return () => {
      const { filePath, isNotFound, relativePath, title } = page.value
      if (isNotFound) return h("p")
      const { date, categories, category, tags } = frontmatter.value
      const ending = site.value.cleanUrls ? "" : ".html"
      const path = relativePath.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ending)
      const data = {
        file: folder === "" ? filePath : `${folder}/${filePath}`,
        address: `https://blog.example${encodeURI(withBase(`/${path}`))}`,
        title,
        // As themes do it, in the zone of the machine.
        date: date ? new Date(date) : null,
        language: lang.value,
        categories: categories ?? category,
        tags,
      }
      const innerHTML = JSON.stringify(data).replaceAll("<", "\\u003c")
      return [h("script", { type: "application/json", innerHTML }), h(Content)]
    }
  },
}

export default { Layout }
