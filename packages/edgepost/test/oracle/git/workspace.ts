import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import { parse } from "yaml"

import { ROOT } from "../../../../../scripts/tools.ts"

// A runner of GitHub: a folder with a workspace, in which steps run with what GitHub sets and nothing else.

const TAG = "v7.0.1"
const CLONE = join(ROOT, "node_modules/.cache/oracle/actions-checkout", TAG)

/** What a runner without Git has, as the container `node:24-slim`. */
const SMALL_TOOLS = ["bash", "sh", "tar", "gzip"]

interface Action {
  inputs: Record<string, { default?: string | boolean | number | null }>
  runs: { main?: string; steps?: { id?: string; run?: string; env?: Record<string, string> }[] }
}

type Values = Record<string, string>

const readAction = (folder: string): Action => parse(readFileSync(join(folder, "action.yml"), "utf8")) as Action

/** Returns the folder of actions/checkout: that of the environment, else a clone of the tag. */
export const findCheckout = (): string => {
  const folder = process.env["ACTIONS_CHECKOUT"] ?? CLONE
  const args = ["clone", "-q", "--depth=1", `--branch=${TAG}`, "https://github.com/actions/checkout", folder]
  if (!existsSync(folder)) execFileSync("git", args, { stdio: "inherit" })
  return folder
}

const run = (command: string[], env: Values, cwd: string): Promise<{ code: number; log: string }> =>
  new Promise((done) => {
    const [file = "", ...args] = command
    execFile(file, args, { env, cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 1) : 0, log: stdout + stderr })
    })
  })

const bash = (script: string): string[] => ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]

const find = (tool: string): string => execFileSync("which", [tool], { encoding: "utf8" }).trim()

/** Fills in what stands between `${{` and `}}`. */
const fill = (text: string, values: Values): string =>
  text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, name: string) => values[name] ?? "")

/** What a runner is made for. */
interface Setting {
  github: string
  /** With its owner. */
  repository: string
  event: string
  payload: object
  ref: string
  sha: string
  hasGit: boolean
  /** The global configuration of Git. */
  gitconfig: string
}

/** Makes a runner in a new folder. */
export const newRunner = (folder: string, setting: Setting) => {
  const { github, repository, event, payload, ref, sha, hasGit, gitconfig } = setting
  const place = (name: string) => join(folder, name)
  for (const name of ["home", "temp", "bin", "workspace"]) mkdirSync(place(name), { recursive: true })
  writeFileSync(place("home/.gitconfig"), gitconfig)
  writeFileSync(place("event.json"), JSON.stringify(payload))
  symlinkSync(process.execPath, place("bin/node"))
  if (!hasGit) for (const tool of SMALL_TOOLS) symlinkSync(find(tool), place(`bin/${tool}`))
  const workspace = place("workspace")
  const env = {
    PATH: hasGit ? `${place("bin")}:${process.env["PATH"]}` : place("bin"),
    HOME: place("home"),
    CI: "true",
    GITHUB_ACTIONS: "true",
    RUNNER_TEMP: place("temp"),
    GITHUB_WORKSPACE: workspace,
    GITHUB_REPOSITORY: repository,
    GITHUB_SERVER_URL: github,
    GITHUB_API_URL: `${github}/api`,
    GITHUB_EVENT_NAME: event,
    GITHUB_EVENT_PATH: place("event.json"),
    GITHUB_REF: ref,
    GITHUB_SHA: sha,
    GITHUB_OUTPUT: place("output"),
    GITHUB_STATE: place("state"),
    GITHUB_STEP_SUMMARY: place("summary"),
  }
  const contexts = { "github.repository": repository, "github.token": "token", "github.action_path": ROOT }
  /** Returns the inputs of a step: those that are given, and the defaults of the others. */
  const fillInputs = ({ inputs }: Action, given: Values): [name: string, value: string][] =>
    Object.entries(inputs).map(([name, one]) => [name, given[name] ?? fill(String(one.default ?? ""), contexts)])
  /** Runs a step. @returns its exit code, and what it wrote */
  const runStep = async (command: string[], more: Values = {}) => {
    const files = [env.GITHUB_OUTPUT, env.GITHUB_STATE, env.GITHUB_STEP_SUMMARY]
    for (const file of files) writeFileSync(file, "")
    const result = await run(command, { ...env, ...more }, workspace)
    const [output = "", , summary = ""] = files.map((file) => readFileSync(file, "utf8"))
    return { ...result, output, summary }
  }
  return {
    runScript: (script: string) => runStep(bash(script)),
    /** Runs actions/checkout. */
    checkOut: (given: Values) => {
      const action = readAction(findCheckout())
      const inputs = fillInputs(action, given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])
      return runStep(["node", join(findCheckout(), action.runs.main ?? "")], Object.fromEntries(inputs))
    },
    /** Runs the step of this repository's action.yml that publishes. */
    publish: (given: Values) => {
      const action = readAction(ROOT)
      const { run: script = "", env: own = {} } = action.runs.steps?.find(({ id }) => id === "edgepost") ?? {}
      const inputs = fillInputs(action, given).map(([name, value]) => [`inputs.${name}`, value])
      const values = { ...contexts, ...Object.fromEntries(inputs) }
      const filled = Object.entries(own).map(([name, value]) => [name, fill(value, values)])
      return runStep(bash(script), Object.fromEntries(filled))
    },
  }
}
