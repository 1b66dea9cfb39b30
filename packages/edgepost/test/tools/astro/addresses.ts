import type { AddressCases } from "../addresses.unit.test.ts"

/** Addresses that Astro 7.3.5 gave. */
export const addresses: AddressCases = {
  fronts: {
    "posts/bundle One/index.md": 'title: "Title 8"\ndate: 2024-03-05 22:30:00',
    "posts/slugged.md": 'title: "S"\nslug: My/Slug X',
    "posts/v1.2.md": 'title: "Title 1"\ndate: 2024-03-05 22:30:00',
    "posts/Über uns.md": 'title: "Title 2"\ndate: 2024-03-05 22:30:00',
    "src/content/blog/2024-06-01-dated.md": 'title: "Title 6"\ndate: 2024-03-05 22:30:00',
    "src/content/blog/My First Post!.md": 'title: "Title 0"\ndate: 2024-03-05 22:30:00',
    "src/content/blog/UPPER.md": 'title: "Title 9"\ndate: 2024-03-05 22:30:00',
    "src/content/blog/a_b~c@d.md": 'title: "Title 3"\ndate: 2024-03-05 22:30:00',
    "src/content/blog/bundle One/index.md": 'title: "Title 8"\ndate: 2024-03-05 22:30:00',
    "src/content/blog/en/post-1.md": 'title: "E"\ndate: 2024-03-05 22:30:00',
    "src/content/blog/same/same.md": 'title: "Title 10"\ndate: 2024-03-05 22:30:00',
    "src/content/blog/slugged.md": 'title: "S"\nslug: My/Slug X',
    "src/content/blog/v1.2.md": 'title: "Title 1"\ndate: 2024-03-05 22:30:00',
    "src/content/blog/what's new, (really).md": 'title: "Title 4"\ndate: 2024-03-05 22:30:00',
    "src/content/blog/Über uns.md": 'title: "Title 2"\ndate: 2024-03-05 22:30:00',
    "src/content/blog/你好 世界.md": 'title: "Title 5"\ndate: 2024-03-05 22:30:00',
    "src/data/posts/en/Hello World.md": 'title: "H"\ndate: 2024-03-05 22:30:00',
    "src/data/posts/fr/Hello World.md": 'title: "H"\ndate: 2024-03-05 22:30:00',
  },
  usual: 'title: "Title 7"\ndate: 2024-03-05 22:30:00',
  cases: [
    {
      config: {
        "astro.config.mjs": 'export default { site: "https://e.org" }\n',
        "src/content.config.ts":
          'import { glob } from "astro/loaders"\nimport { z } from "astro/zod"\nimport { defineCollection } from "astro:content"\nconst blog = defineCollection({ loader: glob({ pattern: "**/*.md", base: "./src/content/blog" }), schema: z.looseObject({ title: z.string() }) })\nexport const collections = { blog }\n',
        "src/pages/blog/[...slug].astro":
          '---\nimport { getCollection, render } from "astro:content"\nexport async function getStaticPaths() { return (await getCollection("blog")).map((post) => ({ params: { slug: post.id }, props: { post } })) }\nconst { post } = Astro.props\nconst { Content } = await render(post)\n---\n<p set:html={"PAGE|" + post.filePath + "|" + Astro.url.pathname + "|"} />\n<Content />\n',
        "src/pages/index.astro": "x",
      },
      pages: {
        "src/content/blog/2024-06-01-dated.md": "/blog/2024-06-01-dated/",
        "src/content/blog/My First Post!.md": "/blog/my-first-post/",
        "src/content/blog/Sub Dir/2024/Deep Post.md": "/blog/sub-dir/2024/deep-post/",
        "src/content/blog/UPPER.md": "/blog/upper/",
        "src/content/blog/a_b~c@d.md": "/blog/a_bcd/",
        "src/content/blog/bundle One/index.md": "/blog/bundle-one/",
        "src/content/blog/en/post-1.md": "/blog/en/post-1/",
        "src/content/blog/same/same.md": "/blog/same/same/",
        "src/content/blog/slugged.md": "/blog/My/Slug X/",
        "src/content/blog/v1.2.md": "/blog/v12/",
        "src/content/blog/what's new, (really).md": "/blog/whats-new-really/",
        "src/content/blog/Über uns.md": "/blog/über-uns/",
        "src/content/blog/你好 世界.md": "/blog/你好-世界/",
      },
    },
    {
      config: {
        "astro.config.mjs": 'export default { site: "https://e.org", base: "/Base" }\n',
        "src/content.config.ts":
          'import { glob } from "astro/loaders"\nimport { z } from "astro/zod"\nimport { defineCollection } from "astro:content"\nconst blog = defineCollection({ loader: glob({ pattern: "**/*.md", base: "./posts" }), schema: z.looseObject({ title: z.string() }) })\nexport const collections = { blog }\n',
        "src/pages/[...id].astro":
          '---\nimport { getCollection, render } from "astro:content"\nexport async function getStaticPaths() { return (await getCollection("blog")).map((post) => ({ params: { id: post.id }, props: { post } })) }\nconst { post } = Astro.props\nconst { Content } = await render(post)\n---\n<p set:html={"PAGE|" + post.filePath + "|" + Astro.url.pathname + "|"} />\n<Content />\n',
      },
      pages: {
        "posts/Sub Dir/2024/Deep Post.md": "/Base/sub-dir/2024/deep-post/",
        "posts/bundle One/index.md": "/Base/bundle-one/",
        "posts/slugged.md": "/Base/My/Slug X/",
        "posts/v1.2.md": "/Base/v12/",
        "posts/Über uns.md": "/Base/über-uns/",
      },
    },
    {
      config: {
        "astro.config.mjs": 'export default { site: "https://e.org" }\n',
        "src/content.config.ts":
          'import { glob } from "astro/loaders"\nimport { z } from "astro/zod"\nimport { defineCollection } from "astro:content"\nconst blog = defineCollection({ loader: glob({ pattern: "**/*.md", base: "./src/data/posts" }), schema: z.looseObject({ title: z.string() }) })\nexport const collections = { blog }\n',
        "src/pages/[lang]/writing/[...slug].astro":
          '---\nimport { getCollection, render } from "astro:content"\nexport async function getStaticPaths() { return (await getCollection("blog")).map((post) => ({ params: { lang: post.id.split("/")[0], slug: post.id.split("/").slice(1).join("/") || "x" }, props: { post } })) }\nconst { post } = Astro.props\nconst { Content } = await render(post)\n---\n<p set:html={"PAGE|" + post.filePath + "|" + Astro.url.pathname + "|"} />\n<Content />\n',
      },
      pages: {
        "src/data/posts/en/Hello World.md": "/en/writing/hello-world/",
        "src/data/posts/fr/Hello World.md": "/fr/writing/hello-world/",
      },
    },
  ],
}
