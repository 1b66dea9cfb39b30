import { h } from "vue"
import { Content, usePageData, usePageFrontmatter, usePageLang, withBase } from "vuepress/client"

const Layout = {
  setup() {
    const page = usePageData()
    const frontmatter = usePageFrontmatter()
    const language = usePageLang()
    return () => {
      const { date: day, file, path, title } = page.value
      if (file === null) return h("p")
      const { date = day, categories, category, tags } = frontmatter.value
      const address = `https://blog.example${withBase(path)}`
      const data = {
        file,
        address,
        title,
        date: date ? new Date(date) : null,
        language: language.value,
        categories: categories ?? category,
        tags,
      }
      const innerHTML = JSON.stringify(data).replaceAll("<", "\\u003c")
      return [h("script", { type: "application/json", innerHTML }), h(Content)]
    }
  },
}

export default { layouts: { Layout, NotFound: () => h("p") } }
