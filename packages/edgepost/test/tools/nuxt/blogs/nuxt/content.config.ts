import { defineCollection, defineContentConfig, z } from "@nuxt/content"

const schema = z.object({
  date: z.date(),
  lang: z.string(),
  category: z.string(),
  tags: z.array(z.string()),
})

export default defineContentConfig({
  collections: {
    posts: defineCollection({
      type: "page",
      source: { include: "2.blog/**/*.md", exclude: ["**/*.private.md", "2.blog/{old,attic}/**"] },
      schema,
    }),
    pages: defineCollection({ type: "page", source: { include: "notes/*.md", prefix: "/n" }, schema }),
    authors: defineCollection({ type: "data", source: "authors/**.md", schema: z.object({ name: z.string() }) }),
  },
})
