/** Remembers texts in this isolate, each until a time in milliseconds since the epoch; beyond `most` it forgets the oldest. */
export class ExpiringSet {
  readonly #most: number
  readonly #until = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  has(text: string, now: Date): boolean {
    return (this.#until.get(text) ?? 0) > now.getTime()
  }

  add(text: string, now: Date, seconds: number): void {
    this.#until.delete(text)
    // The oldest entry comes first.
    const [oldest] = this.#until.keys()
    if (this.#until.size >= this.#most && oldest !== undefined) this.#until.delete(oldest)
    this.#until.set(text, now.getTime() + seconds * 1000)
  }

  get isEmpty(): boolean {
    return this.#until.size === 0
  }
}
