// edgepost's conversion beside native cwebp and photon alone: one run, interleaved, medians. See README.md.
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { freePort, makeDemoAccount, startService } from "../../scripts/service.ts"
import { MUTATIONS, randomFrom } from "../../test/images/mutations.ts"
import { makeBombs, makeInputs } from "./inputs.mjs"
import { peakResidentMb, residentMb, startWorker } from "./process.mjs"
import { qualityOf } from "./quality.mjs"

const ROUNDS = Number(process.env.ROUNDS ?? 9)
const MIXED = Number(process.env.MIXED ?? 300)
const MUTATED = Number(process.env.MUTATED ?? 500)

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

const bytesOf = (name) => statSync(name).size

const timed = (work) => {
  const start = performance.now()
  work()
  return performance.now() - start
}

const cwebp = (from, to) => execFileSync("cwebp", ["-quiet", "-q", "80", "-m", "4", from, "-o", to])

const inWorker = async (origin, tool, body) => {
  const answer = await fetch(`${origin}/${tool}`, { method: "POST", body, headers: { Connection: "close" } })
  const header = (name) => Number(answer.headers.get(name))
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, bytes, ms: header("X-Ms"), peak: header("X-Peak"), pixels: header("X-Pixel-Bytes") }
}

/** Measures how many bytes a process of workerd grows by, at its peak, when this is the first image that it converts. */
const growthOfFresh = async (body) => {
  const worker = await startWorker()
  try {
    const before = residentMb(worker)
    await inWorker(worker.origin, "edgepost", body)
    return 1e6 * (peakResidentMb(worker) - before)
  } finally {
    await worker.stop()
  }
}

const measure = async (origin, folder, { kind, file, upright: uprightFile = file }) => {
  const [path, upright] = [join(folder, file), join(folder, uprightFile)]
  const body = readFileSync(path)
  const outs = { edgepost: `${path}.edgepost.webp`, photon: `${path}.photon.webp`, cwebp: `${path}.cwebp.webp` }
  const times = { edgepost: [], photon: [], cwebp: [] }
  let [linear, alive] = [0, 0]
  for (let round = 0; round <= ROUNDS; round++) {
    const native = timed(() => cwebp(path, outs.cwebp))
    const edgepost = await inWorker(origin, "edgepost", body)
    const photon = await inWorker(origin, "photon", body)
    // The first round warms up.
    if (round > 0) {
      times.cwebp.push(native)
      times.edgepost.push(edgepost.ms)
      times.photon.push(photon.ms)
    }
    if (edgepost.status !== 201) throw new Error(`${file} is answered ${edgepost.status}`)
    linear = Math.max(linear, edgepost.peak)
    alive = linear + edgepost.pixels + body.length + edgepost.bytes.length
    writeFileSync(outs.edgepost, edgepost.bytes)
    writeFileSync(outs.photon, photon.bytes)
  }
  // cwebp does not turn images: its bytes and quality are those of the upright one.
  if (upright !== path) cwebp(upright, outs.cwebp)
  execFileSync("cwebp", ["-quiet", "-lossless", upright, "-o", `${path}.lossless.webp`])
  const ms = Object.fromEntries(Object.entries(times).map(([tool, all]) => [tool, Math.round(median(all))]))
  return {
    file,
    kind,
    source: body.length,
    ms,
    bytes: {
      edgepost: bytesOf(outs.edgepost),
      cwebp: bytesOf(outs.cwebp),
      lossless: bytesOf(`${path}.lossless.webp`),
      photon: bytesOf(outs.photon),
    },
    quality: { edgepost: qualityOf(upright, outs.edgepost, folder), cwebp: qualityOf(upright, outs.cwebp, folder) },
    memory: { linear, alive, resident: await growthOfFresh(body) },
  }
}

/** Uploads an image to the running service, multipart, limiter, D1, R2 and KV included. */
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
      const native = timed(() => cwebp(path, `${path}.webp`))
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
        times.cwebp.push(native)
      }
    }
    return { service: Math.round(median(times.service)), cwebp: Math.round(median(times.cwebp)) }
  } finally {
    await service.stop()
    rmSync(state, { recursive: true })
  }
}

/** Converts one file after another. Returns statuses, the peak of linear memory, and resident memory after each 50. */
const upload = async (worker, count, fileAt) => {
  const statuses = {}
  const resident = []
  let peak = 0
  for (let i = 0; i < count; i++) {
    const answer = await inWorker(worker.origin, "edgepost", await fileAt(i))
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    peak = Math.max(peak, answer.peak)
    if (i % 50 === 49) resident.push(Math.round(residentMb(worker)))
  }
  return { statuses, peak, resident }
}

/** Converts files of which every third is damaged in the middle. */
const uploadMixed = (worker, files) =>
  upload(worker, MIXED, (i) => {
    const file = Buffer.from(files[i % files.length])
    return i % 3 === 2 ? file.fill(i % 256, Math.floor(file.length / 2), Math.floor(file.length / 2) + 64) : file
  })

/** Converts mutated files of full size, and before every tenth a good one, which must come out the same each time. */
const uploadMutated = async (worker, files, good) => {
  const random = randomFrom(11)
  const outputs = new Set()
  const result = await upload(worker, MUTATED, async (i) => {
    if (i % 10 === 0) {
      const { status, bytes } = await inWorker(worker.origin, "edgepost", good)
      outputs.add(`${status} ${bytes.toString("base64")}`)
    }
    const mutate = MUTATIONS[Math.floor(random() * MUTATIONS.length)]
    const file = Uint8Array.from(files[i % files.length])
    return i < files.length ? file : mutate(file, random)
  })
  if ([...outputs].some((output) => !output.startsWith("201 "))) throw new Error("A good image was refused.")
  return { ...result, goodOutputs: outputs.size }
}

const folder = mkdtempSync(join(tmpdir(), "edgepost-bench-images-"))
const worker = await startWorker()
try {
  const inputs = makeInputs(folder)
  const results = []
  for (const input of inputs) {
    const result = await measure(worker.origin, folder, input)
    results.push(result)
    console.log(JSON.stringify(result))
  }
  const files = inputs.map(({ file }) => readFileSync(join(folder, file)))
  const mixed = await uploadMixed(worker, files)
  const mutated = await uploadMutated(worker, [...makeBombs(), ...files], files[0])
  await worker.stop()
  const service = await measureService(folder)
  console.log(JSON.stringify({ mixed, mutated, service }))
  if (process.argv[2])
    writeFileSync(process.argv[2], `${JSON.stringify({ rounds: ROUNDS, results, mixed, mutated, service }, null, 2)}\n`)
} finally {
  await worker.stop()
  rmSync(folder, { recursive: true })
}
