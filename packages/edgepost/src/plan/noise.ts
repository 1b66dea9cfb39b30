import type { Finding } from "../finding.ts"

/** A warning that more than this part of the posts have, and at least so many, is shown once. */
const MAX_PART = 1 / 10
const MIN_COUNT = 3

/** Returns what warnings of a kind have in common: `At most 3 tags.` and `At most 4 tags.` are one. */
const keyOf = ({ code, message }: Finding): string => `${code} ${message.replaceAll(/\d+/g, "0")}`

/** Counts warnings, so that those which many posts have are shown once. */
export class Noise {
  /** The first warning of each kind in each post. */
  readonly #kinds = new Map<string, Finding[]>()
  readonly #most: number

  /** @param posts number of all posts */
  constructor(posts: number) {
    this.#most = Math.max(MIN_COUNT - 1, posts * MAX_PART)
  }

  /** Counts the warnings of a post. */
  add(findings: Finding[]): void {
    const warnings = findings.filter(({ level }) => level === "warning")
    for (const [key, [first]] of Map.groupBy(warnings, keyOf))
      if (first) this.#kinds.set(key, [...(this.#kinds.get(key) ?? []), first])
  }

  /** Returns the findings of a post that are not shown for all posts together. */
  rest(findings: Finding[]): Finding[] {
    return findings.filter((one) => one.level === "error" || (this.#kinds.get(keyOf(one))?.length ?? 0) <= this.#most)
  }

  /** Returns a line for each warning that many posts have. */
  lines(): string[] {
    return [...this.#kinds.values()].flatMap((found) => {
      const [first] = found.length > this.#most ? found : []
      return first
        ? `${found.length.toLocaleString("en")} posts, ${first.file}:${first.line} first: ${first.message}`
        : []
    })
  }
}

/** Counts the warnings of posts. */
export const countNoise = (posts: { findings: Finding[] }[]): Noise => {
  const noise = new Noise(posts.length)
  for (const { findings } of posts) noise.add(findings)
  return noise
}
