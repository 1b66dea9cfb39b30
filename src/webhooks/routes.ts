import { ulid } from "ulid"

import { keyChecks } from "../accounts/authenticate.ts"
import { openDb } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { countExpensive } from "../http/rate-limit.ts"
import { routeWith } from "../http/route.ts"
import { MAX_WEBHOOK_ENDPOINTS } from "../limits.ts"
import { addressError, requirePublicAddress } from "./address.ts"
import {
  createWebhookOperation,
  deleteWebhookOperation,
  listDeliveriesOperation,
  listWebhooksOperation,
} from "./operations.ts"
import { isSuccess } from "./run-store.ts"
import { encryptSecret, newSecret, type SecretKeys } from "./sign.ts"
import { addEndpoint, deleteEndpoint, type Delivery, type Endpoint, listDeliveries, listEndpoints } from "./store.ts"

/** Requires that the service has webhooks, and that a key may change them. @throws ApiError 404, 403 */
export const requireWebhooks = ({ var: { config, key } }: AppContext): SecretKeys => {
  const { hasWebhooks, operatorToken, webhookSecrets } = config
  if (!hasWebhooks || operatorToken === null)
    throw new ApiError("not_found", "This service has no webhooks. Its operator can switch them on.")
  if (key && key.scope !== "publish") throw new ApiError("insufficient_scope")
  return { operatorToken, webhookSecrets }
}

const viewEndpoint = (endpoint: Endpoint) => {
  const { id, url, created_at, failing_since, disabled_at, disabled_reason } = endpoint
  return { id, url, created_at, failing_since, disabled_at, disabled_reason }
}

/** Names the state of a delivery. */
export const statusOf = ({ due_at, answer_status }: Delivery): "waiting" | "delivered" | "failed" => {
  if (due_at) return "waiting"
  return isSuccess(answer_status) ? "delivered" : "failed"
}

const viewDelivery = (delivery: Delivery & { url: string }) => {
  const { event_id: id, endpoint_id, url, type, data, attempts, answer_status, starts_at, due_at } = delivery
  const state = { slug: data.slug ?? null, status: statusOf(delivery), attempts, answer_status }
  return { id, endpoint_id, url, type, ...state, created_at: starts_at, next_attempt_at: due_at }
}

/**
 * Adds an endpoint with a new secret to the account of a request.
 * @param also in its batch
 * @throws ApiError 404, 403; 400 for an address that it cannot have, or one too many; 500 without WEBHOOK_SECRET
 */
export const createEndpoint = async (c: AppContext, url: string, also: Statement[]) => {
  const keys = requireWebhooks(c)
  const { account, now, places } = c.var
  requirePublicAddress(url, places)
  const [id, secret] = [ulid(now.getTime()), newSecret()]
  const endpoint = { id, account_id: account.id, url, created_at: now, secret: await encryptSecret(keys, id, secret) }
  const added = await addEndpoint(openDb(c.env.DB), endpoint, also)
  if (added === "own") throw addressError("This is an address of a blog of the service. Choose another one.")
  if (added === "known") throw addressError("This address is there already.")
  if (added === "many") throw addressError(`An account has at most ${MAX_WEBHOOK_ENDPOINTS} endpoints.`)
  return { id, url, secret, created_at: now, failing_since: null, disabled_at: null, disabled_reason: null }
}

const endpointNotFound = (): ApiError => new ApiError("not_found", "There is no such endpoint.")

const ofService = routeWith({ before: requireWebhooks })
const onEndpoint = routeWith({
  before: requireWebhooks,
  requireTarget: async (c, { id }: { id: string }) => {
    const endpoints = await listEndpoints(openDb(c.env.DB), c.var.account.id)
    if (!endpoints.some((endpoint) => endpoint.id === id)) throw endpointNotFound()
  },
})

export const webhookRoutes = [
  ofService(listWebhooksOperation, async (c) => {
    const endpoints = await listEndpoints(openDb(c.env.DB), c.var.account.id)
    return c.json({ success: true, webhooks: endpoints.map(viewEndpoint) })
  }),

  ofService(createWebhookOperation, async (c, { body }) => {
    const webhook = await createEndpoint(c, body.url, keyChecks(c.var, c.var.now))
    return c.json({ success: true, webhook }, 201)
  }),

  ofService(listDeliveriesOperation, async (c) => {
    const deliveries = await listDeliveries(openDb(c.env.DB), c.var.account.id)
    return c.json({ success: true, deliveries: deliveries.map(viewDelivery) })
  }),

  onEndpoint(deleteWebhookOperation, async (c, { params: { id } }) => {
    await countExpensive(c, "deletions of addresses")
    const which = { id, accountId: c.var.account.id }
    if (!(await deleteEndpoint(openDb(c.env.DB), which, keyChecks(c.var, c.var.now)))) throw endpointNotFound()
    return c.body(null, 204)
  }),
]
