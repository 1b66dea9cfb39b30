import { beforeEach, describe, expect, it } from "vitest"

import { STRIPE_MAX_BYTES } from "../../src/limits.ts"
import { dumpStorage } from "../storage.ts"
import { stopClock, unique } from "../support.ts"
import { checkout, DAY, day, event, newAccount, NOW, SECRET, send, sign, snapshot } from "./stripe.ts"

beforeEach(() => stopClock(NOW))

const nowSeconds = day(0)
const ACCEPTED = { status: 200, result: "applied", detail: undefined, changed: true }
const refused = (detail: string) => ({
  status: 400,
  result: "invalid_signature",
  detail: expect.stringContaining(detail),
  changed: false,
})

/** Sends a valid event with a signature and returns the answer and whether storage changed. */
const attempt = async (signatureOf: (body: string) => Promise<string | null>, variables: object = {}) => {
  const body = JSON.stringify(checkout(unique("sub"), await newAccount()))
  const before = JSON.stringify(await dumpStorage())
  const { status, json } = await send(body, await signatureOf(body), variables)
  const changed = JSON.stringify(await dumpStorage()) !== before
  return { status, result: json.outcome ?? json.code, detail: json.detail, changed }
}

describe("a Stripe signature", () => {
  it("a precomputed Stripe signature is accepted for its webhook body and refused for a changed body", async () => {
    const body = `{"id":"evt_vector","type":"customer.created","created":1767225600,"data":{"object":{}}}`
    const v1 = "89a91c531d3e36e12fac4d795e94da73483c31e41495fefc492675b495714d0b"
    expect((await send(body, `t=1767225600,v1=${v1}`)).status).toBe(200)
    expect((await send(`${body} `, `t=1767225600,v1=${v1}`)).json.code).toBe("invalid_signature")
  })

  it.each([
    ["that is missing", async () => null],
    ["that is empty", async () => ""],
    ["without v1", async () => `t=${nowSeconds}`],
    ["with a v1 that is no hex", async () => `t=${nowSeconds},v1=${"x".repeat(64)}`],
    ["of the scheme v0", async (body: string) => (await sign(body)).replace("v1=", "v0=")],
    ["without time", async (body: string) => (await sign(body)).replace(/^t=\d+,/, "")],
    ["with two times", async (body: string) => `t=${nowSeconds},${await sign(body)}`],
    ["with a time that is no number", async (body: string) => (await sign(body)).replace(/^t=\d+/, "t=now")],
  ])("a Stripe webhook with a malformed signature (%s) is refused", async (_, signatureOf) => {
    expect(await attempt(signatureOf)).toEqual(refused("at least one `v1`"))
  })

  it.each([
    ["of another secret", (body: string) => sign(body, "whsec_of_somebody_else")],
    ["of another body", (body: string) => sign(`${body} `)],
    ["of another time", async (body: string) => (await sign(body)).replace(/^t=\d+/, `t=${nowSeconds - 1}`)],
  ])("a Stripe webhook with a wrong signature (%s) is refused", async (_, signatureOf) => {
    expect(await attempt(signatureOf)).toEqual(refused("No secret"))
  })

  it.each([-301, 301, -DAY, DAY])(
    "a Stripe webhook with a signature timed %i seconds from now is refused",
    async (seconds) => {
      const answer = await attempt((body) => sign(body, SECRET, nowSeconds + seconds))
      expect(answer).toEqual(refused("more than 300 seconds"))
    },
  )

  it.each([-300, 0, 300])(
    "a Stripe webhook with a signature timed %i seconds from now is accepted",
    async (seconds) => {
      expect(await attempt((body) => sign(body, SECRET, nowSeconds + seconds))).toEqual(ACCEPTED)
    },
  )

  it("a Stripe webhook with one valid signature among invalid ones is accepted", async () => {
    const answer = await attempt(async (body) => {
      const right = await sign(body)
      const wrong = (await sign(body, "whsec_of_somebody_else")).replace(/^t=\d+,/, "")
      return `${right.replace(",", `,${wrong},`)},v0=${"0".repeat(64)}`
    })
    expect(answer).toEqual(ACCEPTED)
  })

  it.each([SECRET, "whsec_of_the_next_year"])(
    "a Stripe webhook signed with either of the two secrets in STRIPE_WEBHOOK_SECRET is accepted: %s",
    async (secret) => {
      const rolled = { STRIPE_WEBHOOK_SECRET: `${SECRET}, whsec_of_the_next_year` }
      expect(await attempt((body) => sign(body, secret), rolled)).toEqual(ACCEPTED)
      const both = await attempt((body) => sign(body, rolled.STRIPE_WEBHOOK_SECRET), rolled)
      expect(both).toEqual(refused("No secret"))
    },
  )

  it.each([undefined, "", " , "])(
    "the Stripe webhook answers 404 if STRIPE_WEBHOOK_SECRET is %j",
    async (STRIPE_WEBHOOK_SECRET) => {
      const { status, changed } = await attempt((body) => sign(body), { STRIPE_WEBHOOK_SECRET })
      expect([status, changed]).toEqual([404, false])
    },
  )

  it.each(["sk_live_0123456789abcdef", "whsec_", `${SECRET} whsec_with_a_blank`])(
    "the Stripe webhook answers misconfigured if STRIPE_WEBHOOK_SECRET is invalid: %s",
    async (STRIPE_WEBHOOK_SECRET) => {
      const { json } = await send("{}", null, { STRIPE_WEBHOOK_SECRET })
      expect(json).toMatchObject({ code: "misconfigured", detail: expect.stringContaining("STRIPE_WEBHOOK_SECRET") })
    },
  )
})

