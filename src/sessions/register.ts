import type * as z from "zod"

import type { Db } from "../db.ts"
import { ApiError, fieldError } from "../http/problem.ts"
import { MAX_PASSKEYS, PASSKEY_CHALLENGE_SECONDS } from "../limits.ts"
import type { Account, Session } from "../tables.ts"
import { hashSecret } from "../tokens.ts"
import { consumeChallenge, insertChallenge, insertPasskey, listPasskeys } from "./passkey-store.ts"
import type { Registration } from "./schema.ts"
import { challengeOf, makeRegistrationOptions, readRegistration } from "./webauthn.ts"

const purpose = "register"

/** What a browser is asked to make a passkey of. @throws ApiError 400 when the account has the most already */
export const offerRegistration = async (db: Db, origin: string, account: Account, now: Date) => {
  const passkeys = await listPasskeys(db, account.id)
  if (passkeys.length >= MAX_PASSKEYS) throw new ApiError("too_many_passkeys")
  const options = await makeRegistrationOptions(origin, account, passkeys)
  const expires_at = new Date(now.getTime() + PASSKEY_CHALLENGE_SECONDS * 1000)
  const challenge = { hash: await hashSecret(options.challenge), account_id: account.id, purpose, expires_at } as const
  if (!(await insertChallenge(db, challenge))) throw new ApiError("sign_in_required")
  return options
}

const refused = (message: string) => fieldError("response", "validation_error", message)

/**
 * Keeps the passkey that a browser has made.
 * @throws ApiError 410 when its challenge is used up, 400 when it does not hold or is one too many
 */
export const register = async (
  db: Db,
  origin: string,
  { account, session }: { account: Account; session: Session },
  { name, response }: z.output<typeof Registration> & { name: string },
  now: Date,
): Promise<void> => {
  const challenge = challengeOf(response)
  if (challenge === null) throw refused("The passkey's answer cannot be read.")
  // Used up before anything is judged: whatever comes of it, it works once.
  const key = { hash: await hashSecret(challenge), account_id: account.id, purpose } as const
  if (!(await consumeChallenge(db, key, now))) throw new ApiError("passkey_challenge_used")
  const made = await readRegistration(response, challenge, origin)
  if (!made) throw refused("The passkey's answer does not hold for this site.")
  const { transports } = response.response
  const passkey = { ...made, account_id: account.id, transports, name, created_at: now }
  const outcome = await insertPasskey(db, passkey, session)
  if (outcome === "known") throw refused("This passkey is registered already.")
  if (outcome === "added") return
  const { length } = await listPasskeys(db, account.id)
  throw new ApiError(length >= MAX_PASSKEYS ? "too_many_passkeys" : "sign_in_required")
}
