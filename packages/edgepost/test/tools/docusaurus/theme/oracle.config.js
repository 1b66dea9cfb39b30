import { existsSync } from "node:fs"

import own from "./docusaurus.config.js"

const BLANK = "@theme/Blank"
const { presets: [[, { blog }]] = [[null, {}]], ...site } = own

export default {
  title: "Blog",
  url: "https://blog.example",
  baseUrl: "/",
  onBrokenLinks: "ignore",
  i18n: { defaultLocale: "en", locales: existsSync("i18n") ? ["en", "fr"] : ["en"] },
  ...site,
  themes: [() => ({ name: "oracle", getThemePath: () => "./theme" })],
  plugins: [
    [
      "@docusaurus/plugin-content-blog",
      {
        ...blog,
        archiveBasePath: null,
        feedOptions: { type: null },
        onInlineAuthors: "ignore",
        onUntruncatedBlogPosts: "ignore",
        blogListComponent: BLANK,
        blogTagsListComponent: BLANK,
        blogTagsPostsComponent: BLANK,
        blogAuthorsListComponent: BLANK,
        blogAuthorsPostsComponent: BLANK,
      },
    ],
  ],
}
