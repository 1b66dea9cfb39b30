// Writes the tables of README.md from results.json: `npm run bench:images:tables`.
import { readFileSync } from "node:fs"
import { join } from "node:path"

import { putIn, table } from "../shared.ts"
import type { Quality } from "./quality.ts"

/** The measurements of one image. Times are in milliseconds, sizes in bytes. */
export interface ImageResult {
  file: string
  kind: string
  source: number
  ms: Record<"edgepost" | "photon" | "cwebp", number>
  bytes: Record<"edgepost" | "cwebp" | "lossless" | "photon", number>
  quality: Record<"edgepost" | "cwebp", Quality>
  memory: { linear: number; alive: number; resident: number }
}

export interface UploadResult {
  /** The number of answers for each status. */
  statuses: Record<string, number>
  /** The peak of WebAssembly memory, in bytes. */
  peak: number
  /** The resident memory after each 50 files, in MB of 10^6 bytes. */
  resident: number[]
}

export interface Results {
  rounds: number
  results: ImageResult[]
  mixed: UploadResult
  mutated: UploadResult & { goodOutputs: number }
  service: { service: number; cwebp: number }
}

const number = (value: number): string => value.toLocaleString("en").replaceAll(",", " ")
const mb = (bytes: number): string => (bytes / 1e6).toFixed(1)
const db = (psnr: number | null): string => (psnr === null ? "equal" : psnr.toFixed(2))

const showTimes = (results: ImageResult[]): string =>
  table([
    ["image", "", "edgepost ms", "cwebp ms", "ratio", "photon ms"],
    ...results.map(({ file, kind, ms }) => [
      file,
      kind,
      ms.edgepost,
      ms.cwebp,
      (ms.edgepost / ms.cwebp).toFixed(2),
      ms.photon,
    ]),
  ])

const showBytes = (results: ImageResult[]): string =>
  table([
    ["bytes", "source", "edgepost", "cwebp", "ratio", "cwebp, lossless", "ratio", "photon"],
    ...results.map(({ file, source, bytes }) => [
      file,
      number(source),
      number(bytes.edgepost),
      number(bytes.cwebp),
      (bytes.edgepost / bytes.cwebp).toFixed(3),
      number(bytes.lossless),
      (bytes.edgepost / bytes.lossless).toFixed(3),
      number(bytes.photon),
    ]),
  ])

const showQuality = (results: ImageResult[]): string =>
  table([
    ["", "PSNR edgepost", "PSNR cwebp", "SSIM edgepost", "SSIM cwebp"],
    ...results.map(({ file, quality: { edgepost, cwebp } }) => [
      file,
      db(edgepost.psnr),
      db(cwebp.psnr),
      edgepost.ssim.toFixed(4),
      cwebp.ssim.toFixed(4),
    ]),
  ])

const showMemory = (results: ImageResult[]): string =>
  table([
    ["MB", "linear", "alive", "a fresh process grows by"],
    ...results.map(({ file, memory: { linear, alive, resident } }) => [file, mb(linear), mb(alive), mb(resident)]),
  ])

const showUploads = ({ statuses, peak, resident }: UploadResult): string => {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
  return `${counts.join(", ")}; at most ${mb(peak)} MB linear; resident MB after each 50: ${resident.join(", ")}`
}

if (import.meta.main) {
  const text = readFileSync(join(import.meta.dirname, "results.json"), "utf8")
  const { rounds, results, mixed, mutated, service } = JSON.parse(text) as Results
  putIn(join(import.meta.dirname, "README.md"), {
    times: `Medians of ${rounds} rounds.\n\n${showTimes(results)}\n\nwide.jpg through the running service, multipart, limiter, D1, R2 and KV included: ${service.service} ms, cwebp ${service.cwebp} ms in the same rounds, ratio ${(service.service / service.cwebp).toFixed(2)}.`,
    bytes: showBytes(results),
    quality: showQuality(results),
    memory: showMemory(results),
    uploads: `Mixed: ${showUploads(mixed)}.\n\nMutated: ${showUploads(mutated)}; the good image between them: ${mutated.goodOutputs} output.`,
  })
}
