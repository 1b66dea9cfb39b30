// Makes the posts of an export in another account or instance.
import { openAsBlob } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

import { type Archive, openArchive } from "./archive.ts"
import { Failure, main, messageOf, readOptions } from "./cli.ts"
import { restoreAccount } from "./restore-account.ts"
import { complaintOf, type Options, restore } from "./restore.ts"

const USAGE = `KEY=<API key> node scripts/run.mjs import <export.zip> --base <URL> [--keep-translations]

KEY                  the API key of the account that gets the posts; authors make one in their blog settings
--base               the URL of the service; by default the value of BASE in the environment
--keep-translations  also send machine-made translations: they are not made again, and count as edited by hand;
                     those into languages that a post does not list are always sent`

interface Arguments {
  file: string
  base: string
  key: string
  keep: boolean
}

/** Reads the command line. @returns null if it asks for help */
const readArguments = (): Arguments | null => {
  const options = {
    base: { type: "string" },
    "keep-translations": { type: "boolean" },
    help: { type: "boolean", short: "h" },
  } as const
  const { values, positionals } = readOptions({ options, allowPositionals: true }, USAGE)
  if (values.help) return null
  const [file = "", ...others] = positionals
  const { BASE = "", KEY: key = "" } = process.env
  const base = values.base ?? BASE
  const wrong = [
    (file === "" || others.length > 0) && "Name one zip; several are imported one after another.",
    // Matches `https://blog.example`. Does not match `blog.example`.
    !/^https?:\/\/[^/]/.test(base) && "--base is not a URL such as https://blog.example.",
    // Matches `bpa_abc`. Does not match an empty text or one with spaces.
    !/^[\x21-\x7e]+$/.test(key) && (key ? "KEY is not an API key." : "KEY is not set."),
  ].filter((line) => line !== false)
  if (wrong.length > 0) throw new Failure([...wrong, "", USAGE].join("\n"))
  // Matches the end of `https://blog.example/`. Does not match `https://blog.example`.
  return { file, base: base.replace(/\/+$/, ""), key, keep: values["keep-translations"] ?? false }
}

const send = async (url: string, init: RequestInit) => {
  try {
    const answer = await fetch(url, init)
    return { answer, text: await answer.text() }
  } catch (error) {
    const reason = messageOf(error instanceof Error && error.cause ? error.cause : error)
    throw new Failure(
      `${init.method} ${url} got no answer (${reason}). Check the URL, then import again: the import continues where it stopped.`,
    )
  }
}

const requester =
  ({ base, key }: Pick<Arguments, "base" | "key">): Options["request"] =>
  async (method, path, body, idempotencyKey) => {
    const isForm = body instanceof FormData
    const headers = {
      "X-API-KEY": key,
      ...(body !== undefined && !isForm && { "Content-Type": "application/json" }),
      ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
    }
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
    const { answer, text } = await send(`${base}${path}`, { method, headers, ...sent })
    const isJson = answer.headers.get("Content-Type")?.includes("json")
    return {
      status: answer.status,
      retryAfter: Number(answer.headers.get("Retry-After")),
      replayed: answer.headers.get("Idempotent-Replayed") === "true",
      json: isJson ? JSON.parse(text) : undefined,
    }
  }

const openFile = async (file: string): Promise<Archive> => {
  try {
    return await openArchive(await openAsBlob(file))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${file} is not an export, or cannot be read: ${messageOf(error)}`)
  }
}

const report: Options["report"] = (kind, line) => console.log(`  ${kind.padEnd(8)} ${line}`)

const wait = async (seconds: number): Promise<void> => {
  console.log(`  waiting  ${seconds} s, as the service asks`)
  await sleep(seconds * 1000)
}

await main(async () => {
  const given = readArguments()
  if (!given) {
    console.log(USAGE)
    return
  }
  const { file, base, key, keep } = given
  const archive = await openFile(file)
  const request = requester({ base, key })
  const { status, json } = await request("GET", "/api/blogcontroller/account/")
  const account = json?.account
  if (status !== 200 || !account)
    throw new Failure(`${base} answers ${status}: ${json?.detail ?? "this is not edgepost."}`)
  const { username } = account
  const { posts, pictures, username: from, next_cursor } = archive.manifest
  console.log(`Posts: ${posts}, images: ${pictures}, of ${from}; for ${username} at ${base}`)
  const lost = await restoreAccount(archive, account, { request, wait, report })
  const outcome = await restore(archive, { username, request, wait, report, keep })
  const { made, there, skipped, failed } = outcome
  console.log(`${made.length} made, ${there.length} there already, ${skipped.length} skipped, ${failed.length} failed.`)
  if (next_cursor !== null) console.log("This is one part of several. Import the other parts as well.")
  const complaint = complaintOf({ ...outcome, failed: [...lost, ...failed] })
  if (complaint !== null) throw new Failure(complaint)
})
