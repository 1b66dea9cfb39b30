// Deploys the service to Cloudflare, and makes there what it lacks: stores, queues, tables, the operator's token, the first account.
import { userInfo } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

import { UsernameParam } from "../src/accounts/input.ts"
import { Failure, main, readOptions } from "./cli.ts"
import { Deployment, givenSecret, SECRETS } from "./deployment-steps.ts"
import { ROOT } from "./tools.ts"

const USAGE = `Usage: npm run deploy -- [OPTIONS]

  --dry-run        Say what would be done, and change nothing. Before you are signed in: as if nothing was there.
  --config FILE    Another configuration beside wrangler.toml, for a second deployment.
  --username NAME  The account to make, with a sign-in link. The first deployment makes one by itself.

CLOUDFLARE_API_TOKEN signs in without a browser, and also switches on read replication.
OPERATOR_TOKEN and WEBHOOK_SECRET are used instead of new ones.`

const READY_TRIES = 60
const READY_MS = 2000

const SIGN_IN_COMMAND = "OPERATOR_TOKEN=… npm run deploy -- --username NAME"

/** Returns the name of the first account: that of the person on this machine. */
const ownName = (): string => {
  // Matches what a username may not have: the blank of `ann b`. Does not match `ann-b`.
  const name = userInfo()
    .username.toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "")
  return name === "root" || name === "" ? "blog" : name
}

/**
 * Makes an account if it is not there yet, and prints its sign-in link.
 * @param version the id of the version just deployed, which has to answer at the origin
 * @throws Failure
 */
const makeAccount = async (origin: string, token: string, username: string, version: string | null): Promise<void> => {
  const call = (method: string, path: string, json?: object): Promise<Response> =>
    fetch(`${origin}/operator/api/accounts/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(json && { body: JSON.stringify(json) }),
    })
  const read = async (answer: Response): Promise<Record<string, unknown>> => {
    if (!answer.ok) {
      const { detail } = await answer.json<{ detail?: string }>().catch(() => ({ detail: undefined }))
      throw new Failure(`${origin} answers ${answer.status}. ${detail ?? ""}`)
    }
    return answer.json<Record<string, unknown>>()
  }
  // Only this deployment knows its new, random id, so no parked domain and no older host gets the token.
  const isUp = (): Promise<boolean> =>
    fetch(`${origin}/healthz/`, { redirect: "error" })
      .then((answer) => answer.json<{ version?: string }>())
      .then((health) => version !== null && health.version === version)
      .catch(() => false)
  // A new address takes a while to be known everywhere.
  console.log(`Waiting for ${origin} (up to ${(READY_TRIES * READY_MS) / 60_000} minutes)`)
  for (let tries = 1; !(await isUp()); tries += 1) {
    if (tries === READY_TRIES)
      throw new Failure(
        `${origin} does not answer with this version yet. See that it leads to the Worker. In some minutes, run:\n\n${SIGN_IN_COMMAND}`,
      )
    await sleep(READY_MS)
  }
  const found = await call("GET", `${username}/`)
  if (found.status !== 404) await read(found)
  else {
    await read(await call("PATCH", `${username}/`, { paid_until: "2099-01-01T00:00:00Z" }))
    console.log(`Made the account ${username}, paid until 2099. Its blog is ${origin}/@${username}/`)
  }
  const { sign_in_url } = await read(await call("POST", `${username}/sign-in-links/`))
  console.log(`\nOpen this once, within 15 minutes, to sign in as ${username}:\n${String(sign_in_url)}`)
}

await main(async () => {
  const { values } = readOptions(
    {
      options: {
        "dry-run": { type: "boolean", default: false },
        config: { type: "string", default: join(ROOT, "wrangler.toml") },
        username: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    },
    USAGE,
  )
  if (values.help) {
    console.log(USAGE)
    return
  }
  if (values.username !== undefined && !UsernameParam.safeParse(values).success)
    throw new Failure("--username has 1 to 39 of a-z, 0-9 and hyphens, no hyphen at the ends.")
  for (const name of SECRETS) givenSecret(name)
  // With a listener, a signal ends the run after its step, which removes the secrets that it has written for wrangler.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1))
  const deployment = new Deployment({ file: resolve(values.config), isDry: values["dry-run"] })
  deployment.signIn()
  deployment.makeDatabase()
  deployment.makeNamespace()
  deployment.makeBucketAndQueues()
  deployment.migrate()
  const secrets = deployment.newSecrets()
  if (deployment.setOrigin(deployment.deploy(secrets))) deployment.deploy({}, "deploy again, with its PUBLIC_ORIGIN")
  await deployment.replicate()
  const { OPERATOR_TOKEN: token } = secrets
  const username = values.username ?? (token === undefined ? undefined : ownName())
  if (values["dry-run"]) {
    if (username !== undefined) console.log(`Would do: make the account ${username}, and print its sign-in link`)
    return
  }
  const origin = String(deployment.config.vars["PUBLIC_ORIGIN"])
  const known = token ?? givenSecret("OPERATOR_TOKEN")
  if (username !== undefined && known !== null) await makeAccount(origin, known, username, deployment.version)
  console.log(`\nDeployed: ${origin}`)
  const hint = `For a sign-in link, with the token that the first deployment has printed:\n${SIGN_IN_COMMAND}`
  if (username === undefined) console.log(hint)
  else if (known === null) throw new Failure(hint)
})
