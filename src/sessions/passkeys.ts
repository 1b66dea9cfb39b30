import type * as z from "zod"

import type { Db } from "../db.ts"
import { ApiError, fieldError } from "../http/problem.ts"
import { MAX_PASSKEYS, PASSKEY_CHALLENGE_SECONDS } from "../limits.ts"
import type { Account, Passkey, Session } from "../tables.ts"
import { hashSecret } from "../tokens.ts"
import {
  consumeChallenge,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  usePasskey,
} from "./passkey-store.ts"
import type { Registration, SignInResponse } from "./schema.ts"
import { challengeOf, makeRegistrationOptions, makeSignInOptions, readRegistration, readSignIn } from "./webauthn.ts"

const REGISTER = "register"

/** What a browser is asked to make a passkey of. @throws ApiError 400 when the account has the most already */
export const offerRegistration = async (db: Db, origin: string, account: Account, now: Date) => {
  const passkeys = await listPasskeys(db, account.id)
  if (passkeys.length >= MAX_PASSKEYS) throw new ApiError("too_many_passkeys")
  const options = await makeRegistrationOptions(origin, account, passkeys)
  const expires_at = new Date(now.getTime() + PASSKEY_CHALLENGE_SECONDS * 1000)
  const challenge = {
    hash: await hashSecret(options.challenge),
    account_id: account.id,
    purpose: REGISTER,
    expires_at,
  } as const
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
  const key = { hash: await hashSecret(challenge), account_id: account.id, purpose: REGISTER } as const
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

const SIGN_IN = "sign_in"

/** What a browser is asked to sign with whichever passkey of this site it has. */
export const offerSignIn = async (db: Db, origin: string, now: Date) => {
  const options = await makeSignInOptions(origin)
  const expires_at = new Date(now.getTime() + PASSKEY_CHALLENGE_SECONDS * 1000)
  await insertChallenge(db, {
    hash: await hashSecret(options.challenge),
    account_id: null,
    purpose: SIGN_IN,
    expires_at,
  })
  return options
}

/**
 * Whose passkey has signed.
 * @throws ApiError 410 when its challenge is used up, 401 when the passkey is unknown or its signature does not hold
 */
export const identify = async (db: Db, origin: string, response: SignInResponse, now: Date): Promise<Passkey> => {
  const challenge = challengeOf(response)
  if (challenge === null) throw new ApiError("passkey_refused")
  // Used up before anything is judged: whatever comes of it, it works once.
  const key = { hash: await hashSecret(challenge), account_id: null, purpose: SIGN_IN } as const
  if (!(await consumeChallenge(db, key, now))) throw new ApiError("passkey_challenge_used")
  const passkey = await findPasskey(db, response.id)
  if (!passkey) throw new ApiError("passkey_unknown")
  const counter = await readSignIn(response, challenge, origin, passkey)
  if (counter === null) throw new ApiError("passkey_refused")
  // Removed meanwhile, or used by a copy that has counted as far.
  if (!(await usePasskey(db, passkey, counter, now))) throw new ApiError("passkey_refused")
  return passkey
}
