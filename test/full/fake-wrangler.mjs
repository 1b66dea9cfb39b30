#!/usr/bin/env node
// Plays wrangler for the test of `npm run deploy`. It keeps what was made in the file STATE, as Cloudflare would, and writes each
// command into it. At the command KILL_AT ("deploy 2": the second of these) it kills itself and its parent by KILL_BY, before it has
// taken effect or after (KILL_AFTER).
// The command that begins with FAIL fails.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"

const {
  STATE = "",
  KILL_AT = "",
  KILL_AFTER = "",
  KILL_BY = "SIGKILL",
  FAIL = "",
  ORIGIN = "",
  VERSION = "",
  WRANGLER_OUTPUT_FILE_PATH = "",
} = process.env
const args = process.argv.slice(2)
const state = JSON.parse(readFileSync(STATE, "utf8"))
const command = args
  .filter((arg, i) => !arg.startsWith("--") && !/^--(?:config|secrets-file|format)$/.test(args[i - 1] ?? ""))
  .join(" ")
const save = () => writeFileSync(STATE, JSON.stringify(state))
const die = () => {
  process.kill(process.ppid, KILL_BY)
  process.exit(137)
}
const fail = (text) => {
  console.error(text)
  process.exit(1)
}

state.commands.push(command)
save()
const isLast = `${command} ${state.commands.filter((one) => one === command).length}` === KILL_AT
if (isLast && KILL_AFTER === "") die()
if (FAIL !== "" && command.startsWith(FAIL)) fail("✘ [ERROR] A request to the Cloudflare API failed. [code: 10000]")

const take = (name) => args[args.indexOf(name) + 1]
const [word, verb, third, fourth] = command.split(" ")
const need = (isThere, text) => {
  if (!isThere) fail(text)
}
const makes = (list, name, what) => {
  if (state[list].includes(name)) fail(`${what} ${name} exists already.`)
  state[list].push(name)
}
if (word === "whoami") console.log(JSON.stringify({ accounts: state.accounts }))
else if (word === "d1" && verb === "list")
  console.log(JSON.stringify(state.databases.map((name) => ({ name, uuid: `id-of-${name}` }))))
else if (word === "d1" && verb === "create") makes("databases", third, "The database")
else if (word === "d1") state.migrated = true
else if (word === "kv" && third === "list")
  console.log(JSON.stringify(state.namespaces.map((title) => ({ title, id: `id-of-${title}` }))))
else if (word === "kv") makes("namespaces", fourth, "The namespace")
else if (word === "r2" && third === "info") need(state.buckets.includes(fourth), "The bucket does not exist.")
else if (word === "r2") makes("buckets", fourth, "The bucket")
else if (word === "queues" && verb === "info") need(state.queues.includes(third), "The queue does not exist.")
else if (word === "queues") makes("queues", third, "The queue")
else if (word === "secret") {
  need(state.deployed, "✘ [ERROR] This Worker does not exist on your account. [code: 10007]")
  console.log(JSON.stringify(state.secrets.map((name) => ({ name }))))
} else if (word === "deploy") {
  const config = readFileSync(take("--config"), "utf8")
  if (args.includes("--secrets-file"))
    state.secrets.push(...Object.keys(JSON.parse(readFileSync(take("--secrets-file"), "utf8"))))
  if (state.secrets.join() !== "OPERATOR_TOKEN,WEBHOOK_SECRET")
    fail(`These secrets are not the required ones: ${state.secrets}.`)
  for (const id of ["database_id", "id"])
    if (!new RegExp(`^${id} = "id-of-`, "m").test(config)) fail(`${id} is missing.`)
  state.deployed = true
  state.origin = /^PUBLIC_ORIGIN = "(.*)"$/m.exec(config)?.[1]
  appendFileSync(
    WRANGLER_OUTPUT_FILE_PATH,
    `${JSON.stringify({ type: "deploy", version_id: VERSION, targets: ["schedule: * * * * *", ORIGIN] })}\n`,
  )
} else fail(`Unknown command: ${command}`)
save()
if (isLast) die()
