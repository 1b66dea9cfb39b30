// The tables of README.md, from the results of a run: `npm run bench:images:tables` puts them in.
import { readFileSync } from "node:fs"

import { putIn, table } from "../shared.ts"

const number = (value) => value.toLocaleString("en").replaceAll(",", " ")
const mb = (bytes) => (bytes / 1e6).toFixed(1)
/** Equal images have an infinite ratio, which JSON writes as null. */
const db = (psnr) => (psnr === null ? "equal" : psnr.toFixed(2))

const showTimes = (results) =>
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

const showBytes = (results) =>
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

const showQuality = (results) =>
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

const showMemory = (results) =>
  table([
    ["MB", "linear", "alive", "a fresh process grows by"],
    ...results.map(({ file, memory: { linear, alive, resident } }) => [file, mb(linear), mb(alive), mb(resident)]),
  ])

const showUploads = ({ statuses, peak, resident }) => {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
  return `${counts.join(", ")}; at most ${mb(peak)} MB linear; resident MB after each 50: ${resident.join(", ")}`
}

const { rounds, results, mixed, mutated, service } = JSON.parse(
  readFileSync(new URL("results.json", import.meta.url), "utf8"),
)
putIn(new URL("README.md", import.meta.url), {
  times: `Medians of ${rounds} rounds.\n\n${showTimes(results)}\n\nwide.jpg through the running service, multipart, limiter, D1, R2 and KV included: ${service.service} ms, cwebp ${service.cwebp} ms in the same rounds, ratio ${(service.service / service.cwebp).toFixed(2)}.`,
  bytes: showBytes(results),
  quality: showQuality(results),
  memory: showMemory(results),
  uploads: `Mixed: ${showUploads(mixed)}.\n\nMutated: ${showUploads(mutated)}; the good image between them: ${mutated.goodOutputs} output.`,
})
