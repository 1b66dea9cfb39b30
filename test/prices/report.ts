import { onTestFinished, vi } from "vitest"

import { type Holdings, MANY } from "./fill.ts"
import { type Spent, measure, newScene } from "./measure.ts"
import { boundsOf, type Price, PRICES, type PricedRequest, THE_EDGE } from "./requests.ts"

/** A request and what it has cost, by the name of the account. */
interface Line {
  route: string
  price: Price
  request: PricedRequest
  costs: Record<string, Spent>
}

/** A number that is above its bound. */
interface Excess {
  where: string
  what: string
  bound: number
  costs: Record<string, number>
  dearest: string
}

const isOther = ({ request }: Line): boolean => request.isLast === true && request.as === "author"

/** Measures the requests of routes, by default of all, with accounts of these names, one account after the other. */
export const measureAll = async (
  accounts: Record<string, Holdings>,
  routes: string[] = Object.keys(PRICES),
): Promise<Line[]> => {
  // A failed test prints what the Worker has logged, which is a thousand requests here.
  const quiet = vi.spyOn(console, "info").mockImplementation(() => {})
  onTestFinished(() => quiet.mockRestore())
  const lines = routes.flatMap((route): Line[] => {
    const price = PRICES[route]
    if (!price) throw new Error(`${route} has no price.`)
    return price.requests.map((request) => ({ route, price, request, costs: {} }))
  })
  for (const [i, [name, has]] of Object.entries(accounts).entries()) {
    const scene = await newScene(name, i, has)
    // The author erases another account than the operator.
    const other = lines.some(isOther)
      ? await newScene(`${name}-too`, 10 + i, has.posts > MANY.posts ? MANY : has)
      : scene
    for (const line of lines) line.costs[name] = await measure(line.request, isOther(line) ? other : scene)
  }
  return lines
}

/** Names a request, and a job or a queue by its own name. */
export const nameOf = (route: string, { method, path, as, name, special }: PricedRequest): string => {
  if (special !== undefined) return route
  const short = path.length > 90 ? `${path.slice(0, 80)}…` : path
  return `${method} ${short}${name === undefined ? "" : `, ${name}`} (${as})`
}

/** Bytes of an answer as the least power of two that holds them, in KiB. */
const kib = (bytes: number): number => (bytes === 0 ? 0 : 2 ** Math.max(0, Math.ceil(Math.log2(bytes / 1024))))

/** Returns a step of a job, or the request. */
const stepOf = (route: string, { isOfSteps }: Price, { read, written, step }: Spent) =>
  isOfSteps || /^(?:job|queue):/.test(route) ? step : { read, written }

/** Returns what exceeds the bounds of its price, the worst first. */
export const excessesOf = (lines: Line[], accounts: Record<string, Holdings>): Excess[] => {
  const found = lines.flatMap(({ route, price, request, costs }): Excess[] => {
    const where = nameOf(route, request)
    const isRefused = ({ status }: Spent) => status >= 400 && status !== request.status
    const check = (what: string, valueOf: (cost: Spent) => number, boundOf: (has: Holdings) => number): Excess[] => {
      const over = Object.entries(costs).filter(([name, cost]) => valueOf(cost) > boundOf(accounts[name] as Holdings))
      if (over.length === 0) return []
      const [name, worst] = over.at(-1) ?? []
      if (name === undefined || !worst) return []
      const { dearest, refusal } = worst
      return [
        {
          where,
          what,
          bound: boundOf(accounts[name] as Holdings),
          costs: Object.fromEntries(Object.entries(costs).map(([account, cost]) => [account, valueOf(cost)])),
          dearest:
            (isRefused(worst) && refusal) ||
            `${dearest.rows} rows: ${dearest.sql.replaceAll(/\s+/g, " ").slice(0, 200)}`,
        },
      ]
    }
    return [
      ...check(
        "status",
        (cost) => (isRefused(cost) ? cost.status : 0),
        () => 0,
      ),
      ...check(
        `${price.cost}: rows read`,
        (cost) => stepOf(route, price, cost).read,
        (has) => boundsOf(price, has)?.read ?? Infinity,
      ),
      ...check(
        `${price.cost}: rows written`,
        (cost) => stepOf(route, price, cost).written,
        (has) => boundsOf(price, has)?.written ?? Infinity,
      ),
      ...check(
        "trips",
        (cost) => cost.trips,
        () => price.trips,
      ),
      ...check(
        "KiB",
        (cost) => Math.ceil(cost.bytes / 1024),
        () => price.kb,
      ),
    ]
  })
  const ratio = ({ costs, bound }: Excess) => Math.max(...Object.values(costs)) / Math.max(1, bound)
  return found.toSorted((one, other) => ratio(other) - ratio(one))
}

/** Names the routes that are dear and have no limit of their own. */
export const unlimited = (lines: Line[]): string[] => {
  const asked = (route: string) =>
    lines.filter((line) => line.route === route).flatMap(({ costs }) => Object.values(costs))
  return Object.entries(PRICES)
    .filter(([route, { cost, limiter }]) => {
      if (cost === "constant" || limiter === THE_EDGE || !/^[A-Z]+ \//.test(route)) return false
      return limiter === undefined || !asked(route).some(({ limiters }) => limiters.includes(limiter))
    })
    .map(([route]) => route)
}

/** Writes an excess in one line. */
export const show = ({ where, what, bound, costs, dearest }: Excess): string =>
  `${where}\n  ${what}: at most ${bound}; ${Object.entries(costs)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ")}\n  ${dearest}`

/** Writes a number of each account, or one number if they are equal. */
const each = (numbers: (number | string)[]): string =>
  new Set(numbers).size === 1 ? String(numbers[0]) : numbers.join(" → ")

const lineOf = ({ route, request, costs }: Line): string => {
  const all = Object.values(costs)
  const of = (valueOf: (spent: Spent) => number) => each(all.map(valueOf))
  const status = of((spent) => spent.status)
  return `  ${[
    `${of(({ read }) => read)} read`,
    `${of(({ written }) => written)} written`,
    `${of(({ trips }) => trips)} trips`,
    `${of(({ bytes }) => kib(bytes))} KiB`,
  ].join(", ")}: ${nameOf(route, request)}${status === "0" ? "" : `, ${status}`}`
}

/** Writes the price list as a text. */
export const priceList = (lines: Line[], accounts: Record<string, Holdings>): string =>
  [
    `Numbers of ${Object.keys(accounts).join(" → ")} account; one number if they are equal. Rows are those of D1, trips its calls.`,
    ...[...Map.groupBy(lines, ({ route }) => route)].map(([route, group]) => {
      const price = PRICES[route]
      if (!price) return route
      const bounds = Object.values(accounts).map((has) => boundsOf(price, has))
      const read = each(bounds.map((most) => most?.read ?? "any"))
      const written = each(bounds.map((most) => most?.written ?? "any"))
      const limiter = price.limiter ? `, counted by ${price.limiter}` : ""
      const most = `at most ${read} read, ${written} written, ${price.trips} trips, ${price.kb} KiB`
      return [`${route}\n  ${price.cost}${limiter}: ${most}`, ...group.map(lineOf)].join("\n")
    }),
  ].join("\n\n")
