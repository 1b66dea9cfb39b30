import { ORIGIN } from "../support.ts"

const write = (bytes: Uint8Array) => bytes.toBase64({ alphabet: "base64url", omitPadding: true })
const read = (text: string) => Uint8Array.fromBase64(text, { alphabet: "base64url" })
const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
const utf8 = (text: string) => Uint8Array.from(new TextEncoder().encode(text))
const join = (...parts: Iterable<number>[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
const uint16 = (number: number) => [number >> 8, number & 255]
const uint32 = (number: number) => [...uint16(number >>> 16), ...uint16(number & 65_535)]

// The part of CBOR (RFC 8949) needed here.
export const cborText = (text: string) => [0x60 + text.length, ...utf8(text)]
const cborBytes = (bytes: Uint8Array) =>
  bytes.length < 256 ? [0x58, bytes.length, ...bytes] : [0x59, ...uint16(bytes.length), ...bytes]

/** Encodes a number of an ECDSA signature in DER. */
const derInteger = (bytes: Uint8Array) => {
  const digits = Array.from(bytes.subarray(bytes.findIndex((byte) => byte !== 0)))
  const padded = (digits[0] ?? 0) > 127 ? [0, ...digits] : digits
  return [2, padded.length, ...padded]
}

const FLAGS = { present: 1, verified: 4, attested: 64 }

/** Changes that make the authenticator's answer invalid. */
interface Deviations {
  origin?: string
  rpId?: string
  isVerified?: boolean
  counter?: number
  userHandle?: string
  /** The text of `fmt` and the CBOR of `attStmt`. */
  attestation?: [string, number[]]
  clientData?: Record<string, unknown>
}

export interface CreationOptions {
  challenge: string
  user: { id: string }
}

/** A software passkey: ES256, discoverable. */
export class Authenticator {
  readonly id = write(crypto.getRandomValues(new Uint8Array(32)))
  counter = 1
  userHandle = ""
  readonly #pair = crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]) as Promise<CryptoKeyPair>

  async #authenticatorData(
    { rpId = "localhost", isVerified = true, counter = this.counter }: Deviations,
    key: number[],
  ) {
    const attested = key.length > 0 ? FLAGS.attested : 0
    const flags = FLAGS.present | (isVerified ? FLAGS.verified : 0) | attested
    return join(await sha256(utf8(rpId)), [flags], uint32(counter), key)
  }

  async #coseKey(): Promise<number[]> {
    const { x = "", y = "" } = (await crypto.subtle.exportKey("jwk", (await this.#pair).publicKey)) as JsonWebKey
    return [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, ...cborBytes(read(x)), 0x22, ...cborBytes(read(y))]
  }

  #clientData(type: string, challenge: string, { origin = ORIGIN, clientData }: Deviations) {
    return utf8(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...clientData }))
  }

  /** Returns a browser's answer to registration options. */
  async register({ challenge, user }: CreationOptions, deviations: Deviations = {}) {
    this.userHandle = user.id
    const id = read(this.id)
    const key = [...new Uint8Array(16), ...uint16(id.length), ...id, ...(await this.#coseKey())]
    const authData = await this.#authenticatorData(deviations, key)
    const [format, statement] = deviations.attestation ?? ["none", [0xa0]]
    const attestation = [...cborText("fmt"), ...cborText(format), ...cborText("attStmt"), ...statement]
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: write(this.#clientData("webauthn.create", challenge, deviations)),
        attestationObject: write(join([0xa3], attestation, cborText("authData"), cborBytes(authData))),
        transports: ["internal"],
      },
    }
  }

  /** Returns a browser's answer to sign-in options. */
  async signIn({ challenge }: { challenge: string }, deviations: Deviations = {}) {
    this.counter += 1
    const clientData = this.#clientData("webauthn.get", challenge, deviations)
    const data = await this.#authenticatorData(deviations, [])
    const signed = join(data, await sha256(clientData))
    const { privateKey } = await this.#pair
    const raw = new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, signed))
    const numbers = [...derInteger(raw.slice(0, 32)), ...derInteger(raw.slice(32))]
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: write(clientData),
        authenticatorData: write(data),
        signature: write(join([0x30, numbers.length], numbers)),
        userHandle: deviations.userHandle ?? this.userHandle,
      },
    }
  }

  #credential() {
    return { id: this.id, rawId: this.id, type: "public-key", clientExtensionResults: {} }
  }
}
