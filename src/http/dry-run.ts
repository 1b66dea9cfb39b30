import * as z from "zod"

const SENT = new Map<unknown, boolean>([
  ["true", true],
  ["false", false],
])

/** The query of a call that has a dry run, which writes nothing. */
export const DryRun = z.object({
  dry_run: z
    .preprocess((text) => SENT.get(text) ?? text, z.boolean("Must be true or false."))
    .default(false)
    .meta({ description: "`true` checks the request and writes nothing" }),
})
