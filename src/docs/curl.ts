import { type Call, callerOf } from "./document.ts"

const CREDENTIALS = { key: "X-API-KEY: $KEY", operator: "Authorization: Bearer $OPERATOR_TOKEN" }

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The path with an example of each parameter; null when one has none. */
const addressOf = ({ path, parameters = [] }: Call): string | null => {
  const examples = new Map(parameters.map(({ name, schema }) => [name, schema.example]))
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  if (names.some((name) => examples.get(name) === undefined)) return null
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(examples.get(name))))
}

/** Arguments that send a body; null when there is no example of it. */
const bodyOf = ({ requestBody }: Call): string[] | null => {
  if (!requestBody) return []
  const json = requestBody.content["application/json"]
  if (json)
    return json.example === undefined
      ? null
      : [
          `-H "Content-Type: application/json"`,
          `-d ${quoted(JSON.stringify(json.example, null, 2).replaceAll("\n", "\n  "))}`,
        ]
  const { properties = {} } = requestBody.content["multipart/form-data"]?.schema ?? {}
  return Object.keys(properties).map((name) => `-F ${name}=@picture.jpg`)
}

/**
 * Lines to paste into a shell that has BASE and KEY or OPERATOR_TOKEN. Null for what needs no credentials, which a
 * browser opens, and where the document has no example of what must be sent.
 */
export const curlOf = (call: Call): string | null => {
  const caller = callerOf(call)
  const address = addressOf(call)
  const body = bodyOf(call)
  if (caller === "anybody" || address === null || body === null) return null
  // With a body curl sends POST by itself.
  const isDefault = call.method === (body.length > 0 ? "POST" : "GET")
  const first = ["curl -sS", ...(isDefault ? [] : [`-X ${call.method}`]), `"$BASE${address}"`].join(" ")
  return [first, `-H "${CREDENTIALS[caller]}"`, ...body].join(" \\\n  ")
}
