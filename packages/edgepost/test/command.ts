import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"

import { main } from "../src/cli.ts"
import type { ProcessIo } from "../src/process-io.ts"

export const CLI = join(import.meta.dirname, "../src/bin.ts")

export interface Ran {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  /** The whole environment; a process also has PATH. */
  env?: Record<string, string>
  cwd?: string
  /** Standard input; null leaves that of a process open. */
  input?: string | null
}

const exit = (code: number) => {
  throw new Error(`The process would exit with ${code}.`)
}

/** Returns what `main` uses of a process, without a terminal, and the output that it collects. */
export const openIo = ({ env = {}, cwd = process.cwd(), input }: RunOptions = {}) => {
  const output = { stdout: "", stderr: "" }
  const collect = (name: keyof typeof output) =>
    new Writable({ decodeStrings: false, write: (text: string, _, done) => done(void (output[name] += text)) })
  const [stdin, stdout, stderr] = [Readable.from([input ?? ""]), collect("stdout"), collect("stderr")]
  const io: ProcessIo = { env, cwd: () => cwd, stdin, stdout, stderr, interrupt: new AbortController(), exit }
  return { io, output }
}

/** Runs the command line in this process: another one takes longer to start than most commands to run. */
export const edgepost = async (
  args: string[],
  { interrupt = new AbortController(), ...options }: RunOptions & { interrupt?: AbortController } = {},
): Promise<Ran> => {
  const { io, output } = openIo(options)
  return { code: await main(args, { ...io, interrupt }), signal: null, ...output }
}

/** Starts the command line in a process of its own, without a terminal and with nothing of this process' environment. */
export const spawnEdgepost = (args: string[], { env, cwd, input = "" }: RunOptions = {}) => {
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env: { PATH: process.env["PATH"], ...env } })
  const output = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
  child.stdin.on("error", () => {})
  if (input !== null) child.stdin.end(input)
  const ended = once(child, "close").then(([code, signal]): Ran => ({ code, signal, ...output }))
  return { child, ended }
}
