import { ulid } from "ulid"

import { keyChecks } from "../accounts/authenticate.ts"
import { openDb } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { route } from "../http/route.ts"
import { MAX_WEBHOOK_ENDPOINTS } from "../limits.ts"
import { addressError, requirePublicAddress } from "./address.ts"
import {
  createWebhookOperation,
  deleteWebhookOperation,
  listDeliveriesOperation,
  listWebhooksOperation,
} from "./operations.ts"
import { secretOf } from "./sign.ts"
import {
  addEndpoint,
  deleteEndpoint,
  type Delivery,
  type Endpoint,
  isSuccess,
  listDeliveries,
  listEndpoints,
} from "./store.ts"

/** Requires that the service has webhooks, and that a key may see their secrets. @returns the operator's token @throws ApiError 404, 403 */
export const requireWebhooks = ({ var: { config, key } }: AppContext): string => {
  if (!config.hasWebhooks || config.operatorToken === null)
    throw new ApiError("not_found", "This service has no webhooks. Its operator can switch them on.")
  if (key && key.scope !== "publish") throw new ApiError("insufficient_scope")
  return config.operatorToken
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

const viewEndpoint = async (
  { account_id: _account, lease: _lease, leased_until: _until, ...shown }: Endpoint,
  token: string,
) => ({
  ...shown,
  secret: await secretOf(token, shown.id),
})

/** Names the state of a delivery. */
export const statusOf = ({ due_at, answer_status }: Delivery): "waiting" | "delivered" | "failed" => {
  if (due_at) return "waiting"
  return isSuccess(answer_status) ? "delivered" : "failed"
}

/** Adds an endpoint to the account of a request. @param also in its batch @throws ApiError 400 for an address that it cannot have, or one too many */
export const createEndpoint = async (c: AppContext, url: string, also: Statement[]): Promise<Endpoint> => {
  const { account, now, places } = c.var
  requirePublicAddress(url, places)
  const endpoint = { id: ulid(now.getTime()), account_id: account.id, url, created_at: now }
  const added = await addEndpoint(openDb(c.env.DB), endpoint, also)
  if (added === "own") throw addressError("This is an address of a blog of the service. Choose another one.")
  if (added === "known") throw addressError("This address is there already.")
  if (added === "many") throw addressError(`An account has at most ${MAX_WEBHOOK_ENDPOINTS} endpoints.`)
  return { ...endpoint, failing_since: null, disabled_at: null, lease: null, leased_until: null }
}

export const webhookRoutes = [
  route(listWebhooksOperation, async (c) => {
    const token = requireWebhooks(c)
    const endpoints = await listEndpoints(openDb(c.env.DB), c.var.account.id)
    return c.json({ success: true, webhooks: await Promise.all(endpoints.map((one) => viewEndpoint(one, token))) })
  }),

  route(createWebhookOperation, async (c, { body }) => {
    const token = requireWebhooks(c)
    const endpoint = await createEndpoint(c, body.url, keyChecks(c.var, c.var.now))
    return c.json({ success: true, webhook: await viewEndpoint(endpoint, token) }, 201)
  }),

  route(listDeliveriesOperation, async (c) => {
    requireWebhooks(c)
    const deliveries = await listDeliveries(openDb(c.env.DB), c.var.account.id, c.var.now)
    return c.json({
      success: true,
      deliveries: deliveries.map((delivery) => {
        const { event_id: id, endpoint_id, url, type, data, attempts, answer_status, starts_at, due_at } = delivery
        const times = { created_at: starts_at.toISOString(), next_attempt_at: iso(due_at) }
        return {
          id,
          endpoint_id,
          url,
          type,
          slug: data.slug ?? null,
          status: statusOf(delivery),
          attempts,
          answer_status,
          ...times,
        }
      }),
    })
  }),

  route(deleteWebhookOperation, async (c, { params: { id } }) => {
    requireWebhooks(c)
    const which = { id, accountId: c.var.account.id }
    if (!(await deleteEndpoint(openDb(c.env.DB), which, keyChecks(c.var, c.var.now))))
      throw new ApiError("not_found", "There is no such endpoint.")
    return c.body(null, 204)
  }),
]
