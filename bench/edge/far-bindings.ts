// Bindings that are far away: each call takes the milliseconds of the request's header `X-Distance` more.

/** Makes methods of an object slower. */
const slow = <T extends object>(
  real: T,
  names: string[],
  ms: number,
  map: (result: unknown) => unknown = (x) => x,
): T =>
  new Proxy(real, {
    get: (target, name) => {
      const own: unknown = Reflect.get(target, name)
      if (typeof own !== "function") return own
      return (...args: unknown[]): unknown => {
        const call = (): unknown => Reflect.apply(own, target, args)
        return names.includes(String(name)) ? scheduler.wait(ms).then(call) : map(call())
      }
    },
  })

const SENDING = ["run", "all", "first", "raw"]

/** Makes the calls of a statement slower; those that it is bound to as well. It stays what `batch` takes. */
const slowStatement = (statement: D1PreparedStatement, ms: number): D1PreparedStatement => {
  for (const name of [...SENDING, "bind"]) {
    const own = Reflect.get(statement, name) as (...args: unknown[]) => unknown
    const call = (...args: unknown[]): unknown => Reflect.apply(own, statement, args)
    const value =
      name === "bind"
        ? (...args: unknown[]) => slowStatement(call(...args) as D1PreparedStatement, ms)
        : (...args: unknown[]) => scheduler.wait(ms).then(() => call(...args))
    Object.defineProperty(statement, name, { value })
  }
  return statement
}

const slowDatabase = (db: D1Database, ms: number): D1Database =>
  slow(db, ["batch", "exec"], ms, (result) => {
    if (result !== null && typeof result === "object" && "batch" in result)
      return slowDatabase(result as D1Database, ms)
    return result !== null && typeof result === "object" && "bind" in result
      ? slowStatement(result as D1PreparedStatement, ms)
      : result
  })

/** Returns the bindings of a request with a distance. */
export const farEnv = (env: Env, request: Request): Env => {
  const ms = Number(request.headers.get("X-Distance") ?? 0)
  if (ms === 0) return env
  return {
    ...env,
    DB: slowDatabase(env.DB, ms),
    IMAGE_TICKETS: slow(env.IMAGE_TICKETS, ["get", "put", "delete"], ms),
    MEDIA: slow(env.MEDIA, ["get", "head", "put", "delete"], ms),
    UPLOAD_LIMITER: slow(env.UPLOAD_LIMITER, [], ms, (object) =>
      slow(object as object, ["take", "count", "release"], ms),
    ),
  }
}
