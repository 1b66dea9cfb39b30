import { adviceFor, PartlyDone } from "../failure.ts"
import type { Entry } from "../plan/entry.ts"
import { Noise } from "../plan/noise.ts"
import { type Outcome, publishPlan, publishRedirects } from "../plan/publish.ts"
import { endsRun } from "../plan/refusals.ts"
import { outcomeToJson, planToJson, showNoise, showOutcome, showPlan, showSum } from "../plan/screen.ts"
import { plain, toJson } from "../terminal.ts"
import { type Command, openClient } from "./context.ts"
import { bar, isPending, openBlog, planBlog } from "./plan.ts"

/** Plans, then does what the plan says. */
export const publish: Command = async (context) => {
  const blog = await openBlog(context)
  const client = openClient(context, blog.config)
  const made = await planBlog(client, blog, context)
  const { terminal, options, signal } = context
  const outcomes: Outcome[] = []
  const noise = new Noise(made.entries.length)
  const all = made.entries.filter(isPending).length
  if (!options.json) terminal.print(`${showPlan(made, terminal.style)}${all > 0 ? "\n" : ""}`)
  let done = 0
  let at = ""
  const toResult = () => ({ ...planToJson(made), outcomes: outcomes.map(outcomeToJson) })
  const onStep = (entry: Entry, step: string) => {
    at = `${entry.slug}: ${step}`
    terminal.progress(`${bar(done, all)} ${at}`)
  }
  if (made.stop !== null) {
    if (options.json) terminal.print(toJson(toResult()))
    return 1
  }
  let redirected: string | null = null
  try {
    for await (const outcome of publishPlan(client, made, { signal, onStep })) {
      outcomes.push(outcome)
      if (outcome.result === "unchanged" || outcome.result === "blocked") continue
      done += 1
      noise.add(outcome.warnings)
      const shown = { ...outcome, warnings: noise.rest(outcome.warnings) }
      if (!options.json) terminal.print(showOutcome(shown, terminal.style))
    }
    if (!outcomes.some((outcome) => outcome.error && endsRun(outcome.error))) {
      at = "redirects from old addresses"
      redirected = await publishRedirects(client, made)
    }
  } catch (error) {
    const written = outcomes.filter(({ result }) =>
      ["created", "updated", "withdrawn", "removed"].includes(result),
    ).length
    const message = `Done: ${written} of ${all} posts. Run the command again: it goes on where this one stopped.`
    throw new PartlyDone(message, error, plain(at), toResult())
  }
  terminal.progress("")
  const left = made.entries.length - outcomes.length
  const error = outcomes.at(-1)?.error
  terminal.print(
    options.json ? toJson(toResult()) : [...showNoise(noise, terminal.style), showSum(outcomes)].join("\n"),
  )
  if (!options.json && redirected !== null) terminal.print(redirected)
  if (!options.json && error && endsRun(error))
    terminal.note(`Stopped: ${left} of ${made.entries.length} posts were not reached.\n${adviceFor(error)}`)
  const isBad = outcomes.some(({ result }) => result === "failed" || result === "blocked")
  return isBad || left > 0 ? 1 : 0
}
