import type { Account } from "../db/schema.ts"
import { MAX_WAITING_DELIVERIES, MAX_WEBHOOK_ENDPOINTS, WEBHOOK_OFF_DAYS } from "../limits.ts"
import { Time } from "../ui/components.tsx"
import { Field, Outcome, type RefusedForm, Unchanged } from "../ui/form.tsx"
import { statusOf } from "../webhooks/routes.ts"
import { rotationEnd } from "../webhooks/sign.ts"
import type { Delivery, Endpoint } from "../webhooks/store.ts"
import { renderSettingsPage } from "./layout.tsx"

export const WEBHOOKS = "/settings/webhooks/"

interface Props {
  account: Account
  now: Date
  endpoints: Endpoint[]
  /** The secrets that sign, of each endpoint, the newest first; empty without a recent sign-in. */
  secrets: string[][]
  /** The last ones, the newest first. */
  deliveries: (Delivery & { url: string })[]
  refused?: RefusedForm | undefined
  isSaved?: boolean
  isUnchanged?: boolean
}

const REASONS = {
  gone: "It has answered 410",
  failing: `It has failed for ${WEBHOOK_OFF_DAYS} days`,
  flooded: `More than ${MAX_WAITING_DELIVERIES} events were waiting for it`,
}

interface EndpointProps extends Pick<Props, "now"> {
  endpoint: Endpoint
  secrets: string[] | undefined
  zone: string
}

const Secrets = ({ endpoint, secrets: [newest] = [], now, zone }: EndpointProps) => {
  const end = rotationEnd(endpoint, now)
  return (
    <>
      <p>
        What it gets is signed with the secret <code>{newest ?? "that cannot be read: make a new one"}</code>, by{" "}
        <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>.
      </p>
      {end ? (
        <p>
          The secret before it signs as well until <Time at={end} zone={zone} />. Then you can make a new one again.
        </p>
      ) : (
        <form method="post" action={`${WEBHOOKS}rotate/`}>
          <input type="hidden" name="id" value={endpoint.id} />
          <input type="hidden" name="seen" value={String(endpoint.rotated_at?.getTime() ?? 0)} />
          <p>If you make a new one, this one signs as well for a day.</p>
          <button>Make a new secret</button>
        </form>
      )}
    </>
  )
}

const EndpointRow = (props: EndpointProps) => {
  const { endpoint, zone } = props
  const { id, url, created_at, failing_since, disabled_at, disabled_reason } = endpoint
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
            {REASONS[disabled_reason ?? "failing"]}, so it has been told of nothing since{" "}
            <Time at={disabled_at} zone={zone} />. When it works again, switch it on: within a day it also gets what was
            waiting then.
          </p>
        )}
      </div>
      <details>
        <summary>Secret, {disabled_at ? "switch on" : "test"}, delete</summary>
        {props.secrets ? (
          <Secrets {...props} />
        ) : (
          <p>
            <a class="button" href={`${WEBHOOKS}again/`}>
              Sign in again to see or change the secret
            </a>
          </p>
        )}
        <form method="post" action={`${WEBHOOKS}test/`}>
          <input type="hidden" name="id" value={id} />
          <button>{disabled_at ? "Switch on and send a test" : "Send a test"}</button>
        </form>
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
  const isAnswered = attempts > 0 || answer_status !== null
  return (
    <li>
      <div>
        <strong>{type}</strong> {data.slug} <span class={`state ${state}`}>{STATES[state]}</span>
        <br />
        <span class="quiet">
          <Time at={starts_at} zone={zone} /> to {url}, {attempts} {attempts === 1 ? "attempt" : "attempts"}
          {isAnswered && `, last answer ${answer_status ?? "none"}`}
          {due_at && isAnswered && (
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
export const renderWebhooks = ({ account, endpoints, deliveries, refused, isSaved, isUnchanged, ...props }: Props) => {
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
          {endpoints.map((endpoint, i) => (
            <EndpointRow endpoint={endpoint} secrets={props.secrets[i]} now={props.now} zone={zone} />
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
