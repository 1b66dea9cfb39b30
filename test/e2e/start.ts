import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

import type { TestProject } from "vitest/node"

import { startService } from "./child.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The address that answers with the service as JSON, once it is ready. */
    serviceUrl: string
  }
}

/** Starts one service for all files, while other tests run, and returns the function that stops it. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const starting = startService()
  // The files that need it fail if it does not start, and no others.
  starting.catch(() => {})
  const server = createServer((_, answer) => {
    starting.then(
      (service) => answer.end(JSON.stringify(service)),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  project.provide("serviceUrl", `http://127.0.0.1:${port}/`)
  return async () => {
    server.close()
    await starting.then(
      ({ stop }) => stop(),
      () => {},
    )
  }
}
