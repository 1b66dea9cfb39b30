import * as z from "zod"

import { ShortText } from "../http/fields.ts"
import { MAX_CREDENTIAL_ID_CHARS, MAX_PASSKEY_NAME_CHARS } from "../limits.ts"

/** Base64url without padding: `aGk-_w`, not `aGk=`. */
const Base64Url = z.string().regex(/^[\w-]+$/, "must be base64url")
const CredentialId = Base64Url.max(MAX_CREDENTIAL_ID_CHARS)

/** The common fields of `PublicKeyCredential.toJSON()`. */
const Credential = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}).default({}),
})

const RegistrationResponse = Credential.extend({
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z.array(z.string().max(32)).max(10).default([]),
  }),
})
export type RegistrationResponse = z.output<typeof RegistrationResponse>

const SignInResponse = Credential.extend({
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url,
  }),
})
export type SignInResponse = z.output<typeof SignInResponse>

/** Set if a page needs a recent sign-in. */
export const SignInQuery = z.object({ again: z.string().optional() })
export const SecretParam = z.object({ secret: z.string() })
export const Registration = z.object({
  name: ShortText(MAX_PASSKEY_NAME_CHARS).optional(),
  response: RegistrationResponse,
})
export const SignIn = z.object({ response: SignInResponse })
export const PasskeyForm = z.object({ passkey: CredentialId })
