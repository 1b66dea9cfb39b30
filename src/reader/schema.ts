import * as z from "zod"

import { type Operation, shown } from "../http/operation.ts"

const page = {
  method: "GET",
  access: "public",
  tag: "Pages",
  params: z.object({ author: z.string().meta({ description: "`@<username>`" }), slug: z.string() }),
  successes: shown,
} as const

/** `/@{username}/{slug}/` in Hono's syntax. Clients generated from the OpenAPI document escape the `@`. */
const path = "/:author{(?:@|%40)[^/]+}/:slug/"

export const getPage = {
  ...page,
  operationId: "getPage",
  path,
  summary: "The public page of a published post",
  problems: ["not_found"],
} satisfies Operation

export const getTranslatedPage = {
  ...page,
  operationId: "getTranslatedPage",
  path: `${path}:lang_code/`,
  params: page.params.extend({ lang_code: z.string() }),
  summary: "The page in another language",
  successes: {
    ...page.successes,
    308: {
      description: "The source language, or another spelling of the code",
      headers: { Location: "The right address" },
    },
  },
  problems: ["not_found"],
} satisfies Operation
