import type { Account } from "../db/schema.ts"
import { MAX_WAITING_DELIVERIES, MAX_WEBHOOK_ENDPOINTS, WEBHOOK_OFF_DAYS } from "../limits.ts"
import { Time } from "../ui/components.tsx"
import { Field, Outcome, type RefusedForm, Unchanged } from "../ui/form.tsx"
import { statusOf } from "../webhooks/routes.ts"
import type { Delivery, Endpoint } from "../webhooks/store.ts"
import { renderSettingsPage } from "./layout.tsx"

export const WEBHOOKS = "/settings/webhooks/"

interface Props {
  account: Account
  endpoints: (Endpoint & { secret: string })[]
  /** The last ones, the newest first. */
  deliveries: (Delivery & { url: string })[]
  refused?: RefusedForm | undefined
  isSaved?: boolean
  isUnchanged?: boolean
}

const EndpointRow = ({ endpoint, zone }: { endpoint: Props["endpoints"][number]; zone: string }) => {
  const { id, url, secret, created_at, failing_since, disabled_at } = endpoint
  return (
    <li>
      <div>
        <strong>{url}</strong> {disabled_at && <span class="state failed">Switched off</span>}
        <br />
        <span class="quiet">
          Added <Time at={created_at} zone={zone} />
          {failing_since && (
            <>
              , failing since <Time at={failing_since} zone={zone} />
            </>
          )}
        </span>
        {disabled_at && (
          <p class="error">
            {failing_since
              ? `It has failed for ${WEBHOOK_OFF_DAYS} days`
              : `More than ${MAX_WAITING_DELIVERIES} events were waiting for it`}
            , so it has been told of nothing since <Time at={disabled_at} zone={zone} />. When it works again, delete it
            and add it again.
          </p>
        )}
      </div>
      <details>
        <summary>Secret, test, delete</summary>
        <p>
          What it gets is signed with the secret <code>{secret}</code>, by{" "}
          <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>.
        </p>
        {!disabled_at && (
          <form method="post" action={`${WEBHOOKS}test/`}>
            <input type="hidden" name="id" value={id} />
            <button>Send a test</button>
          </form>
        )}
        <form method="post" action={`${WEBHOOKS}delete/`}>
          <input type="hidden" name="id" value={id} />
          <button aria-label={`Delete ${url}`}>Delete</button>
        </form>
      </details>
    </li>
  )
}

const STATES = { waiting: "Waiting", delivered: "Delivered", failed: "Failed" } as const

const DeliveryRow = ({ delivery, zone }: { delivery: Props["deliveries"][number]; zone: string }) => {
  const { endpoint_id, event_id, type, data, url, attempts, answer_status, starts_at, due_at } = delivery
  const state = statusOf(delivery)
  return (
    <li>
      <div>
        <strong>{type}</strong> {data.slug} <span class={`state ${state}`}>{STATES[state]}</span>
        <br />
        <span class="quiet">
          <Time at={starts_at} zone={zone} /> to {url}, {attempts} {attempts === 1 ? "attempt" : "attempts"}
          {attempts > 0 && `, last answer ${answer_status ?? "none"}`}
          {due_at && attempts > 0 && (
            <>
              , next <Time at={due_at} zone={zone} />
            </>
          )}
        </span>
      </div>
      {!due_at && (
        <form method="post" action={`${WEBHOOKS}send-again/`}>
          <input type="hidden" name="id" value={endpoint_id} />
          <input type="hidden" name="event" value={event_id} />
          <button aria-label={`Send ${type} ${data.slug ?? ""} again to ${url}`}>Send again</button>
        </form>
      )}
    </li>
  )
}

/** Renders the author's page of webhooks. */
export const renderWebhooks = ({ account, endpoints, deliveries, refused, isSaved, isUnchanged }: Props) => {
  const { timezone: zone } = account
  return renderSettingsPage({
    account,
    path: "/settings/",
    title: "Webhooks",
    children: (
      <>
        <h1>Webhooks</h1>
        {isUnchanged && <Unchanged />}
        <Outcome isSaved={isSaved} refused={refused} />
        <p>
          An address of yours is told when a post appears, changes or goes, and when a translation is ready or has
          failed: to build a site again, or to start an automation.
        </p>
        {endpoints.length === 0 && <p>There is no address yet.</p>}
        <ul class="rows">
          {endpoints.map((endpoint) => (
            <EndpointRow endpoint={endpoint} zone={zone} />
          ))}
        </ul>
        {endpoints.length < MAX_WEBHOOK_ENDPOINTS && (
          <form method="post" action={WEBHOOKS}>
            <Field
              id="url"
              name="url"
              label="Address"
              hint="An https address of the public internet, such as https://hooks.example/edgepost."
              required
              refused={refused}
            />
            <button class="primary">Add it</button>
          </form>
        )}
        <section>
          <h2>Last deliveries</h2>
          {deliveries.length === 0 && <p>There was none yet.</p>}
          <ul class="rows">
            {deliveries.map((delivery) => (
              <DeliveryRow delivery={delivery} zone={zone} />
            ))}
          </ul>
        </section>
      </>
    ),
  })
}
