import * as z from "zod"

import { type Operation, shown } from "../http/operation.ts"

const page = {
  method: "GET",
  access: "public",
  tag: "Pages",
  successes: shown,
  problems: [],
} satisfies Partial<Operation>

export const getReference = {
  ...page,
  operationId: "getReference",
  path: "/docs/",
  summary: "This reference",
} satisfies Operation

export const getErrorsPage = {
  ...page,
  operationId: "getErrorsPage",
  path: "/docs/errors/",
  summary: "What every error code means",
} satisfies Operation

const Health = z
  .object({
    success: z.literal(true),
    translation_waiting_seconds: z
      .int()
      .meta({ description: "How long the translation has been due that has waited longest" }),
    sweep_lag_seconds: z
      .int()
      .meta({ description: "How long the picture has been due that the sweep should see to first" }),
  })
  .meta({ id: "Health" })

export const getHealth = {
  operationId: "getHealth",
  method: "GET",
  path: "/healthz/",
  access: "public",
  tag: "Operator",
  summary: "Whether the service's stores answer, and how far background work is behind",
  successes: { 200: { description: "All of them answer", schema: Health } },
  problems: [],
} satisfies Operation
