// Measures how close an encoded image is to its source. Transparent pixels are shown over white.
import { execFileSync } from "node:child_process"
import { join } from "node:path"

type Samples = ArrayLike<number>

const raw = (image: string, channels: "rgb" | "gray"): Buffer =>
  execFileSync("convert", [image, "-background", "white", "-alpha", "remove", "-depth", "8", `${channels}:-`], {
    maxBuffer: 64 * 1024 * 1024,
  })

/** Computes the peak signal-to-noise ratio in dB. It is infinite if both are equal. */
const psnr = (a: Samples, b: Samples): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2
  return 10 * Math.log10(255 ** 2 / (sum / a.length))
}

const BLOCK = 8
const [C1, C2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2]

/** Computes the structural similarity of one block of luma (Wang et al. 2004, equation 13). */
const blockSsim = (a: Samples, b: Samples, start: number, width: number): number => {
  let [sumA, sumB, squares, products] = [0, 0, 0, 0]
  for (let y = 0; y < BLOCK; y++)
    for (let x = 0; x < BLOCK; x++) {
      const at = start + y * width + x
      const [sampleA, sampleB] = [a[at] ?? 0, b[at] ?? 0]
      sumA += sampleA
      sumB += sampleB
      squares += sampleA ** 2 + sampleB ** 2
      products += sampleA * sampleB
    }
  const n = BLOCK ** 2
  const means = sumA * sumB
  const meanSquares = sumA ** 2 + sumB ** 2
  const covariance = (products - means / n) / (n - 1)
  const variances = (squares - meanSquares / n) / (n - 1)
  return (((2 * means) / n ** 2 + C1) * (2 * covariance + C2)) / ((meanSquares / n ** 2 + C1) * (variances + C2))
}

/** Computes the structural similarity of two images in luma: the mean over blocks of 8 × 8 side by side. */
export const ssim = (a: Samples, b: Samples, width: number): number => {
  const height = Math.floor(a.length / width)
  let [sum, count] = [0, 0]
  for (let y = 0; y + BLOCK <= height; y += BLOCK)
    for (let x = 0; x + BLOCK <= width; x += BLOCK) {
      sum += blockSsim(a, b, y * width + x, width)
      count += 1
    }
  return sum / count
}

export interface Quality {
  /** In dB; infinite for equal images, which JSON writes as null. */
  psnr: number | null
  ssim: number
}

/** Computes PSNR and SSIM of a WebP file to its source. Writes temporary files into the folder. */
export const qualityOf = (source: string, webp: string, folder: string): Quality => {
  const decode = (file: string, name: string): string => {
    if (!file.endsWith(".webp")) return file
    const png = join(folder, name)
    execFileSync("dwebp", ["-quiet", file, "-o", png])
    return png
  }
  const [before, after] = [decode(source, "quality-0.png"), decode(webp, "quality-1.png")]
  const width = Number(execFileSync("identify", ["-format", "%w", after], { encoding: "utf8" }))
  return {
    psnr: psnr(raw(before, "rgb"), raw(after, "rgb")),
    ssim: ssim(raw(before, "gray"), raw(after, "gray"), width),
  }
}
