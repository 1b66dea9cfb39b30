/** An error of the command line or its configuration: what is wrong, and what to do. */
export class UsageError extends Error {
  override name = "UsageError"
  readonly advice: string

  constructor(message: string, advice = "See `edgepost --help`.") {
    super(message)
    this.advice = advice
  }
}
