// Measures how near an encoded image is to its source, over white where either is transparent.
import { execFileSync } from "node:child_process"
import { join } from "node:path"

const raw = (image, channels) =>
  execFileSync("convert", [image, "-background", "white", "-alpha", "remove", "-depth", "8", `${channels}:-`], {
    maxBuffer: 64 * 1024 * 1024,
  })

/** Peak signal-to-noise ratio over RGB, in dB; infinite when both are equal. */
const psnr = (a, b) => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2
  return 10 * Math.log10(255 ** 2 / (sum / a.length))
}

const BLOCK = 8
const [C1, C2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2]

/** Structural similarity of one block of luma (Wang et al. 2004, equation 13). */
const blockSsim = (a, b, start, width) => {
  let [sumA, sumB, squares, products] = [0, 0, 0, 0]
  for (let y = 0; y < BLOCK; y++)
    for (let x = 0; x < BLOCK; x++) {
      const at = start + y * width + x
      sumA += a[at]
      sumB += b[at]
      squares += a[at] ** 2 + b[at] ** 2
      products += a[at] * b[at]
    }
  const n = BLOCK ** 2
  const means = sumA * sumB
  const meanSquares = sumA ** 2 + sumB ** 2
  const covariance = (products - means / n) / (n - 1)
  const variances = (squares - meanSquares / n) / (n - 1)
  return (((2 * means) / n ** 2 + C1) * (2 * covariance + C2)) / ((meanSquares / n ** 2 + C1) * (variances + C2))
}

/** Computes the structural similarity of two images in luma: the mean over blocks of 8 × 8 side by side. */
export const ssim = (a, b, width) => {
  const height = Math.floor(a.length / width)
  let [sum, count] = [0, 0]
  for (let y = 0; y + BLOCK <= height; y += BLOCK)
    for (let x = 0; x + BLOCK <= width; x += BLOCK) {
      sum += blockSsim(a, b, y * width + x, width)
      count += 1
    }
  return sum / count
}

/** PSNR in dB and SSIM of a WebP file to its source. */
export const qualityOf = (source, webp, folder) => {
  const [before, after] = [source, webp].map((file, i) => {
    if (!file.endsWith(".webp")) return file
    const png = join(folder, `quality-${i}.png`)
    execFileSync("dwebp", ["-quiet", file, "-o", png])
    return png
  })
  const width = Number(execFileSync("identify", ["-format", "%w", after], { encoding: "utf8" }))
  return {
    psnr: psnr(raw(before, "rgb"), raw(after, "rgb")),
    ssim: ssim(raw(before, "gray"), raw(after, "gray"), width),
  }
}
