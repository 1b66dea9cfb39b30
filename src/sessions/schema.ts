import * as z from "zod"

import { ShortText } from "../http/fields.ts"
import { FORM, moved, type Operation, shown } from "../http/operation.ts"
import { MAX_CREDENTIAL_ID_CHARS, MAX_FORM_BYTES, MAX_PASSKEY_NAME_CHARS } from "../limits.ts"

const page = { tag: null, access: "page", problems: [] } satisfies Partial<Operation>

const Base64Url = z.string().regex(/^[\w-]+$/, "must be base64url")
const CredentialId = Base64Url.max(MAX_CREDENTIAL_ID_CHARS)

/** What browsers make of a credential, whichever it is: `PublicKeyCredential.toJSON()`. */
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

const SecretParam = z.object({ secret: z.string() })
const NoFields = z.object({})
export const Registration = z.object({
  name: ShortText(MAX_PASSKEY_NAME_CHARS).optional(),
  response: RegistrationResponse,
})
const SignIn = z.object({ response: SignInResponse })
const PasskeyForm = z.object({ passkey: CredentialId })

export const getSignIn = {
  ...page,
  operationId: "getSignIn",
  method: "GET",
  path: "/sign-in/",
  summary: "How to sign in",
  successes: shown,
} satisfies Operation

export const getSignInLink = {
  ...page,
  operationId: "getSignInLink",
  method: "GET",
  path: "/sign-in/:secret/",
  params: SecretParam,
  summary: "Asks whether to use the link: programs that look at links must not use it up",
  successes: shown,
  problems: ["sign_in_link_used"],
} satisfies Operation

export const useSignInLink = {
  ...page,
  operationId: "useSignInLink",
  method: "POST",
  path: "/sign-in/:secret/",
  params: SecretParam,
  summary: "Use the link up and sign in",
  successes: moved("The settings"),
  problems: ["sign_in_link_used", "rate_limited"],
} satisfies Operation

export const signOut = {
  ...page,
  operationId: "signOut",
  method: "POST",
  path: "/sign-out/",
  summary: "End this session",
  successes: moved("The page to sign in"),
} satisfies Operation

const json = { contentType: "application/json" }
const script = {
  ...page,
  method: "POST",
  body: NoFields,
  bodyLimit: MAX_FORM_BYTES,
  problems: ["invalid_json", "validation_error"],
} satisfies Partial<Operation>

export const offerSignIn = {
  ...script,
  operationId: "offerSignIn",
  path: "/sign-in/passkey/options/",
  summary: "What a passkey has to sign to sign in",
  successes: { 200: { ...json, description: "PublicKeyCredentialRequestOptionsJSON of WebAuthn" } },
  problems: [...script.problems, "rate_limited"],
} satisfies Operation

export const signIn = {
  ...script,
  operationId: "signIn",
  body: SignIn,
  path: "/sign-in/passkey/verify/",
  summary: "Sign in with what a passkey has signed",
  successes: { 200: { ...json, description: "Signed in" } },
  problems: [...script.problems, "rate_limited", "passkey_unknown", "passkey_refused", "passkey_challenge_used"],
} satisfies Operation

export const offerRegistration = {
  ...script,
  access: "author",
  operationId: "offerRegistration",
  path: "/settings/passkeys/options/",
  summary: "What a passkey is to be made of",
  successes: { 200: { ...json, description: "PublicKeyCredentialCreationOptionsJSON of WebAuthn" } },
  problems: [...script.problems, "too_many_passkeys"],
} satisfies Operation

export const register = {
  ...script,
  access: "author",
  operationId: "register",
  body: Registration,
  path: "/settings/passkeys/verify/",
  summary: "Add the passkey that a browser has made",
  successes: { 201: { ...json, description: "Added" } },
  problems: [...script.problems, "too_many_passkeys", "passkey_challenge_used"],
} satisfies Operation

export const removePasskey = {
  ...page,
  access: "author",
  operationId: "removePasskey",
  method: "POST",
  path: "/settings/passkeys/remove/",
  body: PasskeyForm,
  contentType: FORM,
  summary: "Remove a passkey",
  successes: moved("The settings"),
  problems: ["validation_error"],
} satisfies Operation
