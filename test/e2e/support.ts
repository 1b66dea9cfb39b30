import { execFile } from "node:child_process"
import { promisify } from "node:util"

import { inject, vi } from "vitest"

import { MAX_WAIT_MS } from "../timeouts.ts"
import type { Service } from "./child.ts"

const ready = await fetch(inject("serviceUrl"))
if (!ready.ok) throw new Error(await ready.text())
/** The service of all files. */
export const service = (await ready.json()) as Service
export const { origin, blogUrl, key, lines, settingsUrl, operatorToken } = service
export const API = `${origin}/api/blogcontroller`

const execute = promisify(execFile)

/** Runs a bash script with `BASE`, `KEY` and `OPERATOR_TOKEN` and returns its output. @throws when a command fails */
export const bash = async (script: string): Promise<string> => {
  const env = { ...process.env, BASE: origin, KEY: key, OPERATOR_TOKEN: operatorToken }
  const { stdout } = await execute("bash", ["-euo", "pipefail", "-c", script], { env })
  return stdout
}

export interface Answer {
  status: number
  retryAfter: number
  // The Worker suite checks answers against their schemas; here they are only read.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

/** Calls the service with curl. */
export const curl = async (...args: string[]): Promise<Answer> => {
  const format = "\n%{http_code} %header{retry-after}"
  const { stdout } = await execute("curl", ["-sS", "-w", format, ...args])
  const end = stdout.lastIndexOf("\n")
  const [status, retryAfter] = stdout.slice(end + 1).split(" ")
  return { status: Number(status), retryAfter: Number(retryAfter), json: JSON.parse(stdout.slice(0, end)) }
}

/** Calls the service with Node's fetch. */
export const call = async (method: string, url: string, init: RequestInit = {}): Promise<Answer> => {
  const headers = new Headers(init.headers)
  // On a busy machine the service may close a kept connection while the next request is written to it.
  headers.set("Connection", "close")
  const answer = await fetch(url, { ...init, method, headers })
  const text = await answer.text()
  const retryAfter = Number(answer.headers.get("Retry-After"))
  return { status: answer.status, retryAfter, json: text === "" ? undefined : JSON.parse(text) }
}

/** Repeats a check until it no longer throws. @returns what the check returns */
export const eventually = <T>(check: () => T | Promise<T>, timeout = MAX_WAIT_MS): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 50 })

/** Calls the operator's API. @param path below `accounts/` */
export const operate = (method: string, path: string, json?: object): Promise<Answer> =>
  call(method, `${origin}/operator/api/accounts/${path}`, {
    headers: { Authorization: `Bearer ${operatorToken}` },
    ...(json && { body: JSON.stringify(json) }),
  })

/** Makes a paid account and returns its key. @param changes further fields of the account */
export const newKey = async (username: string, changes: Record<string, unknown> = {}): Promise<string> => {
  await operate("PATCH", `${username}/`, { paid_until: "2099-01-01T00:00:00Z", ...changes })
  const { json } = await operate("POST", `${username}/keys/`)
  return json.api_key
}
