import type { Db } from "../db.ts"
import { ApiError } from "../http/problem.ts"
import { PASSKEY_CHALLENGE_SECONDS } from "../limits.ts"
import type { Passkey } from "../tables.ts"
import { hashSecret } from "../tokens.ts"
import { consumeChallenge, findPasskey, insertChallenge, usePasskey } from "./passkey-store.ts"
import type { SignInResponse } from "./schema.ts"
import { challengeOf, makeSignInOptions, readSignIn } from "./webauthn.ts"

const purpose = "sign_in"

/** What a browser is asked to sign with whichever passkey of this site it has. */
export const offerSignIn = async (db: Db, origin: string, now: Date) => {
  const options = await makeSignInOptions(origin)
  const expires_at = new Date(now.getTime() + PASSKEY_CHALLENGE_SECONDS * 1000)
  await insertChallenge(db, { hash: await hashSecret(options.challenge), account_id: null, purpose, expires_at })
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
  const key = { hash: await hashSecret(challenge), account_id: null, purpose } as const
  if (!(await consumeChallenge(db, key, now))) throw new ApiError("passkey_challenge_used")
  const passkey = await findPasskey(db, response.id)
  if (!passkey) throw new ApiError("passkey_unknown")
  const counter = await readSignIn(response, challenge, origin, passkey)
  if (counter === null) throw new ApiError("passkey_refused")
  // Removed meanwhile, or used by a copy that has counted as far.
  if (!(await usePasskey(db, passkey, counter, now))) throw new ApiError("passkey_refused")
  return passkey
}
