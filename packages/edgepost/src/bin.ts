#!/usr/bin/env node
// Starts the command line in its process. The other modules do not even load in an older Node.
import { setFlagsFromString } from "node:v8"

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`edgepost needs Node.js 22.18 or newer, and this is ${process.version}.`)
  console.error("Install a newer one from https://nodejs.org/.")
  process.exit(2)
}
// Else V8 comes to take what the parser of Markdown drops at once for what stays: half more time and memory for a large blog.
setFlagsFromString("--no-allocation-site-pretenuring")
const { main } = await import("./cli.ts")
const interrupt = new AbortController()
process.once("SIGINT", () => interrupt.abort())
const { argv, env, stdin, stdout, stderr } = process
const cwd = () => process.cwd()
const exit = (code: number) => process.exit(code)
process.exitCode = await main(argv.slice(2), { env, cwd, stdin, stdout, stderr, interrupt, exit })
