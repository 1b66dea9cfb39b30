import { createClient, EdgepostError } from "edgepost/client"

import { byId, showText } from "./elements.ts"
import { loadKey, removeKey, saveKey } from "./key.ts"
import { explain, messageOf } from "./messages.ts"
import { loadSettings, removeSettings, saveSettings, type Settings } from "./settings.ts"

const form = byId("form", HTMLFormElement)
const fields = byId("fields", HTMLFieldSetElement)
const status = byId("status", HTMLElement)
const problem = byId("problem", HTMLElement)
const input = (id: string): HTMLInputElement => byId(id, HTMLInputElement)

/** A reason why the options cannot be saved, for the user. */
class Refusal extends Error {}

/**
 * Returns the address that was entered, with its protocol and without a slash at its end.
 * @throws Refusal if it is no address of a service
 */
const addressOf = (): string => {
  const text = input("address").value.trim()
  // Matches `https:` and `http:`. Does not match `localhost:8787`, whose protocol would be `localhost:`.
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new Refusal(
      `${text} is no address of a service. Enter one such as https://blog.example, with https:// before it.`,
    )
  const { origin, pathname } = new URL(text)
  if (pathname !== "/") throw new Refusal(`The address of the service has no path. Enter ${origin}.`)
  return origin
}

const showKeysLink = (): void => {
  const link = byId("keys", HTMLAnchorElement)
  try {
    link.href = `${addressOf()}/settings/keys/`
  } catch {
    link.removeAttribute("href")
  }
}

const show = (settings: Settings | null, key: string | null): void => {
  const { address = "", category = "", language = "", translations = null } = settings ?? {}
  input("address").value = address
  input("key").value = ""
  input("key").required = key === null
  input("category").value = category
  input("language").value = language
  input("translations").value = translations?.length === 0 ? "none" : (translations?.join(", ") ?? "")
  byId("key-state", HTMLElement).textContent =
    key === null ? "" : `A key that ends in ${key.slice(-4)} is stored. Leave this empty to keep it.`
  byId("forget", HTMLElement).hidden = settings === null
  showKeysLink()
}

/** Returns the target languages; null for those of the account. */
const translationsOf = (text: string): string[] | null => {
  if (text.trim() === "none") return []
  const codes = text.split(",").map((code) => code.trim())
  return codes.some(Boolean) ? codes.filter(Boolean) : null
}

const SCOPES: Record<string, string> = {
  publish: "This key can publish and delete posts, which an extension should not. It was not stored.",
  read: "This key can only read, so it cannot save drafts. It was not stored.",
}

/** Asks the service what the key may do. @throws Refusal unless it can only write drafts */
const check = async (address: string, key: string): Promise<string> => {
  const client = createClient({ baseUrl: address, apiKey: key })
  const { username, key: found } = await client.getAccount()
  if (found.scope !== "draft")
    throw new Refusal(`${SCOPES[found.scope] ?? ""} Make a key of the scope “draft” at ${address}/settings/keys/.`)
  const end = found.expires_at === null ? "" : ` until ${new Date(found.expires_at).toLocaleDateString()}`
  return `Saved. Drafts go to the blog of ${username}, with the key “${found.name}”${end}.`
}

const save = async (): Promise<void> => {
  const address = addressOf()
  const key = input("key").value.trim() || (await loadKey(address))
  if (key === null) throw new Refusal("Enter the key of this service.")
  const settings: Settings = {
    address,
    category: input("category").value.trim(),
    language: input("language").value.trim(),
    translations: translationsOf(input("translations").value),
  }
  const message = await check(address, key)
  await saveKey({ address, key })
  await saveSettings(settings)
  show(settings, key)
  status.textContent = message
  fields.disabled = false
}

/** Says what has failed. The form can be used again. */
const fail = (error: unknown): void => {
  fields.disabled = false
  status.textContent = ""
  showText(problem, error instanceof EdgepostError ? explain(error, addressOf(), Date.now()) : messageOf(error))
}
addEventListener("unhandledrejection", ({ reason }) => fail(reason))

form.addEventListener("submit", (event) => {
  event.preventDefault()
  fields.disabled = true
  status.textContent = "Asking the service"
  showText(problem, "")
  void save()
})
input("address").addEventListener("input", showKeysLink)
const forget = async (): Promise<void> => {
  await removeKey()
  await removeSettings()
  show(null, null)
  status.textContent = "The address and the key are forgotten. The key itself still works until you revoke it."
}
byId("forget", HTMLElement).addEventListener("click", () => void forget())

const start = async (): Promise<void> => {
  const settings = await loadSettings()
  show(settings, settings && (await loadKey(settings.address)))
  fields.disabled = false
}
void start()
