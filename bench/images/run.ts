// Measures edgepost's conversion beside native cwebp and photon alone: interleaved rounds, medians. See README.md.
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { freePort, makeDemoAccount, startService } from "../../scripts/service.ts"
import type { Bytes } from "../../test/images/chunks.ts"
import { MUTATIONS } from "../../test/images/mutations.ts"
import { randomFrom } from "../../test/random.ts"
import { median, setting } from "../shared.ts"
import { type Input, makeBombs, makeInputs } from "./inputs.ts"
import { type BenchWorker, peakResidentMb, residentMb, startWorker } from "./process.ts"
import { qualityOf } from "./quality.ts"
import type { ImageResult, Results, UploadResult } from "./tables.ts"

const rounds = setting("ROUNDS", 9)
const mixedCount = setting("MIXED", 300)
const mutatedCount = setting("MUTATED", 500)

type Tool = "edgepost" | "photon"

const bytesOf = (path: string): number => statSync(path).size

const read = (path: string): Bytes => Uint8Array.from(readFileSync(path))

const timed = (work: () => void): number => {
  const start = performance.now()
  work()
  return performance.now() - start
}

const cwebp = (from: string, to: string): void => {
  execFileSync("cwebp", ["-quiet", "-q", "80", "-m", "4", from, "-o", to])
}

/** Converts a file in the bench Worker. */
const convert = async ({ origin }: BenchWorker, tool: Tool, body: Bytes) => {
  const answer = await fetch(`${origin}/${tool}`, { method: "POST", body, headers: { Connection: "close" } })
  const header = (name: string): number => Number(answer.headers.get(name))
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, bytes, ms: header("X-Ms"), peak: header("X-Peak"), pixels: header("X-Pixel-Bytes") }
}

/** Measures how many bytes a process of workerd grows by, at its peak, when it converts its first image. */
const growthOfFresh = async (body: Bytes): Promise<number> => {
  const worker = await startWorker()
  try {
    const before = residentMb(worker)
    await convert(worker, "edgepost", body)
    return 1e6 * (peakResidentMb(worker) - before)
  } finally {
    await worker.stop()
  }
}

