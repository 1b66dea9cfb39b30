import { Failure } from "./cli.mjs"

export const USERNAME = "demo"

/** Makes the paid account `demo`, or finds it, gives it a new key, which cannot be read again, and a link to its settings. */
export const makeDemoAccount = async ({ origin, operatorToken }) => {
  const call = async (method, path, json) => {
    const answer = await fetch(`${origin}/operator/api/accounts/${USERNAME}/${path}`, {
      method,
      headers: { Authorization: `Bearer ${operatorToken}` },
      ...(json && { body: JSON.stringify(json) }),
    })
    if (answer.ok) return { status: answer.status, ...(await answer.json()) }
    throw new Failure(`The operator API answers ${answer.status}: ${await answer.text()}
OPERATOR_TOKEN, in .dev.vars or given by --var, needs at least 32 characters.`)
  }
  const { account } = await call("PATCH", "", { paid_until: "2099-01-01T00:00:00Z" })
  const { api_key: key } = await call("POST", "keys/")
  const { sign_in_url: signInUrl } = await call("POST", "sign-in-links/")
  return { key, signInUrl, isRotated: account.api_key !== null }
}
