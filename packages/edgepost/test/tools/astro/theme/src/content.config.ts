import { glob } from "astro/loaders"
import { z } from "astro/zod"
import { defineCollection } from "astro:content"

const date = z.coerce.date().optional()

export const collections = {
  blog: defineCollection({
    loader: glob({ pattern: "**/[^_]*.{md,mdx}", base: "./src/content/blog" }),
    schema: z.looseObject({ title: z.string(), pubDate: date, date, lang: z.string().optional() }),
  }),
}
