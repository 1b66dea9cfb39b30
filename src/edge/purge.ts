import { inPortions } from "../batches.ts"
import type { AppContext } from "../http/context.ts"
import { MAX_PURGED_TAGS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { accountTag } from "./cache-policy.ts"

/** Removes kept answers with any of these tags from the edge, everywhere. Safe to repeat. @throws Error if the edge refuses */
export type Purge = (tags: string[]) => Promise<void>

/** Returns the purge of a Worker: a method of `Reader`, since the edge keeps answers for each entrypoint. */
export const purgeOf =
  ({ exports }: Pick<ExecutionContext, "exports">): Purge =>
  (tags) =>
    inPortions(tags, MAX_PURGED_TAGS, (portion) => exports.Reader({}).purge(portion))

/** Returns the purge of a request. */
export const purgeFrom = (c: AppContext): Purge => purgeOf(c.executionCtx as ExecutionContext)

/** Removes the images of an account that is hidden, erased or has another host from the edge after the answer. A scheduled job does it again. */
export const purgeAccount = (c: AppContext, username: string): void =>
  c.executionCtx.waitUntil(
    purgeFrom(c)([accountTag(username)]).catch((error: unknown) =>
      log("warn", { message: "edge.purge_deferred", username, error: trace(error) }),
    ),
  )
