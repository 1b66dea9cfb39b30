// edgepost's conversion beside native cwebp and photon alone: one run, interleaved, medians. See README.md.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { makeDemoAccount } from "../../scripts/account.mjs"
import { freePort } from "../../scripts/port.mjs"
import { startTool } from "../../scripts/prepare.mjs"
import { startService } from "../../scripts/service.mjs"
import { makeInputs } from "./inputs.mjs"

const ROUNDS = Number(process.env.ROUNDS ?? 9)
const MIB = 1024 * 1024

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

const untilReady = async (origin) => {
  for (let i = 0; i < 300; i++) {
    if (await fetch(origin, { method: "POST", body: "x" }).catch(() => null)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error("The bench Worker does not answer.")
}

const bytesOf = (name) => statSync(name).size

const timed = (work) => {
  const start = performance.now()
  work()
  return performance.now() - start
}

const inWorker = async (origin, tool, body) => {
  const answer = await fetch(`${origin}/${tool}`, { method: "POST", body, headers: { Connection: "close" } })
  if (!answer.ok) throw new Error(`${tool} answers ${answer.status}`)
  const header = (name) => JSON.parse(answer.headers.get(name))
  const bytes = Buffer.from(await answer.arrayBuffer())
  return {
    bytes,
    ms: header("X-Ms"),
    held: header("X-Held-Before"),
    after: header("X-Held-After"),
    started: header("X-Started"),
  }
}

/** Peak signal-to-noise ratio of a WebP file to its source, in dB, over RGB; infinite when they are equal. */
const psnr = (source, webp, folder) => {
  const decoded = join(folder, "decoded.png")
  execFileSync("dwebp", ["-quiet", webp, "-o", decoded])
  const plain = join(folder, "plain.png")
  execFileSync("convert", [source, "-background", "white", "-alpha", "remove", plain])
  execFileSync("convert", [decoded, "-background", "white", "-alpha", "remove", decoded])
  const { stderr } = spawnSync("compare", ["-metric", "PSNR", plain, decoded, "null:"], { encoding: "utf8" })
  return Number.parseFloat(stderr)
}

const measure = async (origin, folder, { kind, file }) => {
  const path = join(folder, file)
  const body = readFileSync(path)
  const outs = { edgepost: `${path}.edgepost.webp`, photon: `${path}.photon.webp`, cwebp: `${path}.cwebp.webp` }
  const times = { edgepost: [], photon: [], cwebp: [] }
  let last
  for (let round = 0; round <= ROUNDS; round++) {
    const cwebp = timed(() => execFileSync("cwebp", ["-quiet", "-q", "80", "-m", "4", path, "-o", outs.cwebp]))
    const edgepost = await inWorker(origin, "edgepost", body)
    const photon = await inWorker(origin, "photon", body)
    // The first round warms up.
    if (round > 0) {
      times.cwebp.push(cwebp)
      times.edgepost.push(edgepost.ms)
      times.photon.push(photon.ms)
    }
    last = edgepost
    writeFileSync(outs.edgepost, edgepost.bytes)
    writeFileSync(outs.photon, photon.bytes)
  }
  execFileSync("cwebp", ["-quiet", "-lossless", path, "-o", `${path}.lossless.webp`])
  const ms = Object.fromEntries(Object.entries(times).map(([tool, all]) => [tool, Math.round(median(all))]))
  return {
    file,
    kind,
    source: body.length,
    ms,
    timeRatio: ms.edgepost / ms.cwebp,
    bytes: {
      edgepost: bytesOf(outs.edgepost),
      cwebp: bytesOf(outs.cwebp),
      lossless: bytesOf(`${path}.lossless.webp`),
      photon: bytesOf(outs.photon),
    },
    psnr: { edgepost: psnr(path, outs.edgepost, folder), cwebp: psnr(path, outs.cwebp, folder) },
    memory: { heldBefore: last.held, started: last.started, heldAfter: last.after },
  }
}

/** The same picture through the running service: multipart, limiter, D1, R2 and KV too. */
const measureService = async (folder) => {
  const path = join(folder, "wide.jpg")
  const state = mkdtempSync(join(tmpdir(), "edgepost-bench-"))
  const service = await startService([
    "--port",
    String(await freePort()),
    "--persist-to",
    state,
    "--var",
    "UPLOADS_PER_MINUTE:1000",
  ])
  try {
    const { key } = await makeDemoAccount(service)
    const times = { service: [], cwebp: [] }
    for (let round = 0; round <= ROUNDS; round++) {
      const cwebp = timed(() => execFileSync("cwebp", ["-quiet", "-q", "80", "-m", "4", path, "-o", `${path}.webp`]))
      const form = new FormData()
      form.append("file", new Blob([readFileSync(path)]), "wide.jpg")
      const start = performance.now()
      const answer = await fetch(`${service.origin}/api/blogcontroller/image-upload/`, {
        method: "POST",
        headers: { "X-API-KEY": key },
        body: form,
      })
      await answer.json()
      if (answer.status !== 201) throw new Error(`The upload answers ${answer.status}.`)
      if (round > 0) {
        times.service.push(performance.now() - start)
        times.cwebp.push(cwebp)
      }
    }
    return { service: Math.round(median(times.service)), cwebp: Math.round(median(times.cwebp)) }
  } finally {
    await service.stop()
    rmSync(state, { recursive: true })
  }
}

/** Resident memory of every process that the bench Worker runs in, in MiB. */
const residentMib = () => {
  const rows = execFileSync("ps", ["-eo", "pid,ppid,rss"], { encoding: "utf8" }).trim().split("\n").slice(1)
  const processes = rows.map((row) => row.trim().split(/\s+/).map(Number))
  const family = new Set([child.pid])
  for (let size = 0; size !== family.size;) {
    size = family.size
    for (const [pid, parent] of processes) if (family.has(parent)) family.add(pid)
  }
  const workerd = execFileSync("ps", ["-eo", "pid,comm"], { encoding: "utf8" })
  const isWorkerd = (pid) => new RegExp(`^\\s*${pid} workerd`, "m").test(workerd)
  return processes.filter(([pid]) => family.has(pid) && isWorkerd(pid)).reduce((sum, [, , rss]) => sum + rss / 1024, 0)
}

/** 300 uploads, good ones and damaged ones in turn: linear memory after each, resident memory now and then. */
const soak = async (origin, folder, inputs) => {
  const files = inputs.map(({ file }) => readFileSync(join(folder, file)))
  const samples = []
  let mostHeld = 0
  for (let i = 0; i < 300; i++) {
    const file = Buffer.from(files[i % files.length])
    // Every third is damaged in the middle.
    if (i % 3 === 2) file.fill(i % 256, Math.floor(file.length / 2), Math.floor(file.length / 2) + 64)
    const answer = await fetch(`${origin}/edgepost`, { method: "POST", body: file, headers: { Connection: "close" } })
    await answer.arrayBuffer()
    mostHeld = Math.max(mostHeld, Number(answer.headers.get("X-Held-After")))
    if (i % 50 === 49) samples.push(Math.round(residentMib()))
  }
  return { mostHeldMib: mostHeld / MIB, residentMib: samples }
}

const show = ({ file, kind, source, ms, timeRatio, bytes, psnr: db, memory }) =>
  [
    `${file} (${kind}, ${source} bytes)`,
    `  ms     edgepost ${ms.edgepost}  cwebp ${ms.cwebp}  photon ${ms.photon}  ratio to cwebp ${timeRatio.toFixed(2)}`,
    `  bytes  edgepost ${bytes.edgepost}  cwebp ${bytes.cwebp}  lossless ${bytes.lossless}  photon ${bytes.photon}`,
    `  PSNR   edgepost ${db.edgepost.toFixed(2)} dB  cwebp ${db.cwebp.toFixed(2)} dB`,
    `  MiB    held before ${(memory.heldBefore / MIB).toFixed(1)}, started ${memory.started.map((n) => (n / MIB).toFixed(1)).join(" + ") || "none"}, held after ${(memory.heldAfter / MIB).toFixed(1)}`,
  ].join("\n")

const folder = mkdtempSync(join(tmpdir(), "edgepost-bench-images-"))
const port = await freePort()
const child = startTool("wrangler", ["dev", "--local", "-c", "bench/images/wrangler.toml", "--port", String(port)])
let log = ""
for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk) => (log += chunk))
try {
  const inputs = makeInputs(folder)
  const origin = `http://localhost:${port}`
  await untilReady(origin)
  const results = []
  for (const input of inputs) {
    const result = await measure(origin, folder, input)
    results.push(result)
    console.log(show(result))
  }
  const mixed = await soak(origin, folder, inputs)
  console.log(
    `300 mixed uploads: at most ${mixed.mostHeldMib.toFixed(1)} MiB of linear memory held, resident MiB after each 50: ${mixed.residentMib.join(" ")}`,
  )
  const service = await measureService(folder)
  console.log(
    `wide.jpg through the running service: ${service.service} ms, cwebp ${service.cwebp} ms, ratio ${(service.service / service.cwebp).toFixed(2)}`,
  )
  if (process.argv[2])
    writeFileSync(process.argv[2], `${JSON.stringify({ rounds: ROUNDS, results, mixed, service }, null, 2)}\n`)
} catch (error) {
  console.error(log)
  throw error
} finally {
  child.kill("SIGTERM")
  rmSync(folder, { recursive: true })
}
