import { sitemapPlugin } from "@vuepress/plugin-sitemap"

export default {
  title: "Pond log",
  base: "/pond/",
  locales: {
    "/": { lang: "en-GB" },
    "/de/": { lang: "de-DE", title: "Teich" },
  },
  pagePatterns: ["**/*.md", "!**/*.private.md", "!notes/**"],
  plugins: [sitemapPlugin({ hostname: "https://pond.example" })],
}
