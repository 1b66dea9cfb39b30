import { PASSKEY_CHALLENGE_SECONDS } from "../limits.ts"
import type { Account, Passkey } from "../tables.ts"
import type { RegistrationResponse, SignInResponse } from "./schema.ts"

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
export const makeRegistrationOptions = async (origin: string, account: Account, passkeys: Passkey[]) => {
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
export const makeSignInOptions = async (origin: string) => {
  const { generateAuthenticationOptions } = await load()
  return generateAuthenticationOptions({ rpID: siteOf(origin).expectedRPID, userVerification: "required", timeout })
}

/** What a passkey has signed. @returns null when that cannot be read */
export const challengeOf = ({ response }: RegistrationResponse | SignInResponse): string | null => {
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
export const readRegistration = async (
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
export const readSignIn = async (
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
