import * as crypto from "node:crypto"
import { readFileSync } from "node:fs"

import { Webhook } from "standardwebhooks"
import { expect, it } from "vitest"

// The code that docs/automations.md gives to n8n and Zapier, with what these give to it.

const NOW = new Date()
const event = {
  type: "post.published",
  timestamp: NOW.toISOString(),
  data: { post: { title: "Morning", url: "https://blog.example/@ann/morning/" } },
}
const body = JSON.stringify(event)
const secret = `whsec_${Buffer.from("a secret of thirty-two bytes ....").toString("base64")}`

const signed = (id: string, time = NOW): Record<string, string> => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(time.getTime() / 1000)),
  "webhook-signature": new Webhook(secret).sign(id, time, body),
})
const requireCrypto = () => crypto

/** Runs a text as the body of an async function. */
const run = (code: string, self: unknown, given: Record<string, unknown>): Promise<unknown> => {
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor
  return Reflect.apply(new AsyncFunction(...Object.keys(given), code), self, Object.values(given)) as Promise<unknown>
}

const n8n = (headers: Record<string, string>, seen: object): Promise<unknown> => {
  const flow = JSON.parse(readFileSync("examples/n8n/new-post.json", "utf8")) as {
    nodes: { parameters: { jsCode?: string } }[]
  }
  const [code = ""] = flow.nodes.flatMap(({ parameters }) => parameters.jsCode ?? [])
  const self = { helpers: { getBinaryDataBuffer: () => Promise.resolve(Buffer.from(body)) } }
  return run(code.replace("whsec_…", secret), self, {
    require: requireCrypto,
    $input: { all: () => [{ json: { headers } }] },
    $getWorkflowStaticData: () => seen,
  })
}

const zapier = (headers: Record<string, string>): Promise<unknown> => {
  const [, code = ""] = /```js\n(.*?)```/s.exec(readFileSync("docs/automations.md", "utf8")) ?? []
  const inputData = {
    body,
    secret,
    id: headers["webhook-id"],
    timestamp: headers["webhook-timestamp"],
    signature: headers["webhook-signature"],
  }
  return run(code, undefined, { require: requireCrypto, inputData })
}

it("n8n takes a signed event once, and none that is changed or old", async () => {
  const headers = signed("msg_1")
  const seen = {}
  expect(await n8n(headers, seen)).toEqual([{ json: event }])
  expect(await n8n(headers, seen)).toEqual([])
  expect(await n8n({ ...headers, "webhook-id": "msg_2" }, {})).toEqual([])
  expect(await n8n(signed("msg_3", new Date(NOW.getTime() - 301_000)), {})).toEqual([])
})

it("Zapier takes a signed event, and none that is changed", async () => {
  const headers = signed("msg_1")
  expect(await zapier(headers)).toEqual({
    type: "post.published",
    id: "msg_1",
    title: "Morning",
    url: "https://blog.example/@ann/morning/",
  })
  await expect(zapier({ ...headers, "webhook-id": "msg_2" })).rejects.toThrow("Not signed by the blog.")
})
