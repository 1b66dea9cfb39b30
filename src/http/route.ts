import type { Hono, MiddlewareHandler } from "hono"
import type * as z from "zod"

import type { AppContext, AppEnv } from "./context.ts"
import { ApiError } from "./problem.ts"
import type { ProblemCode } from "./problems.ts"

export type Method = "GET" | "POST" | "PATCH" | "DELETE"
/**
 * Who may call: anybody, the holder of an API key, the operator; of the service's own pages and their forms anybody, an
 * author or the operator who is signed in.
 */
export type Access = "public" | "key" | "operator" | "page" | "author" | "operator-page"

export interface Success {
  description: string
  schema?: z.ZodType
  contentType?: string
  headers?: Record<string, string>
}

/** One method of one address: what the router mounts and what the OpenAPI document says of it. */
export interface Operation {
  method: Method
  /** Hono's syntax, with the trailing slash of the spec. */
  path: string
  access: Access
  /** Unique; the name that generated clients give the call. */
  operationId: string
  /** Pages for people are left out of the OpenAPI document. */
  tag: string | null
  summary: string
  description?: string
  params?: z.ZodObject
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodObject
  contentType?: string
  /** A body that may be sent. */
  example?: Record<string, unknown>
  /** Whether it takes an Idempotency-Key. */
  isOnce?: boolean
  successes: Record<number, Success>
  /** Codes beside those that its access class brings. */
  problems: ProblemCode[]
}

/** Of pages for people. */
export const shown = { 200: { description: "The page", contentType: "text/html" } }
/** Of forms: where the browser goes next. */
export const moved = (to: string) => ({ 303: { description: to, headers: { Location: to } } })

export type Handler = (c: AppContext) => Response | Promise<Response>
export interface Route {
  operation: Operation
  handler: Handler
}
type Guard = MiddlewareHandler<AppEnv>

export const route = (operation: Operation, handler: Handler): Route => ({ operation, handler })

/** A path parameter of the route that runs. */
export const param = (c: AppContext, name: string): string => c.req.param(name) ?? ""

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
