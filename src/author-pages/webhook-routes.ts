import * as z from "zod"

import { openDb } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { AppContext } from "../http/context.ts"
import { countExpensive } from "../http/rate-limit.ts"
import { route } from "../http/route.ts"
import { isRecent, sessionChecks } from "../sessions/authenticate.ts"
import type { RefusedForm } from "../ui/form.tsx"
import { keepTyped } from "../ui/keep-typed.ts"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { EndpointUrl } from "../webhooks/address.ts"
import { wakeWebhooks } from "../webhooks/queue.ts"
import { createEndpoint, requireWebhooks } from "../webhooks/routes.ts"
import { derivedSecret, encryptSecret, newSecret, secretsOf } from "../webhooks/sign.ts"
import { deleteEndpoint, listDeliveries, listEndpoints, queueTest, rotateSecret, sendAgain } from "../webhooks/store.ts"
import { getPage, postForm, settingsChecks } from "./route.ts"
import { renderWebhooks, WEBHOOKS } from "./webhooks-page.tsx"

const Query = z.object({ saved: z.string().optional(), unchanged: z.string().optional() })
const EndpointForm = z.object({ url: EndpointUrl })
const Chosen = z.object({ id: z.string() })
const Rotated = z.object({ id: z.string(), seen: z.coerce.number() })
const ChosenDelivery = z.object({ id: z.string(), event: z.string() })

const show = async (
  c: AppContext,
  outcome: { refused?: RefusedForm; isSaved?: boolean; isUnchanged?: boolean } = {},
) => {
  const { account, now, session } = c.var
  const keys = requireWebhooks(c)
  const db = openDb(c.env.DB)
  const [endpoints, deliveries] = await Promise.all([listEndpoints(db, account.id), listDeliveries(db, account.id)])
  const secrets = isRecent(session, now) ? await Promise.all(endpoints.map((one) => secretsOf(keys, one, now))) : []
  return renderWebhooks({ account, now, endpoints, secrets, deliveries, ...outcome })
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
        await createEndpoint(c, url, settingsChecks(c))
        return back(c, true)
      },
      (c, refused) => show(c, { refused }),
    ),
  ),

  route({ ...postForm, path: `${WEBHOOKS}delete/`, body: Chosen }, async (c, { body: { id } }) => {
    requireWebhooks(c)
    await countExpensive(c, "deletions of addresses")
    return back(c, await deleteEndpoint(openDb(c.env.DB), { id, ...mine(c) }, sessionChecks(c)))
  }),

  // Leads back to the secrets, if need be by a new sign-in.
  route({ ...getPage, access: "recent-author", path: `${WEBHOOKS}again/` }, (c) => c.redirect(WEBHOOKS, 303)),

  route({ ...postForm, access: "recent-author", path: `${WEBHOOKS}rotate/`, body: Rotated }, async (c, { body }) => {
    const keys = requireWebhooks(c)
    const encrypt = (secret: string) => encryptSecret(keys, body.id, secret)
    const secrets = { secret: await encrypt(newSecret()), before: await encrypt(await derivedSecret(keys, body.id)) }
    return back(c, await rotateSecret(openDb(c.env.DB), { ...body, ...secrets, ...mine(c) }, settingsChecks(c)))
  }),

  route({ ...postForm, path: `${WEBHOOKS}test/`, body: Chosen }, (c, { body }) =>
    queueing(c, (checks) => queueTest(openDb(c.env.DB), { ...body, ...mine(c) }, checks)),
  ),

  route({ ...postForm, path: `${WEBHOOKS}send-again/`, body: ChosenDelivery }, (c, { body }) =>
    queueing(c, (checks) => sendAgain(openDb(c.env.DB), { ...body, ...mine(c) }, checks)),
  ),
]
