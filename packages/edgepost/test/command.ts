import { spawn } from "node:child_process"
import { join } from "node:path"

export const CLI = join(import.meta.dirname, "../src/cli.ts")

export interface Ran {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  /** The whole environment, but for PATH. */
  env?: Record<string, string>
  cwd?: string
  input?: string
  /** Called with functions that kill and that interrupt the process. */
  onStart?: (kill: () => void, interrupt: () => void) => void
}

/** Runs the command line in a process of its own, without a terminal and with nothing of this process' environment. */
export const edgepost = (args: string[], { env = {}, cwd, input = "", onStart }: RunOptions = {}): Promise<Ran> =>
  new Promise((done, fail) => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd, env: { PATH: process.env["PATH"], ...env } })
    const output = { stdout: "", stderr: "" }
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
    child.once("error", fail)
    child.once("close", (code, signal) => done({ code, signal, ...output }))
    child.stdin.on("error", () => {})
    child.stdin.end(input)
    onStart?.(
      () => child.kill("SIGKILL"),
      () => child.kill("SIGINT"),
    )
  })
