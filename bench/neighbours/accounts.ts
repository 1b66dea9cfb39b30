// The accounts of the bench, and how requests are sent for them.
import { setTimeout as sleep } from "node:timers/promises"

import { fillStatements, type Holdings } from "../../test/prices/fill.ts"
import type { Scene } from "../../test/prices/requests.ts"
import { type BenchService, openDatabase } from "../service.ts"

export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** Returns what sends requests to a service, without following redirects. */
export const sendTo =
  (origin: string): Send =>
  (path, init = {}) =>
    fetch(new URL(path, origin), { redirect: "manual", ...init })

/** Signs the author of an account in. */
export const signIn = async (scene: Scene): Promise<void> => {
  const { origin, username, operator } = scene
  const send = sendTo(origin)
  const made = await send(`/operator/api/accounts/${username}/sign-in-links/`, { method: "POST", headers: operator })
  const { sign_in_url } = await made.json<{ sign_in_url: string }>()
  const headers = { Origin: origin, Accept: "text/html" }
  const answer = await send(new URL(sign_in_url).pathname, { method: "POST", headers, body: new URLSearchParams() })
  await answer.text()
  const lines = answer.headers.getSetCookie()
  scene.cookies.author = lines.map((line) => line.split(";")[0]).join("; ")
}

/** Makes an account with so many rows. @param account tells its rows from those of others */
export const makeAccount = async (
  { origin, operator, store, newKey }: BenchService,
  username: string,
  account: number,
  has: Holdings,
): Promise<Scene> => {
  const key = await newKey(username)
  const now = Date.now()
  const body = JSON.stringify({ name: "read", scope: "read" })
  const init = { method: "POST", headers: operator, body }
  const made = await sendTo(origin)(`/operator/api/accounts/${username}/keys/`, init)
  const { api_key: readKey } = await made.json<{ api_key: string }>()
  const db = await openDatabase(store)
  for (const sql of fillStatements({ username, account, now }, has)) db.exec(sql)
  db.close()
  // The service has closed idle connections while the database was filled, which takes all of this thread.
  await sleep(100)
  const cookies = { author: "", operator: "" }
  return { origin, username, account, has, now, key, readKey, operator, cookies, image: new Uint8Array() }
}
