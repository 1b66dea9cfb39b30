import { defineConfig } from "vitepress"

export default defineConfig({
  title: "Keel log",
  base: "/log/",
  lang: "en-GB",
  srcDir: "src",
  cleanUrls: true,
  sitemap: { hostname: "https://keel.example" },
  ignoreDeadLinks: true,
  /* srcExclude: ["posts/**"], */
  srcExclude: ["drafts-old/**", "**/*.local.md", "**/keel-{todo,wip}.md"],
  rewrites: {
    "posts/:slug.md": "blog/:slug.md",
    "series/:name/part-:number.md": ":name/:number.md",
    "travel/(.*)": "trips/:0",
  },
  locales: {
    root: { label: "English", lang: "en-GB" },
    fr: { label: "Français", lang: "fr" },
    zh: { label: "中文", lang: "zh-CN", title: "龙骨" },
  },
})
