import * as z from "zod"

import { EVENT_TYPES, webhook_endpoints } from "../db/schema.ts"
import type { Operation } from "../http/operation.ts"
import { MAX_KEPT_DELIVERIES, MAX_WEBHOOK_ENDPOINTS, WEBHOOK_OFF_DAYS, WEBHOOK_TIMEOUT_SECONDS } from "../limits.ts"
import { EndpointUrl } from "./address.ts"

const Time = z.iso.datetime()

const Endpoint = z
  .object({
    id: z.string(),
    url: z.string(),
    created_at: Time,
    failing_since: Time.nullable().meta({ description: "The first failure since the last success" }),
    disabled_at: Time.nullable().meta({
      description: `When it was switched off: it has answered 410, has failed for ${WEBHOOK_OFF_DAYS} days, or too much was waiting`,
    }),
    disabled_reason: z.enum(webhook_endpoints.disabled_reason.enumValues).nullable(),
  })
  .meta({ id: "WebhookEndpoint" })

const NewEndpoint = Endpoint.extend({
  secret: z.string().meta({ description: "Signs by Standard Webhooks. The API shows it only now", example: "whsec_…" }),
}).meta({ id: "NewWebhookEndpoint" })

const Delivery = z
  .object({
    id: z.string().meta({ description: "The `webhook-id` of the event" }),
    endpoint_id: z.string(),
    url: z.string(),
    type: z.enum(EVENT_TYPES),
    slug: z.string().nullable().meta({ description: "Null for a test" }),
    status: z.enum(["waiting", "delivered", "failed"]),
    attempts: z.int().meta({ description: "Without those after which `Retry-After` has asked to wait" }),
    answer_status: z.int().nullable().meta({ description: "The status of the last answer; null without one" }),
    created_at: Time,
    next_attempt_at: Time.nullable(),
  })
  .meta({ id: "WebhookDelivery" })

const operation = { access: "key", tag: "Webhooks" } as const
const PATH = "/api/blogcontroller/webhooks/"

export const listWebhooksOperation = {
  ...operation,
  operationId: "listWebhooks",
  method: "GET",
  path: PATH,
  summary: "List the webhook endpoints of the account",
  successes: {
    200: {
      description: "The endpoints, the oldest first",
      schema: z.object({ success: z.literal(true), webhooks: z.array(Endpoint) }),
    },
  },
  problems: ["not_found"],
} satisfies Operation

export const createWebhookOperation = {
  ...operation,
  operationId: "createWebhook",
  method: "POST",
  path: PATH,
  summary: "Add a webhook endpoint",
  description: `The address gets a signed POST of each event of the account, and answers within ${WEBHOOK_TIMEOUT_SECONDS} seconds with a status from 200 to 299. An account has at most ${MAX_WEBHOOK_ENDPOINTS}.`,
  body: z.object({ url: EndpointUrl.meta({ description: "An https address of the public internet" }) }),
  example: { url: "https://hooks.example/edgepost" },
  successes: {
    201: { description: "Added", schema: z.object({ success: z.literal(true), webhook: NewEndpoint }) },
  },
  problems: ["not_found", "validation_error", "invalid_json"],
} satisfies Operation

export const deleteWebhookOperation = {
  ...operation,
  operationId: "deleteWebhook",
  method: "DELETE",
  path: `${PATH}:id/`,
  summary: "Delete a webhook endpoint, with what it was not told yet",
  params: z.object({ id: z.string() }),
  successes: { 204: { description: "Deleted" } },
  problems: ["not_found"],
} satisfies Operation

export const listDeliveriesOperation = {
  ...operation,
  operationId: "listWebhookDeliveries",
  method: "GET",
  path: `${PATH}deliveries/`,
  summary: "List the last deliveries to webhook endpoints",
  description: `At most ${MAX_KEPT_DELIVERIES}, the newest first.`,
  successes: {
    200: {
      description: "The deliveries",
      schema: z.object({ success: z.literal(true), deliveries: z.array(Delivery) }),
    },
  },
  problems: ["not_found"],
} satisfies Operation