const measure = async (
  worker: BenchWorker,
  folder: string,
  { kind, file, upright: uprightFile = file }: Input,
): Promise<ImageResult> => {
  const [path, upright] = [join(folder, file), join(folder, uprightFile)]
  const body = read(path)
  const outs = { edgepost: `${path}.edgepost.webp`, photon: `${path}.photon.webp`, cwebp: `${path}.cwebp.webp` }
  const times: Record<Tool | "cwebp", number[]> = { edgepost: [], photon: [], cwebp: [] }
  let [linear, alive] = [0, 0]
  for (let round = 0; round <= rounds; round++) {
    const native = timed(() => cwebp(path, outs.cwebp))
    const edgepost = await convert(worker, "edgepost", body)
    const photon = await convert(worker, "photon", body)
    // The first round warms up.
    if (round > 0) {
      times.cwebp.push(native)
      times.edgepost.push(edgepost.ms)
      times.photon.push(photon.ms)
    }
    if (edgepost.status !== 201) throw new Error(`The conversion of ${file} answers ${edgepost.status}.`)
    linear = Math.max(linear, edgepost.peak)
    alive = linear + edgepost.pixels + body.length + edgepost.bytes.length
    writeFileSync(outs.edgepost, edgepost.bytes)
    writeFileSync(outs.photon, photon.bytes)
  }
  // cwebp does not turn images: its bytes and quality are those of the upright one.
  if (upright !== path) cwebp(upright, outs.cwebp)
  execFileSync("cwebp", ["-quiet", "-lossless", upright, "-o", `${path}.lossless.webp`])
  const ms = (tool: Tool | "cwebp"): number => Math.round(median(times[tool]))
  return {
    file,
    kind,
    source: body.length,
    ms: { edgepost: ms("edgepost"), photon: ms("photon"), cwebp: ms("cwebp") },
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

/** Uploads an image to the running service, with multipart, limiter, D1, R2 and KV. Returns medians in milliseconds. */
const measureService = async (folder: string): Promise<Results["service"]> => {
  const path = join(folder, "wide.jpg")
  const state = mkdtempSync(join(tmpdir(), "edgepost-bench-"))
  const options = ["--port", String(await freePort()), "--persist-to", state, "--var", "UPLOADS_PER_MINUTE:1000"]
  const service = await startService(options)
  try {
    const { key } = await makeDemoAccount(service)
    const times: Record<keyof Results["service"], number[]> = { service: [], cwebp: [] }
    for (let round = 0; round <= rounds; round++) {
      const native = timed(() => cwebp(path, `${path}.webp`))
      const form = new FormData()
      // Bytes of its own behind the image: the same bytes would not be converted again.
      form.append("file", new Blob([read(path), new Uint8Array([round])]), "wide.jpg")
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

/** Converts one file after another. */
const convertAll = async (
  worker: BenchWorker,
  count: number,
  fileAt: (i: number) => Bytes | Promise<Bytes>,
): Promise<UploadResult> => {
  const statuses: Record<string, number> = {}
  const resident: number[] = []
  let peak = 0
  for (let i = 0; i < count; i++) {
    const answer = await convert(worker, "edgepost", await fileAt(i))
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    peak = Math.max(peak, answer.peak)
    if (i % 50 === 49) resident.push(Math.round(residentMb(worker)))
  }
  return { statuses, peak, resident }
}

/** Returns a copy of the i-th file, which is counted on from the start after the last. */
const copyOf = (files: Bytes[], i: number): Bytes => Uint8Array.from(files[i % files.length] ?? [])

/** Converts files of which every third is damaged in the middle. */
const convertMixed = (worker: BenchWorker, files: Bytes[]): Promise<UploadResult> =>
  convertAll(worker, mixedCount, (i) => {
    const file = copyOf(files, i)
    return i % 3 === 2 ? file.fill(i % 256, Math.floor(file.length / 2), Math.floor(file.length / 2) + 64) : file
  })

/** Converts mutated files of full size, and before every tenth a good one, which must give the same bytes each time. */
const convertMutated = async (worker: BenchWorker, files: Bytes[], good: Bytes): Promise<Results["mutated"]> => {
  const random = randomFrom(11)
  const outputs = new Set<string>()
  const result = await convertAll(worker, mutatedCount, async (i) => {
    if (i % 10 === 0) {
      const { status, bytes } = await convert(worker, "edgepost", good)
      outputs.add(`${status} ${bytes.toString("base64")}`)
    }
    const mutate = MUTATIONS[Math.floor(random() * MUTATIONS.length)]
    const file = copyOf(files, i)
    return i < files.length || !mutate ? file : mutate(file, random)
  })
  if ([...outputs].some((output) => !output.startsWith("201 "))) throw new Error("A good image was refused.")
  return { ...result, goodOutputs: outputs.size }
}

const folder = mkdtempSync(join(tmpdir(), "edgepost-bench-images-"))
const worker = await startWorker()
try {
  const inputs = makeInputs(folder)
  const results: ImageResult[] = []
  for (const input of inputs) {
    const result = await measure(worker, folder, input)
    results.push(result)
    console.log(JSON.stringify(result))
  }
  const files = inputs.map(({ file }) => read(join(folder, file)))
  const mixed = await convertMixed(worker, files)
  const mutated = await convertMutated(worker, [...makeBombs(), ...files], copyOf(files, 0))
  await worker.stop()
  const all: Results = { rounds, results, mixed, mutated, service: await measureService(folder) }
  console.log(JSON.stringify({ mixed, mutated, service: all.service }))
  if (process.argv[2]) writeFileSync(process.argv[2], `${JSON.stringify(all, null, 2)}\n`)
} finally {
  await worker.stop()
  rmSync(folder, { recursive: true })
}
