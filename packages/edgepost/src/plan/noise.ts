import type { Finding } from "../finding.ts"

/** A warning that more than this part of the posts have, and at least so many, is shown once. */
const MAX_PART = 1 / 10
const MIN_COUNT = 3

/** Returns what warnings of a kind have in common: `At most 3 tags.` and `At most 4 tags.` are one. */
const keyOf = ({ code, message }: Finding): string => `${code} ${message.replaceAll(/\d+/g, "0")}`

/** Counts warnings, so that those which many posts have are shown once. */
export class Noise {
  readonly #kinds = new Map<string, { count: number; first: Finding }>()
  readonly #most: number

  /** @param posts number of all posts */
  constructor(posts: number) {
    this.#most = Math.max(MIN_COUNT - 1, posts * MAX_PART)
  }

  /** Counts the warnings of a post. */
  add(findings: Finding[]): void {
    const warnings = findings.filter(({ level }) => level === "warning")
    for (const [key, first] of new Map(warnings.toReversed().map((one) => [keyOf(one), one]))) {
      const kind = this.#kinds.get(key) ?? { count: 0, first }
      this.#kinds.set(key, { ...kind, count: kind.count + 1 })
    }
  }

  /** Returns the findings of a post that are not shown for all posts together. */
  rest(findings: Finding[]): Finding[] {
    return findings.filter((one) => one.level === "error" || (this.#kinds.get(keyOf(one))?.count ?? 0) <= this.#most)
  }

  /** Returns a line for each warning that many posts have. */
  lines(): string[] {
    const kinds = [...this.#kinds.values()].filter(({ count }) => count > this.#most)
    return kinds.map(
      ({ count, first: { file, line, message } }) =>
        `${count.toLocaleString("en")} posts, ${file}:${line} first: ${message}`,
    )
  }
}

/** Counts the warnings of posts. */
export const countNoise = (posts: { findings: Finding[] }[]): Noise => {
  const noise = new Noise(posts.length)
  for (const { findings } of posts) noise.add(findings)
  return noise
}
