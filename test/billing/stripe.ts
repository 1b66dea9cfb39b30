import { expect } from "vitest"

import { type Answer, call, OPERATOR, unique } from "../support.ts"

const PATH = "/webhooks/stripe/"
export const SECRET = "whsec_of_the_test_suite"
export const NOW = new Date("2026-01-01T00:00:00Z")
export const DAY = 24 * 60 * 60

type Fields = Record<string, unknown>

export interface Event {
  id: string
  type: string
  created: number
  data: { object: Fields }
}

/** Returns the seconds since the epoch `days` days after NOW. */
export const day = (days: number): number => NOW.getTime() / 1000 + days * DAY

/** Returns the same time in the format of the API. */
export const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** Returns a Stripe event of a type about an object. */
export const event = (type: string, object: Fields, created = day(0)): Event => ({
  id: unique("evt"),
  type,
  created,
  data: { object },
})

export const checkout = (subscription: string, username: string | null, created = day(0)): Event =>
  event("checkout.session.completed", { client_reference_id: username, customer: "cus_1", subscription }, created)

interface State {
  status?: string
  end?: number
  created?: number
  verb?: "created" | "updated" | "deleted"
}

/** A subscription as Stripe describes it since API version 2025-03-31. */
export const snapshot = (
  id: string,
  { status = "active", end = day(30), created = day(0), verb = "updated" }: State = {},
): Event =>
  event(
    `customer.subscription.${verb}`,
    { id, customer: "cus_1", status, items: { data: [{ id: "si_1", current_period_end: end }] } },
    created,
  )

/** A paid invoice as Stripe describes it since API version 2025-03-31. */
export const invoicePaid = (subscription: string, end: number, created = day(0)): Event =>
  event(
    "invoice.paid",
    {
      customer: "cus_1",
      parent: { type: "subscription_details", subscription_details: { subscription } },
      lines: { data: [{ amount: 500, parent: { type: "subscription_item_details" }, period: { start: 0, end } }] },
    },
    created,
  )

const encode = (text: string) => new TextEncoder().encode(text)

/** Returns the Stripe-Signature header: HMAC-SHA256 of `t.body` in hex. */
export const sign = async (body: string, secret = SECRET, t = Math.floor(Date.now() / 1000)): Promise<string> => {
  const key = await crypto.subtle.importKey("raw", encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, encode(`${t}.${body}`)))
  return `t=${t},v1=${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`
}

/** Sends a body with a signature to the webhook. */
export const send = (body: BodyInit, signature: string | null, env: object = {}): Promise<Answer> =>
  call("POST", PATH, { body, headers: signature === null ? {} : { "Stripe-Signature": signature }, env })

/** Delivers an event like Stripe and returns its outcome. */
export const deliverEvent = async (sent: Event, env: object = {}): Promise<string> => {
  const body = JSON.stringify(sent)
  const { status, json, text } = await send(body, await sign(body), env)
  expect(status, text).toBe(200)
  return json.outcome
}

/** Delivers events in sequence and returns their outcomes. */
export const deliverAll = async (...events: Event[]): Promise<string[]> => {
  const outcomes: string[] = []
  for (const one of events) outcomes.push(await deliverEvent(one))
  return outcomes
}

const operate = (method: "GET" | "PATCH" | "DELETE", username: string, json?: Fields) =>
  call(method, `/operator/api/accounts/${username}/`, { headers: OPERATOR, json })

/** Creates or changes an account as the operator. */
export const setAccount = async (username: string, changes: Fields = {}): Promise<string> => {
  await operate("PATCH", username, changes)
  return username
}

export const newAccount = (changes: Fields = {}): Promise<string> => setAccount(unique("payer"), changes)

/** Makes an account with a bound subscription whose state is not known yet. */
export const subscriber = async (changes: Fields = {}): Promise<{ username: string; sub: string }> => {
  const username = await newAccount(changes)
  const sub = unique("sub")
  await deliverEvent(checkout(sub, username))
  return { username, sub }
}

export const eraseAccount = (username: string) => operate("DELETE", username)

/** Returns an account's paid time and its source. */
export const paid = async (username: string): Promise<[string | null, string | null]> => {
  const { json } = await operate("GET", username)
  return [json.account.paid_until, json.account.paid_source]
}
