import type * as z from "zod"

import type { Db } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { Account, Passkey, PasskeyChallenge } from "../db/schema.ts"
import { ApiError, fieldError } from "../http/errors.ts"
import { MAX_PASSKEYS, PASSKEY_CHALLENGE_SECONDS } from "../limits.ts"
import { hashSecret } from "../tokens.ts"
import type { Registration, RegistrationResponse, SignInResponse } from "./input.ts"
import {
  consumeChallenge,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  usePasskey,
} from "./passkey-store.ts"

// Loaded at the first use of a passkey, because evaluating it takes about 0.1 s.
const load = () => import("@simplewebauthn/server")

const RP_NAME = "edgepost"
const BASE64URL = { alphabet: "base64url" } as const
const timeout = PASSKEY_CHALLENGE_SECONDS * 1000

const write = (bytes: Uint8Array): string => bytes.toBase64({ ...BASE64URL, omitPadding: true })
const read = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.fromBase64(text, BASE64URL)

/** Returns the WebAuthn user handle, which is the account's id. */
const userHandleOf = (accountId: string) => Uint8Array.from(new TextEncoder().encode(accountId))

/** Returns the relying party of the passkeys. */
const siteOf = (origin: string) => ({ expectedOrigin: origin, expectedRPID: new URL(origin).hostname })

/** The purpose of a challenge: registration for one account, or authentication. */
type Use = Pick<PasskeyChallenge, "account_id" | "purpose">

const SIGN_IN: Use = { account_id: null, purpose: "sign_in" }
const registrationFor = ({ id }: Account): Use => ({ account_id: id, purpose: "register" })

/** Saves a challenge for a passkey to sign. @returns false if the account is erased */
const keepChallenge = async (
  db: Db,
  challenge: string,
  use: Use,
  now: Date,
  checks: Statement[] = [],
): Promise<boolean> => {
  const expires_at = new Date(now.getTime() + timeout)
  return insertChallenge(db, { ...use, hash: await hashSecret(challenge), expires_at }, checks)
}

/**
 * Deletes the challenge of a response before verification, so that it works only once.
 * @returns null if the response cannot be parsed
 * @throws ApiError 410 if the challenge was used, has expired or has another purpose
 */
const takeChallenge = async (
  db: Db,
  { response }: RegistrationResponse | SignInResponse,
  use: Use,
  now: Date,
): Promise<string | null> => {
  const challenge = readChallenge(response.clientDataJSON)
  if (challenge === null) return null
  const isLive = await consumeChallenge(db, { ...use, hash: await hashSecret(challenge) }, now)
  if (!isLive) throw new ApiError("passkey_challenge_used")
  return challenge
}

const readChallenge = (clientDataJSON: string): string | null => {
  try {
    const { challenge } = JSON.parse(new TextDecoder().decode(read(clientDataJSON))) as { challenge?: unknown }
    return typeof challenge === "string" ? challenge : null
  } catch {
    return null
  }
}

/**
 * Makes the options for `navigator.credentials.create`, a discoverable credential, and saves their challenge.
 * @param checks run in the batch that saves the challenge
 * @throws ApiError 400 if the account has the maximum number of passkeys, 401 if it is erased
 */
export const offerRegistration = async (db: Db, origin: string, account: Account, now: Date, checks: Statement[]) => {
  const passkeys = await listPasskeys(db, account.id)
  if (passkeys.length >= MAX_PASSKEYS) throw new ApiError("too_many_passkeys")
  const { generateRegistrationOptions } = await load()
  const options = await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: siteOf(origin).expectedRPID,
    userID: userHandleOf(account.id),
    userName: account.username,
    userDisplayName: account.username,
    excludeCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestationType: "none",
    timeout,
  })
  const isKept = await keepChallenge(db, options.challenge, registrationFor(account), now, checks)
  if (!isKept) throw new ApiError("sign_in_required")
  return options
}

const refused = (message: string) => fieldError("response", "validation_error", message)

/**
 * Verifies the browser's answer to `offerRegistration` and saves the new passkey.
 * @param checks run in the batch that saves the passkey
 * @throws ApiError 410 if its challenge was used, 400 if it is invalid, known or one too many
 */
export const register = async (
  db: Db,
  origin: string,
  account: Account,
  { name, response }: z.output<typeof Registration> & { name: string },
  now: Date,
  checks: Statement[],
): Promise<void> => {
  const challenge = await takeChallenge(db, response, registrationFor(account), now)
  if (challenge === null) throw refused("The passkey's answer cannot be read.")
  const registered = await readRegistration(response, challenge, origin)
  if (!registered) throw refused("The passkey's answer does not hold for this site.")
  const { transports } = response.response
  const passkey = { ...registered, account_id: account.id, transports, name, created_at: now }
  const outcome = await insertPasskey(db, passkey, checks)
  if (outcome === "known") throw refused("This passkey is registered already.")
  if (outcome === "refused") throw new ApiError("too_many_passkeys")
}

/** Makes the options for `navigator.credentials.get`, for any passkey of this site, and saves their challenge. */
export const offerSignIn = async (db: Db, origin: string, now: Date) => {
  const { generateAuthenticationOptions } = await load()
  const rpID = siteOf(origin).expectedRPID
  const options = await generateAuthenticationOptions({ rpID, userVerification: "required", timeout })
  await keepChallenge(db, options.challenge, SIGN_IN, now)
  return options
}

/**
 * Verifies the browser's answer to `offerSignIn`, records the use of its passkey, and returns the passkey.
 * @throws ApiError 410 if its challenge was used or has expired, 401 if the passkey is unknown or the signature is invalid
 */
export const identify = async (db: Db, origin: string, response: SignInResponse, now: Date): Promise<Passkey> => {
  const challenge = await takeChallenge(db, response, SIGN_IN, now)
  if (challenge === null) throw new ApiError("passkey_refused")
  const passkey = await findPasskey(db, response.id)
  if (!passkey) throw new ApiError("passkey_unknown")
  const counter = await readSignIn(response, challenge, origin, passkey)
  // It fails if the passkey was removed meanwhile, or a copy has used this counter.
  if (counter === null || !(await usePasskey(db, passkey, counter, now))) throw new ApiError("passkey_refused")
  return passkey
}

// Attestation with certificates would make the Worker fetch URLs that they name, and needs a bundle with `keep_names`.
const isPlain = async (attestationObject: string): Promise<boolean> => {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers")
  const decoded = decodeAttestationObject(read(attestationObject))
  const format = decoded.get("fmt")
  return format === "none" || (format === "packed" && !decoded.get("attStmt").get("x5c"))
}

/** Verifies a registration and returns its passkey; null if it is invalid. */
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

/** Verifies a signature. @returns the new counter; null if it is invalid, or the counter is too low (a copy) */
const readSignIn = async (
  response: SignInResponse,
  expectedChallenge: string,
  origin: string,
  passkey: Passkey,
): Promise<number | null> => {
  if (response.response.userHandle !== write(userHandleOf(passkey.account_id))) return null
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
