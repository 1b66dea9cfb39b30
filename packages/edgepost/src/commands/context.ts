import { statSync } from "node:fs"

import { type Client, createClient, type Post } from "../client/index.ts"
import { EMPTY_CONFIG, type FolderConfig, findAccess, readConfig } from "../config.ts"
import type { Given } from "../options.ts"
import type { ProcessIo } from "../process-io.ts"
import { type Terminal, toJson } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"
import { findWorkspace } from "../workspace/workspace.ts"

/** The things that a command works with. */
export interface Context extends Omit<ProcessIo, "cwd" | "exit"> {
  operands: string[]
  options: Given
  terminal: Terminal
  /** The folder that the command was called in. */
  cwd: string
  now: Date
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

const LONG_WAIT_SECONDS = 10

/** A command. @returns its exit code */
export type Command = (context: Context) => Promise<number>

/** Takes the link of its preview from a post that the service answers. */
const withoutPreview = async <Answer extends { post: Post }>(answer: Promise<Answer>): Promise<Answer> => {
  const { post, ...rest } = await answer
  return { ...rest, post: { ...post, preview_url: null } } as Answer
}

/** Returns a client whose answers have no links of previews. */
const withoutPreviews = (client: Client): Client => ({
  ...client,
  getPost: (...given) => withoutPreview(client.getPost(...given)),
  putPost: (...given) => withoutPreview(client.putPost(...given)),
  patchPost: (...given) => withoutPreview(client.patchPost(...given)),
})

/** Opens a client with the key for where the options, the environment and the configuration say. @throws UsageError */
export const openClient = ({ options, env, terminal, signal }: Context, config: FolderConfig): Client => {
  const { url, key } = findAccess(options.url, config, env)
  const onWait = (seconds: number, reason: string) => {
    const text = `Waiting for ${Math.ceil(seconds)} s: ${reason}.`
    // Short waits are no news for a log.
    if (seconds < LONG_WAIT_SECONDS) terminal.progress(text, seconds)
    else terminal.note(text)
  }
  const client = createClient({ baseUrl: url, apiKey: key, signal, onWait })
  // A preview needs no key, and many may read the log of continuous integration.
  return env["CI"] && !options["show-previews"] ? withoutPreviews(client) : client
}

/** Reads the configuration of the folder that a command was called in. @throws UsageError */
export const readConfigHere = ({ cwd, env }: Pick<Context, "cwd" | "env">): FolderConfig => {
  const { configured } = findWorkspace(cwd, env)
  return configured === null ? EMPTY_CONFIG : readConfig(configured)
}

/** Prints a result: as JSON if the options say so, else the text. */
export const printResult = ({ options, terminal }: Context, data: object, text: () => string): void =>
  terminal.print(options.json ? toJson(data) : text())

/** Checks the path of a folder, which may not be there yet. @throws UsageError if something else is there */
export const requireFolder = (path: string): void => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError(`${path} is no folder.`, "Give the path of a folder.")
}
