import { glob } from "astro/loaders"
import { z } from "astro/zod"
import { defineCollection } from "astro:content"

export const collections = {
  blog: defineCollection({
    loader: glob({ pattern: ["**/[^_]*.md", "!**/inbox/**"], base: "./src/data/blog" }),
    schema: z.looseObject({ title: z.string(), pubDatetime: z.coerce.date() }),
  }),
}
