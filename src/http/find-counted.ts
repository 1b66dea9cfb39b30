import {
  MAX_UNKNOWN_KEYS,
  MAX_VALID_KEYS,
  RATE_WINDOW_SECONDS,
  UNKNOWN_KEY_SECONDS,
  VALID_KEY_SECONDS,
} from "../limits.ts"
import type { AppContext } from "./context.ts"
import { ExpiringSet } from "./expiring-set.ts"
import { networkHash, takeCall, tooMany } from "./rate-limit.ts"

/** The kinds of names by which clients get at something; each is counted alone. */
type Kind = "API keys" | "sessions" | "links" | "images"

/** Names that D1 did not know. */
const unknown = new ExpiringSet(MAX_UNKNOWN_KEYS)
/** Names that D1 knew. */
const valid = new ExpiringSet(MAX_VALID_KEYS)
/** Hashes of networks that have sent too many unknown names. */
const refusedNetworks = new ExpiringSet(MAX_UNKNOWN_KEYS)

const tooManyUnknown = (kind: Kind) => tooMany(`Too many unknown ${kind} came from this network.`)

/** Counts an unknown name by its network. @throws ApiError 429 if it has sent too many */
const countUnknown = async (c: AppContext, kind: Kind): Promise<void> => {
  // All networks would count as one.
  if (!c.req.header("CF-Connecting-IP")) return
  const network = await networkHash(c, kind)
  const { UNKNOWN_KEY_LIMITER, UNKNOWN_KEY_LOOKUP_LIMITER } = c.env
  if (!(await takeCall(UNKNOWN_KEY_LOOKUP_LIMITER, network)))
    refusedNetworks.add(network, c.var.now, RATE_WINDOW_SECONDS)
  if (!(await takeCall(UNKNOWN_KEY_LIMITER, network))) throw tooManyUnknown(kind)
}

/**
 * Finds what a name stands for, such as the hash of a key. Asks D1 once a minute for a name that it does not know.
 * @param find returns null if D1 does not know the name, which is final
 * @throws ApiError 429 if the network has sent too many unknown names and this is one, or far too many and this isolate has not
 * seen the name valid
 */
export const findCounted = async <Found>(
  c: AppContext,
  kind: Kind,
  name: string,
  find: () => Promise<Found | null>,
): Promise<Found | null> => {
  const { now } = c.var
  if (unknown.has(name, now)) return null
  if (!refusedNetworks.isEmpty && !valid.has(name, now) && refusedNetworks.has(await networkHash(c, kind), now))
    throw tooManyUnknown(kind)
  const found = await find()
  if (found) {
    valid.add(name, now, VALID_KEY_SECONDS)
    return found
  }
  unknown.add(name, now, UNKNOWN_KEY_SECONDS)
  await countUnknown(c, kind)
  return null
}
