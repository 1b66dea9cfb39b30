import { mkdir, rename, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import { text } from "node:stream/consumers"

import { createClient } from "../client/index.ts"
import { loginFile, originOf, readLogins } from "../config.ts"
import { UsageError } from "../usage-error.ts"
import type { Command, Context } from "./context.ts"

/** Reads a line without showing it. */
const readHidden = ({ input, terminal, signal }: Context): Promise<string> => {
  terminal.note("Paste the key of your settings page, then press Enter. It is not shown.")
  const lines = createInterface({ input, output: new Writable({ write: (_, __, done) => done() }), terminal: true })
  return new Promise((done, fail) => {
    lines.once("line", (line) => {
      lines.close()
      done(line)
    })
    signal.addEventListener("abort", () => fail(signal.reason as Error), { once: true })
  })
}

/** Keeps a key for the origin of a service, once the service accepts it. Only this user can read the file. */
export const login: Command = async (context) => {
  const { options, env, input, terminal, signal } = context
  // Never from a file of the folder, which could lead the key elsewhere.
  const url = options.url ?? env["EDGEPOST_URL"]
  if (!url) throw new UsageError("Which service?", "Give --url ADDRESS.")
  const origin = originOf(url)
  const apiKey = (input.isTTY ? await readHidden(context) : await text(input)).trim()
  if (apiKey === "") throw new UsageError("No key was given.", "Pipe it in: edgepost login --url ADDRESS < key.txt")
  const { username, key } = await createClient({ baseUrl: origin, apiKey, signal }).getAccount()
  const file = loginFile(env)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const logins = { ...readLogins(env), [origin]: apiKey }
  // A new file, since one that is there may be open to others.
  await writeFile(`${file}.new`, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  terminal.print(`Logged in to ${origin} as @${username} with the key ${key?.name} (${key?.scope}).`)
  return 0
}
