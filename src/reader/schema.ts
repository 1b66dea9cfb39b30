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

const preview = {
  ...page,
  params: z.object({ token: z.string() }),
  successes: { ...page.successes, 302: { description: "Readers see the post", headers: { Location: "Its page" } } },
  problems: ["not_found"],
} satisfies Partial<Operation>

export const getPreview = {
  ...preview,
  operationId: "getPreview",
  path: "/preview/:token/",
  summary: "A draft or scheduled post, for anyone with the link",
} satisfies Operation

export const getTranslatedPreview = {
  ...preview,
  operationId: "getTranslatedPreview",
  path: `${getPreview.path}:lang_code/`,
  params: preview.params.extend({ lang_code: z.string() }),
  summary: "The preview in another language",
} satisfies Operation
