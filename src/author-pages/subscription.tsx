import { isPaid } from "../accounts/account.ts"
import type { Account } from "../tables.ts"
import { Day, Section } from "../ui/components.tsx"

export interface SubscriptionProps {
  account: Account
  now: Date
  /** Whether Stripe has a subscription of the account that goes on, paid or owed. */
  isSubscribed: boolean
  /** Where to pay. */
  subscribeUrl: string | null
}

/** Whether the account is paid, and what to do where it is not. */
export const Subscription = ({ account, now, isSubscribed, subscribeUrl }: SubscriptionProps) => {
  const paid = isPaid(account, now)
  return (
    <Section id="subscription" title="Subscription">
      {paid && account.paid_until ? (
        <p>
          <strong>Paid</strong> until <Day at={account.paid_until} />.
        </p>
      ) : (
        <p class="notice">
          <strong>Not paid.</strong>{" "}
          {account.paid_until ? (
            <>
              The paid time ended on <Day at={account.paid_until} />.{" "}
            </>
          ) : null}
          Your posts stay where they are; the API answers 403 to every key until the account is paid.
        </p>
      )}
      {!paid && isSubscribed && (
        <p>
          Stripe has a subscription of this account that is not paid for now. By the links in its e-mails you pay what
          is owed, which counts here at once, or cancel it and subscribe anew.
        </p>
      )}
      {account.restricted && (
        <p class="notice">
          <strong>Restricted.</strong> The operator has restricted this account; the API answers 403.
        </p>
      )}
      {subscribeUrl && (
        <p>
          <a class="button" href={subscribeUrl}>
            Subscribe
          </a>
        </p>
      )}
    </Section>
  )
}
