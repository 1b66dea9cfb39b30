import { defineCollection, defineContentConfig, z } from "@nuxt/content"

const schema = z.object({ date: z.date(), lang: z.string(), category: z.string(), tags: z.array(z.string()) })

export default defineContentConfig({
  collections: { posts: defineCollection({ type: "page", source: "**/*.md", schema }) },
})