it.each(["http://buy.stripe.com/abc", "buy.stripe.com/abc", "javascript:alert(1)", "https://"])(
  "the Stripe webhook answers misconfigured if STRIPE_PAYMENT_LINK is invalid: %s",
  async (STRIPE_PAYMENT_LINK) => {
    const { json } = await send("{}", null, { STRIPE_PAYMENT_LINK })
    expect(json).toMatchObject({
      code: "misconfigured",
      detail: expect.stringContaining("STRIPE_PAYMENT_LINK must be"),
    })
  },
)

describe("the body of a Stripe webhook", () => {
  const long = " ".repeat(STRIPE_MAX_BYTES + 1)

  it("a Stripe webhook with a body over the size limit answers 400", async () => {
    const { status, json } = await send(long, await sign(long))
    expect([status, json.code, json.detail]).toEqual([400, "invalid_json", "The body is longer than 1048576 bytes."])
  })

  it("an endless body of a Stripe webhook answers 400 and is not read far beyond the size limit", async () => {
    let pulled = 0
    const chunk = new Uint8Array(65_536)
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += chunk.length
        controller.enqueue(chunk)
      },
    })
    const answer = await send(endless, await sign(""))
    expect([answer.status, answer.json.code]).toEqual([400, "invalid_json"])
    expect(pulled).toBeLessThan(2 * STRIPE_MAX_BYTES)
  })

  it.each(["", "null", "[]", "{", "\u{feff}{}x"])(
    "a Stripe webhook whose body is not an event answers 400: %j",
    async (body) => {
      const { status, json } = await send(body, await sign(body))
      expect([status, json.code]).toEqual([400, body === "" ? "validation_error" : "invalid_json"])
    },
  )

  it.each([
    ["id", { ...snapshot("sub"), id: 1 }],
    ["created", { ...snapshot("sub"), created: "today" }],
    ["created", { ...snapshot("sub"), created: 1e300 }],
    ["data.object", { ...snapshot("sub"), data: { object: null } }],
    ["data.object.id", event("customer.subscription.updated", { ...snapshot("sub").data.object, id: "" })],
    ["data.object.status", snapshot("sub", { status: "frozen" })],
    ["data.object.items", event("customer.subscription.updated", { id: "sub", status: "active", items: { data: [] } })],
    ["data.object.lines", event("invoice.paid", { subscription: "sub" })],
    ["data.object.subscription", event("checkout.session.completed", { subscription: {} })],
  ])(
    "a Stripe webhook event with an invalid %s answers 400 naming that field and changes nothing",
    async (field, sent) => {
      const body = JSON.stringify(sent)
      const before = await dumpStorage()
      const { status, json } = await send(body, await sign(body))
      expect([status, json.code]).toEqual([400, "validation_error"])
      expect(json.errors.map((error: { field: string }) => error.field)).toContain(field)
      expect(await dumpStorage()).toEqual(before)
    },
  )
})
