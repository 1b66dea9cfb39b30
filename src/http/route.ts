import type { Hono, MiddlewareHandler } from "hono"
import type * as z from "zod"

import type { AppContext, AppEnv } from "./context.ts"
import { ApiError } from "./errors.ts"
import type { Method, Operation } from "./operation.ts"
import { type Also, type Input, inputReader, type RequireTarget } from "./validate.ts"

export type Handler = (c: AppContext) => Response | Promise<Response>
export interface Route {
  operation: Operation
  handler: Handler
}
type Guard = MiddlewareHandler<AppEnv>

interface Options<O extends Operation> {
  /** Runs before the input is read; may throw. */
  before?: (c: AppContext) => unknown
  /** Runs the route, from reading its input on; may refuse to. */
  around?: (c: AppContext, answer: () => Promise<Response>) => Promise<Response>
  /** Returns further field errors of a body that its schema cannot find. */
  also?: Also<O>
  /** Runs before errors of query and body are thrown; may throw 404 and 403 of what the path names, which come first. */
  requireTarget?: RequireTarget<O>
}

/**
 * Pairs an operation with its handler, which gets the validated input. Invalid input throws an ApiError before the handler
 * runs; with `checksAuthorFirst` the handler gets the errors of query and body instead.
 * The options are `before`, which runs before the input is read, `around`, which runs the reading and the handler, `also`,
 * which returns further errors of the body, and `requireTarget`, which runs before the errors of query and body are thrown.
 */
export const route = <const O extends Operation>(
  operation: O,
  handler: (c: AppContext, input: Input<O>) => Response | Promise<Response>,
  { before, around, also, requireTarget }: Options<O> = {},
): Route => {
  const readInput = inputReader(operation, also, requireTarget)
  return {
    operation,
    handler: async (c) => {
      await before?.(c)
      const answer = async () => handler(c, await readInput(c))
      return around ? around(c, answer) : answer()
    },
  }
}

/** Returns `route` with options that several routes share. */
export const routeWith =
  <P>(shared: { before?: (c: AppContext) => unknown; requireTarget?: (c: AppContext, params: P) => unknown }) =>
  <const O extends Operation & { params?: z.ZodType<P> }>(
    operation: O,
    handler: (c: AppContext, input: Input<O>) => Response | Promise<Response>,
    options: Options<O> = {},
  ): Route =>
    route(operation, handler, { ...(shared as Options<O>), ...options })

const PROGRAM_PREFIXES = ["/api/", "/media/", "/micropub/", "/operator/api/", "/webhooks/"]

/** Tells whether a path is for programs, such as `/api/…`: its errors are always JSON. Elsewhere a browser gets an error page. */
export const isForPrograms = (path: string): boolean => PROGRAM_PREFIXES.some((prefix) => `${path}/`.startsWith(prefix))

/** The paths that scripts of any origin may call (CORS). */
export const CORS_PREFIXES = ["/api/", "/media/", "/micropub/"]

const allowed = (path: string, methods: Method[]): string => {
  const head = methods.includes("GET") ? ["HEAD"] : []
  const options = CORS_PREFIXES.some((prefix) => `${path}/`.startsWith(prefix)) ? ["OPTIONS"] : []
  return [...methods, ...head, ...options].join(", ")
}

/** Adds every route to `app`, after the middleware of its operation. Other methods of its path answer 405 with `Allow`. */
export const mountRoutes = (app: Hono<AppEnv>, routes: Route[], guardsOf: (operation: Operation) => Guard[]): void => {
  const byPath = Map.groupBy(routes, ({ operation }) => operation.path)
  for (const [written, group] of byPath) {
    // With `strict: false` Hono ignores a trailing slash of the request.
    const path = written.replace(/\/$/, "")
    for (const { operation, handler } of group) {
      app.on(operation.method, [path], ...guardsOf(operation), handler)
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
