import type { TestProject } from "vitest/node"

import { type Service, startService } from "./child.ts"

declare module "vitest" {
  interface ProvidedContext {
    service: Service
  }
}

/** Starts one service for all files and returns the function that stops it. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const { stop, ...service } = await startService()
  project.provide("service", service)
  return stop
}
