import type * as z from "zod"

import type { Db } from "../db/client.ts"
import type { Account, Passkey, Session } from "../db/schema.ts"
import { ApiError, fieldError } from "../http/errors.ts"
import { MAX_PASSKEYS, PASSKEY_CHALLENGE_SECONDS } from "../limits.ts"
import { hashSecret } from "../tokens.ts"
import type { Registration, RegistrationResponse, SignInResponse } from "./schema.ts"
import { consumeChallenge, findPasskey, insertChallenge, insertPasskey, listPasskeys, usePasskey } from "./store.ts"

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

// Loaded when the first passkey is used: evaluating it takes about 0.1 s.
const load = () => import("@simplewebauthn/server")

const RP_NAME = "edgepost"
const BASE64URL = { alphabet: "base64url" } as const
const timeout = PASSKEY_CHALLENGE_SECONDS * 1000

const write = (bytes: Uint8Array): string => bytes.toBase64({ ...BASE64URL, omitPadding: true })
const read = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.fromBase64(text, BASE64URL)

/** Whom a passkey says it belongs to; it is told when the passkey is made. */
const userHandleOf = ({ id }: Pick<Account, "id">) => Uint8Array.from(new TextEncoder().encode(id))

/** What a passkey is made for and used at: a page of this origin. */
const siteOf = (origin: string) => ({ expectedOrigin: origin, expectedRPID: new URL(origin).hostname })

/** What `navigator.credentials.create` is asked: a passkey that is found without a username. */
const makeRegistrationOptions = async (origin: string, account: Account, passkeys: Passkey[]) => {
  const { generateRegistrationOptions } = await load()
  return generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: siteOf(origin).expectedRPID,
    userID: userHandleOf(account),
    userName: account.username,
    userDisplayName: account.username,
    excludeCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestationType: "none",
    timeout,
  })
}

/** What `navigator.credentials.get` is asked: any passkey of this site. */
const makeSignInOptions = async (origin: string) => {
  const { generateAuthenticationOptions } = await load()
  return generateAuthenticationOptions({ rpID: siteOf(origin).expectedRPID, userVerification: "required", timeout })
}

/** What a passkey has signed. @returns null when that cannot be read */
const challengeOf = ({ response }: RegistrationResponse | SignInResponse): string | null => {
  try {
    const { challenge } = JSON.parse(new TextDecoder().decode(read(response.clientDataJSON))) as { challenge?: unknown }
    return typeof challenge === "string" ? challenge : null
  } catch {
    return null
  }
}

// A statement with certificates would have the Worker fetch what they name, and needs a bundle with `keep_names`.
const isPlain = async (attestationObject: string): Promise<boolean> => {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers")
  const decoded = decodeAttestationObject(read(attestationObject))
  const format = decoded.get("fmt")
  return format === "none" || (format === "packed" && !decoded.get("attStmt").get("x5c"))
}

/** The new passkey, once its response holds. @returns null when it does not */
const readRegistration = async (
  response: RegistrationResponse,
  expectedChallenge: string,
  origin: string,
): Promise<Pick<Passkey, "id" | "public_key" | "counter"> | null> => {
  const { verifyRegistrationResponse } = await load()
  try {
    if (!(await isPlain(response.response.attestationObject))) return null
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      ...siteOf(origin),
      requireUserVerification: true,
    })
    if (!registrationInfo) return null
    const { id, publicKey, counter } = registrationInfo.credential
    return { id, public_key: write(publicKey), counter }
  } catch {
    return null
  }
}

/** Whether a passkey has signed this. @returns its new counter; null: it has not, or is a copy that is behind */
const readSignIn = async (
  response: SignInResponse,
  expectedChallenge: string,
  origin: string,
  passkey: Passkey,
): Promise<number | null> => {
  if (response.response.userHandle !== write(userHandleOf({ id: passkey.account_id }))) return null
  const { verifyAuthenticationResponse } = await load()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      ...siteOf(origin),
      credential: { id: passkey.id, publicKey: read(passkey.public_key), counter: passkey.counter },
      requireUserVerification: true,
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}
