// Makes the posts of an export in another account or instance: node scripts/import.mjs export.zip --base URL
import { openAsBlob } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"

import { Failure, main } from "./cli.mjs"
import { installPackages } from "./prepare.mjs"

const USAGE = `KEY=<API key> node scripts/import.mjs <export.zip> --base <URL> [--keep-translations]

KEY                  of the account that is to have the posts; its blog settings make one
--base               where the service is; without it, what BASE in the environment says
--keep-translations  send machine-made translations, too: they are not made again, and count as edited by hand;
                     those of languages that are not listed are sent so in any case`

const parse = (options) => {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new Failure(`${error.message}\n\n${USAGE}`)
  }
}

const readArguments = () => {
  const { values, positionals } = parse({
    base: { type: "string" },
    "keep-translations": { type: "boolean" },
    help: { type: "boolean", short: "h" },
  })
  if (values.help) return null
  const base = values.base ?? process.env.BASE
  const key = process.env.KEY
  const wrong = [
    positionals.length !== 1 && "One zip is imported at a time: name it.",
    !/^https?:\/\/[^/]/.test(base ?? "") && "--base is no address such as https://blog.example.",
    !/^[\x21-\x7e]+$/.test(key ?? "") && (key ? "KEY is no API key." : "KEY is not set."),
  ].filter(Boolean)
  if (wrong.length > 0) throw new Failure([...wrong, "", USAGE].join("\n"))
  return { file: positionals[0], base: base.replace(/\/+$/, ""), key, keep: values["keep-translations"] ?? false }
}

const send = async (url, sent) => {
  try {
    const answer = await fetch(url, sent)
    return { answer, text: await answer.text() }
  } catch (cause) {
    const reason = cause.cause?.message ?? cause.message
    throw new Failure(
      `${sent.method} ${url} got no answer (${reason}). If the address is right, import again: it goes on from here.`,
    )
  }
}

const requester =
  ({ base, key }) =>
  async (method, path, body, once) => {
    const isForm = body instanceof FormData
    const headers = {
      "X-API-KEY": key,
      ...(body && !isForm && { "Content-Type": "application/json" }),
      ...(once && { "Idempotency-Key": once }),
    }
    const sent = { method, headers, ...(body && { body: isForm ? body : JSON.stringify(body) }) }
    const { answer, text } = await send(`${base}${path}`, sent)
    const isJson = /json/.test(answer.headers.get("Content-Type") ?? "")
    const json = isJson ? JSON.parse(text) : undefined
    const retryAfter = Number(answer.headers.get("Retry-After"))
    return { status: answer.status, retryAfter, replayed: answer.headers.get("Idempotent-Replayed") === "true", json }
  }

const openFile = async (file, openArchive) => {
  try {
    return await openArchive(await openAsBlob(file))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${file} is no export, or cannot be read: ${error.message}`)
  }
}

const report = (kind, line) => console.log(`  ${kind.padEnd(8)} ${line}`)

const wait = (seconds) => {
  report("waiting", `${seconds} s, as the service asks`)
  return sleep(seconds * 1000)
}

await main(async () => {
  const given = readArguments()
  if (!given) {
    console.log(USAGE)
    return
  }
  const { file, base, key, keep } = given
  installPackages()
  const { openArchive } = await import("./archive.mjs")
  const { complaintOf, restore } = await import("./restore.mjs")
  const archive = await openFile(file, openArchive)
  const request = requester({ base, key })
  const { status, json } = await request("GET", "/api/blogcontroller/account/")
  if (status !== 200) throw new Failure(`${base} answers ${status}: ${json?.detail ?? "this is no edgepost."}`)
  const { posts, pictures, username: from, next_cursor } = archive.manifest
  const { username } = json.account
  console.log(`Posts: ${posts}, pictures: ${pictures}, of ${from}; for ${username} at ${base}`)
  const outcome = await restore(archive, { username, request, wait, report, keep })
  const { made, there, skipped, failed } = outcome
  console.log(`${made.length} made, ${there.length} there already, ${skipped.length} skipped, ${failed.length} failed.`)
  if (next_cursor) console.log("This is one part of several: import the others, too.")
  const complaint = complaintOf(outcome)
  if (complaint) throw new Failure(complaint)
})
