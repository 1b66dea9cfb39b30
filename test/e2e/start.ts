import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import type { TestProject } from "vitest/node"

import { freePort } from "../../scripts/port.mjs"

export interface Service {
  origin: string
  /** Of the account `demo`, as `npm start` has printed it. */
  key: string
  operatorToken: string
}

declare module "vitest" {
  interface ProvidedContext {
    service: Service
  }
}

const READY = /export KEY=(\S+)[^]*^Ready on (\S+)$/m

/** Reads the output up to its last line. @throws when the process ends before, with what it printed */
const untilReady = (child: ChildProcess): Promise<{ key: string; origin: string }> =>
  new Promise((resolve, reject) => {
    let output = ""
    child.stdout?.on("data", (chunk) => {
      output += String(chunk)
      const [, key, origin] = READY.exec(output) ?? []
      if (key && origin) resolve({ key, origin })
    })
    child.once("exit", () => reject(new Error(`npm start has ended.\n${output}`)))
  })

/** Starts one service for all files, and answers what stops it. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const state = await mkdtemp(join(tmpdir(), "edgepost-e2e-"))
  const operatorToken = randomUUID()
  const vars = ["--var", `OPERATOR_TOKEN:${operatorToken}`, "TRANSLATION_DEBOUNCE_SECONDS:0"]
  const args = ["start", "--", "--port", String(await freePort()), "--persist-to", state, ...vars]
  const child = spawn("npm", args, { stdio: ["ignore", "pipe", "inherit"] })
  const ended = once(child, "exit")
  project.provide("service", { ...(await untilReady(child)), operatorToken })
  return async () => {
    child.kill("SIGTERM")
    await ended
    await rm(state, { recursive: true, force: true })
  }
}
