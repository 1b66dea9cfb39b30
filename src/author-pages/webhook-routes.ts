import * as z from "zod"

import { openDb } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { AppContext } from "../http/context.ts"
import { route } from "../http/route.ts"
import { sessionChecks } from "../sessions/authenticate.ts"
import type { RefusedForm } from "../ui/form.tsx"
import { keepTyped } from "../ui/keep-typed.ts"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { EndpointUrl } from "../webhooks/address.ts"
import { wakeWebhooks } from "../webhooks/queue.ts"
import { createEndpoint, requireWebhooks } from "../webhooks/routes.ts"
import { secretOf } from "../webhooks/sign.ts"
import { deleteEndpoint, listDeliveries, listEndpoints, queueTest, sendAgain } from "../webhooks/store.ts"
import { getPage, postForm, settingsChecks } from "./route.ts"
import { renderWebhooks, WEBHOOKS } from "./webhooks-page.tsx"

const Query = z.object({ saved: z.string().optional(), unchanged: z.string().optional() })
const EndpointForm = z.object({ url: EndpointUrl })
const Chosen = z.object({ id: z.string() })
const ChosenDelivery = z.object({ id: z.string(), event: z.string() })

const show = async (
  c: AppContext,
  outcome: { refused?: RefusedForm; isSaved?: boolean; isUnchanged?: boolean } = {},
) => {
  const { account, now } = c.var
  const token = requireWebhooks(c)
  const db = openDb(c.env.DB)
  const [endpoints, deliveries] = await Promise.all([
    listEndpoints(db, account.id),
    listDeliveries(db, account.id, now),
  ])
  const secrets = await Promise.all(endpoints.map(({ id }) => secretOf(token, id)))
  const shown = endpoints.map((endpoint, i) => ({ ...endpoint, secret: secrets[i] ?? "" }))
  return renderWebhooks({ account, endpoints: shown, deliveries, ...outcome })
}

/** The identity of a request's author, and its time. */
const mine = ({ var: { account, now } }: AppContext) => ({ accountId: account.id, now })

/** Leads back to the page. @param isChanged false if the form was outdated */
const back = (c: AppContext, isChanged: boolean) =>
  c.redirect(`${WEBHOOKS}?${isChanged ? "saved" : "unchanged"}=1`, 303)

/** Queues something to deliver, and starts its delivery. */
const queueing = async (c: AppContext, queue: (checks: Statement[]) => Promise<boolean>) => {
  requireWebhooks(c)
  const isQueued = await queue(settingsChecks(c))
  if (isQueued) c.executionCtx.waitUntil(wakeWebhooks(c.env.WEBHOOK_EVENTS, c.var.account.id))
  return back(c, isQueued)
}

export const authorWebhookRoutes = [
  route({ ...getPage, path: WEBHOOKS, query: Query }, async (c, { query: { saved, unchanged } }) =>
    c.html(await show(c, { isSaved: saved !== undefined, isUnchanged: unchanged !== undefined }), 200, PAGE_HEADERS),
  ),

  route(
    { ...postForm, path: WEBHOOKS, body: EndpointForm, checksAuthorFirst: true },
    keepTyped(
      async (c, { url }: z.output<typeof EndpointForm>) => {
        requireWebhooks(c)
        await createEndpoint(c, url, settingsChecks(c))
        return back(c, true)
      },
      (c, refused) => show(c, { refused }),
    ),
  ),

  route({ ...postForm, path: `${WEBHOOKS}delete/`, body: Chosen }, async (c, { body: { id } }) => {
    requireWebhooks(c)
    return back(c, await deleteEndpoint(openDb(c.env.DB), { id, ...mine(c) }, sessionChecks(c)))
  }),

  route({ ...postForm, path: `${WEBHOOKS}test/`, body: Chosen }, (c, { body }) =>
    queueing(c, (checks) => queueTest(openDb(c.env.DB), { ...body, ...mine(c) }, checks)),
  ),

  route({ ...postForm, path: `${WEBHOOKS}send-again/`, body: ChosenDelivery }, (c, { body }) =>
    queueing(c, (checks) => sendAgain(openDb(c.env.DB), { ...body, ...mine(c) }, checks)),
  ),
]
