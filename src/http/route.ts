import type { Hono, MiddlewareHandler } from "hono"

import type { AppContext, AppEnv } from "./context.ts"
import { ApiError } from "./errors.ts"
import type { Access, Method, Operation } from "./operation.ts"
import { type Also, type Input, inputReader } from "./validate.ts"

export type Handler = (c: AppContext) => Response | Promise<Response>
export interface Route {
  operation: Operation
  handler: Handler
}
type Guard = MiddlewareHandler<AppEnv>

interface Options<O extends Operation> {
  /** Runs before the input is read. */
  before?: (c: AppContext) => Promise<void> | void
  /** What is wrong with a body beside what its schema says. */
  also?: Also<O>
}

/** A route: its handler gets the validated input of the operation. */
export const route = <const O extends Operation>(
  operation: O,
  handler: (c: AppContext, input: Input<O>) => Response | Promise<Response>,
  { before, also }: Options<O> = {},
): Route => {
  const readInput = inputReader(operation, also)
  return {
    operation,
    handler: async (c) => {
      await before?.(c)
      return handler(c, await readInput(c))
    },
  }
}

const PROGRAM_PREFIXES = ["/api/", "/media/", "/operator/api/", "/webhooks/"]

/** Whether errors are JSON there, whatever the caller accepts; elsewhere a browser gets a page. */
export const isForPrograms = (path: string): boolean => PROGRAM_PREFIXES.some((prefix) => path.startsWith(prefix))

/** Where scripts of any origin may call, and OPTIONS is answered. */
export const CORS_PREFIXES = ["/api/", "/media/"]

const allowed = (path: string, methods: Method[]): string => {
  const head = methods.includes("GET") ? ["HEAD"] : []
  const options = CORS_PREFIXES.some((prefix) => path.startsWith(prefix)) ? ["OPTIONS"] : []
  return [...methods, ...head, ...options].join(", ")
}

/** Mounts every route behind the guard of its access class, and 405 for the other methods of its path. */
export const mountRoutes = (app: Hono<AppEnv>, routes: Route[], guards: Record<Access, Guard[]>): void => {
  const byPath = Map.groupBy(routes, ({ operation }) => operation.path)
  for (const [written, group] of byPath) {
    // With `strict: false` Hono strips the slash from the request, so that both forms are one address.
    const path = written.replace(/\/$/, "")
    for (const { operation, handler } of group) {
      app.on(operation.method, [path], ...guards[operation.access], handler)
    }
    const Allow = allowed(
      path,
      group.map(({ operation }) => operation.method),
    )
    app.all(path, () => {
      throw new ApiError("method_not_allowed", `This address has ${Allow}.`, { headers: { Allow } })
    })
  }
}
