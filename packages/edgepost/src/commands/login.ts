import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import { addAbortSignal } from "node:stream"
import { text } from "node:stream/consumers"

import { createClient } from "../client/index.ts"
import { loginFile, originOf, readLogins } from "../config.ts"
import { replaceFile } from "../replace-file.ts"
import { plain } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"
import { ask } from "./ask.ts"
import type { Command } from "./context.ts"

const QUESTION = "Paste the key of your settings page, then press Enter. It is not shown.\n"

/** Keeps a key for the origin of a service, once the service accepts it. Only this user can read the file. */
export const login: Command = async (context) => {
  const { options, env, stdin, terminal, signal } = context
  // Never from a file of the folder, which could lead the key elsewhere.
  const url = options.url ?? env["EDGEPOST_URL"]
  if (!url) throw new UsageError("The address of the service is missing.", "Give --url ADDRESS.")
  const origin = originOf(url)
  const given = stdin.isTTY ? ask(context, QUESTION, { isHidden: true }) : text(addAbortSignal(signal, stdin))
  const apiKey = (await given)?.trim()
  if (!apiKey) throw new UsageError("No key was given.", "Pipe it in: edgepost login --url ADDRESS < key.txt")
  const { username, key } = await createClient({ baseUrl: origin, apiKey, signal }).getAccount()
  const file = loginFile(env)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const logins = { ...readLogins(env), [origin]: apiKey }
  await replaceFile(file, `${JSON.stringify(logins, null, 2)}\n`, 0o600)
  terminal.print(plain(`Logged in to ${origin} as @${username} with the key ${key?.name} (${key?.scope}).`))
  return 0
}
