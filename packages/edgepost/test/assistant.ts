import { PassThrough } from "node:stream"

import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { expect } from "vitest"

import { afterFile } from "../../../test/after-file.ts"
import { main } from "../src/cli.ts"
import { openIo } from "./command.ts"

/** The latest revision of the protocol, which has no `initialize`. */
export const STATELESS = "2026-07-28"

interface ConnectOptions {
  env: Record<string, string>
  args?: string[]
  /** The command line of a process to start; if omitted, `edgepost mcp` runs in this process. */
  program?: [command: string, ...args: string[]]
  /** The revision to speak; that of older assistants if omitted. */
  revision?: string | undefined
}

/** Starts `edgepost mcp` and connects to it as an assistant does. */
export const connect = async ({ env, args = [], program, revision }: ConnectOptions): Promise<Client> => {
  const mode = revision === undefined ? "legacy" : { pin: revision }
  const client = new Client({ name: "tests", version: "1.0.0" }, { versionNegotiation: { mode } })
  afterFile(() => client.close())
  if (program === undefined) {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    void main(["mcp", ...args], { ...openIo({ env }).io, stdin, stdout })
    afterFile(() => stdin.end())
    // Both ends of this transport read lines of one stream and write lines to another.
    await client.connect(new StdioServerTransport(stdout, stdin))
  } else {
    const [command, ...before] = program
    await client.connect(new StdioClientTransport({ command, args: [...before, "mcp", ...args], env }))
  }
  return client
}

/** Matches an answer: what is said before the marks, their name, and what is between them. */
const ANSWER = /^([^<]*)<(edgepost-data-[\da-f-]{36})>\n([^]*)\n<\/\2>$/

/** Calls a tool. @returns its answer, taken apart at its marks; `data` has the `text` between them if that is no JSON */
export const callTool = async (client: Client, name: string, input: object) => {
  const { content, isError = false } = await client.callTool({ name, arguments: { ...input } })
  const [only] = content
  const text = only?.type === "text" ? only.text : ""
  const [, before = "", mark = "", between = ""] = ANSWER.exec(text) ?? []
  expect(mark, text).not.toBe("")
  // oxlint-disable-next-line typescript/no-explicit-any -- The tests name the fields that they expect.
  const data: any = between.startsWith("{") ? JSON.parse(between) : { text: between }
  return { isError, before, mark, between, data }
}
