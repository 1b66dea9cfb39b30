// A service of its own for a bench, with an empty store.
import { glob, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

import { freePort, startService } from "../scripts/service.ts"

export interface BenchService {
  origin: string
  port: number
  /** The folder of the local database and images. */
  store: string
  /** The headers of the operator's API. */
  operator: Record<string, string>
  /** Makes a paid account. @returns its API key */
  newKey: (username: string) => Promise<string>
  /** Stops the service and deletes its store. */
  stop: () => Promise<void>
}

/** Starts a service. @param vars variables of the Worker, as `NAME:value` */
export const startBenchService = async (...vars: string[]): Promise<BenchService> => {
  const store = await mkdtemp(join(tmpdir(), "edgepost-bench-"))
  const port = await freePort()
  const args = ["--port", String(port), "--persist-to", store]
  const service = await startService(vars.length > 0 ? [...args, "--var", ...vars] : args)
  const headers = { Authorization: `Bearer ${service.operatorToken}` }
  const operate = async (method: string, path: string, json = {}): Promise<Record<string, string>> => {
    const url = `${service.origin}/operator/api/accounts/${path}`
    const answer = await fetch(url, { method, headers, body: JSON.stringify(json) })
    return JSON.parse(await answer.text()) as Record<string, string>
  }
  return {
    origin: service.origin,
    port,
    store,
    operator: headers,
    newKey: async (username) => {
      await operate("PATCH", `${username}/`, { paid_until: "2099-01-01T00:00:00Z" })
      const { api_key = "" } = await operate("POST", `${username}/keys/`)
      return api_key
    },
    stop: async () => {
      await service.stop()
      await rm(store, { recursive: true })
    },
  }
}

/** Opens the database of a service, to fill it by SQL. */
export const openDatabase = async (store: string): Promise<DatabaseSync> => {
  for await (const path of glob(join(store, "v3", "d1", "*", "*.sqlite"))) {
    const db = new DatabaseSync(path)
    if (db.prepare("select 1 from sqlite_master where name = 'texts'").get()) return db
    db.close()
  }
  throw new Error("The service has no database.")
}
