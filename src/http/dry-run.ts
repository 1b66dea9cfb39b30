import * as z from "zod"

// The queries of calls that have a dry run, which writes nothing, and of those that have none.

/** The query of a call that has a dry run. */
export const DryRun = z.object({
  dry_run: z
    .enum(["true", "false"], "Must be true or false.")
    .optional()
    .transform((text) => text === "true")
    .meta({ description: "`true` checks the request and writes nothing" }),
})

/** A call that has no dry run refuses one, instead of taking effect. */
export const NoDryRun = z.object({
  dry_run: z.literal("false", "This call has no dry run.").optional().meta({ description: "This call has no dry run" }),
})
