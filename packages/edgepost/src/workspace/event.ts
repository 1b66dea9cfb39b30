import { readFileSync } from "node:fs"

/** The event that started a run, as GitHub tells its steps. */
export interface StartEvent {
  /** Its name, such as `push`. */
  name: string
  /** The branch, the tag or the pull request: `refs/heads/main`. */
  ref: string
  /** Its commit, in hex. */
  sha: string
  /** The branch whose posts are published; null if the event does not say. */
  defaultBranch: string | null
  /** Number of the pull request; null for other events. */
  pullRequest: number | null
}

interface Payload {
  repository?: { default_branch?: string }
  pull_request?: { number?: number }
}

/** Reads what an event says; {} if the runner of another forge writes nothing there. */
const readPayload = (file: string): Payload => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Payload
  } catch {
    return {}
  }
}

/** Reads the event of a run from its environment. */
export const readEvent = (env: Record<string, string | undefined>): StartEvent => {
  const { repository, pull_request } = readPayload(env["GITHUB_EVENT_PATH"] ?? "")
  return {
    name: env["GITHUB_EVENT_NAME"] ?? "",
    ref: env["GITHUB_REF"] ?? "",
    sha: env["GITHUB_SHA"] ?? "",
    defaultBranch: repository?.default_branch ?? null,
    pullRequest: pull_request?.number ?? null,
  }
}

/** Returns the name of the branch of an event; null for tags and pull requests. */
export const branchOf = ({ ref }: StartEvent): string | null =>
  ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null

/** Events that publish, if they are of the default branch. */
const PUBLISHING = new Set(["push", "schedule", "workflow_dispatch", "repository_dispatch"])

/** Tells why an event publishes nothing by itself; null if it publishes. */
export const whyOnlyPlan = (event: StartEvent): string | null => {
  const { name, ref, defaultBranch } = event
  if (!PUBLISHING.has(name)) return `the event ${name} publishes nothing`
  // Its event has no repository, and it is of the default branch alone.
  if (name === "schedule") return null
  if (defaultBranch === null) return "the event does not say which branch is published"
  return branchOf(event) === defaultBranch ? null : `${branchOf(event) ?? ref} is not ${defaultBranch}`
}
