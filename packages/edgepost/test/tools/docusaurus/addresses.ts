import type { AddressCases } from "../addresses.unit.test.ts"

/** Addresses that Docusaurus 3.10.2 gave. */
export const addresses: AddressCases = {
  fronts: {
    "blog/2024-06-01-dated.md": 'title: "Title 5"\ndate: 2024-03-05',
    "blog/2024-06-05-s.md": 'title: "X"\nslug: /c15/abs',
    "blog/2024-06-06-s.md": 'title: "X"\nslug: rel/x y',
    "blog/Sub Dir/2024/Deep Post.md": 'title: "Title 6"\ndate: 2024-03-05',
    "blog/UPPER.md": 'title: "Title 8"\ndate: 2024-03-05',
    "blog/a_b~c@d.md": 'title: "Title 2"\ndate: 2024-03-05',
    "blog/bundle One/index.md": 'title: "Title 7"\ndate: 2024-03-05',
    "blog/same/same.md": 'title: "Title 9"\ndate: 2024-03-05',
    "blog/tr.md": 'title: "T"\ndate: 2024-01-01',
    "blog/v1.2.md": 'title: "Title 0"\ndate: 2024-03-05',
    "blog/Über uns.md": 'title: "Title 1"\ndate: 2024-03-05',
    "blog/你好 世界.md": 'title: "Title 4"\ndate: 2024-03-05',
    "i18n/fr/docusaurus-plugin-content-blog/tr.md": 'title: "FR"\ndate: 2024-01-01\nslug: trad',
    "writing/2024-06-05-s.md": 'title: "X"\nslug: /c15/abs',
    "writing/2024-06-06-s.md": 'title: "X"\nslug: rel/x y',
    "writing/Sub Dir/2024/Deep Post.md": 'title: "Title 6"\ndate: 2024-03-05',
    "writing/bundle One/index.md": 'title: "Title 7"\ndate: 2024-03-05',
    "writing/tr.md": 'title: "T"\ndate: 2024-01-01',
  },
  usual: 'title: "X"',
  cases: [
    {
      config: {
        "docusaurus.config.js":
          'export default { title: "B", url: "https://e.org", baseUrl: "/", onBrokenLinks: "ignore",  plugins: [["@docusaurus/plugin-content-blog", {  archiveBasePath: null, feedOptions: { type: null }, onInlineAuthors: "ignore", onUntruncatedBlogPosts: "ignore" }]], themes: [() => ({ name: "oracle", getThemePath: () => "./theme" })] }\n',
      },
      pages: {
        "blog/2024-06-01-dated.md": "/blog/2024/06/01/dated",
        "blog/2024-06-03/only.md": "/blog/2024/06/03/only",
        "blog/2024-06-04-b/index.md": "/blog/2024/06/04/b",
        "blog/2024-06-05-s.md": "/blog/c15/abs",
        "blog/2024-06-06-s.md": "/blog/rel/x y",
        "blog/2024-6-8-short.md": "/blog/2024/6/8/short",
        "blog/2024/03-05/mid.md": "/blog/2024/03/05/mid",
        "blog/2024/06-02-mix.md": "/blog/2024/06/02/mix",
        "blog/2024/06/01/x.md": "/blog/2024/06/01/x",
        "blog/Sub Dir/2024/Deep Post.md": "/blog/Sub Dir/2024/Deep Post",
        "blog/UPPER.md": "/blog/UPPER",
        "blog/a_b~c@d.md": "/blog/a_b~c@d",
        "blog/bundle One/index.md": "/blog/bundle One",
        "blog/same/same.md": "/blog/same/same",
        "blog/sub/2024-06-07-s.md": "/blog/2024/06/07/sub/s",
        "blog/tr.md": "/blog/tr",
        "blog/v1.2.md": "/blog/v1.2",
        "blog/Über uns.md": "/blog/Über uns",
        "blog/你好 世界.md": "/blog/你好 世界",
      },
    },
    {
      config: {
        "docusaurus.config.js":
          'export default { title: "B", url: "https://e.org", baseUrl: "/Base/", onBrokenLinks: "ignore", i18n: { defaultLocale: "en", locales: ["en", "fr"] }, plugins: [["@docusaurus/plugin-content-blog", { routeBasePath: "notes/x", path: "./writing", archiveBasePath: null, feedOptions: { type: null }, onInlineAuthors: "ignore", onUntruncatedBlogPosts: "ignore" }]], themes: [() => ({ name: "oracle", getThemePath: () => "./theme" })] }\n',
      },
      pages: {
        "i18n/fr/docusaurus-plugin-content-blog/tr.md": "/Base/fr/notes/x/trad",
        "writing/2024-06-05-s.md": "/Base/notes/x/c15/abs",
        "writing/2024-06-06-s.md": "/Base/notes/x/rel/x y",
        "writing/2024/03-05/mid.md": "/Base/notes/x/2024/03/05/mid",
        "writing/2024/06-02-mix.md": "/Base/notes/x/2024/06/02/mix",
        "writing/Sub Dir/2024/Deep Post.md": "/Base/notes/x/Sub Dir/2024/Deep Post",
        "writing/bundle One/index.md": "/Base/notes/x/bundle One",
        "writing/sub/2024-06-07-s.md": "/Base/notes/x/2024/06/07/sub/s",
        "writing/tr.md": "/Base/notes/x/tr",
      },
    },
  ],
}
