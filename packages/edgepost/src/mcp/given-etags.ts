import { UsageError } from "../usage-error.ts"

/** Etags that a session remembers; with one more, it forgets the oldest. */
const MAX_ETAGS = 10_000

/** Remembers the etags that a session has given. Those of the service count up, so an assistant could guess one of a text that it has not read. */
export class GivenEtags {
  readonly #given = new Set<string>()

  /** Remembers the etag in the answer of a tool, if it has one. */
  keep(answer: object | string): void {
    const { etag, post } = answer as { etag?: string | null; post?: { slug?: string } }
    if (!etag) return
    const [oldest] = this.#given
    if (this.#given.size >= MAX_ETAGS && oldest !== undefined) this.#given.delete(oldest)
    this.#given.add(`${post?.slug} ${etag}`)
  }

  /** Requires that the etag in the arguments of a tool, if it takes one, was given for its post. @throws UsageError */
  require(input: { slug?: string; etag?: string }): void {
    const { slug, etag } = input
    if (etag === undefined || this.#given.has(`${slug} ${etag}`)) return
    throw new UsageError(
      `${etag} is no etag of ${slug} that this session has given.`,
      "Call read_post, and pass on its etag.",
    )
  }
}
