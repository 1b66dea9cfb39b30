// Does what one request of the service does with a body, but for its calls of stores.
import { Budget, TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import type { AppContext, RequestUsage } from "../../src/http/context.ts"
import { ApiError } from "../../src/http/errors.ts"
import { finish, render } from "../../src/markdown/render.ts"
import { OF_NEW, readEntry } from "../../src/micropub/entry.ts"
import type { Body, Outcome } from "./bodies.ts"

const PLACES = { origin: "https://a.example", readerOrigin: "https://a.example", domains: new Map() }
let requests = 0

/** Makes the part of a request that conversions read. Each has an account of its own, since refusals count by account. */
const requestOf = (usage: Partial<RequestUsage>): AppContext => {
  const account = { id: `account-${requests++}`, username: "ann", timezone: "UTC" }
  return { var: { account, now: new Date(), places: PLACES, usage } } as unknown as AppContext
}

const renderBody = (body: string): Outcome => {
  const budget = new Budget()
  const rendered = render(body, budget)
  const finished = rendered instanceof TooComplex ? rendered : finish(rendered, { show: () => null, language: "en" })
  return { refused: finished instanceof TooComplex ? finished.messageAt() : null, steps: budget.usedSteps }
}

/** Converts as one request does: HTML as Micropub, the others as the API. */
export const convert = ({ kind, text }: Body): Outcome => {
  if (kind !== "html") return renderBody(text)
  const usage: Partial<RequestUsage> = {}
  try {
    const { fields } = readEntry(requestOf(usage), { content: [{ html: text }] }, OF_NEW)
    const { refused, steps } = renderBody(String(fields["body"]))
    return { refused, steps: steps + (usage.steps ?? 0) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { refused: error.message, steps: usage.steps ?? 0 }
  }
}
