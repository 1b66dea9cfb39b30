// Passkeys: what a page with a button for them loads.
// It comes as a script that leaves a global.
// oxlint-disable-next-line import/no-unassigned-import
import "./vendor/simplewebauthn-browser.js"

const { browserSupportsWebAuthn, startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser

/** Calls a route of the service. @throws Error with what to tell the person */
const post = async (path, body = {}) => {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  })
  const json = await answer.json()
  if (json.code === "recent_sign_in_required") location.assign("/sign-in/?again=1")
  if (!answer.ok) throw new Error(json.detail)
  return json
}

const signIn = async () => {
  const optionsJSON = await post("/sign-in/passkey/options/")
  const { page } = await post("/sign-in/passkey/verify/", { response: await startAuthentication({ optionsJSON }) })
  return page
}

const register = async (form) => {
  const optionsJSON = await post("/settings/passkeys/options/")
  const response = await startRegistration({ optionsJSON })
  const name = form.elements.namedItem("name").value.trim()
  await post("/settings/passkeys/verify/", { response, ...(name && { name }) })
  return "/settings/?saved=1#passkeys"
}

const error = document.getElementById("passkey-error")

const describe = ({ name, message }) => {
  if (name === "NotAllowedError") return "No passkey was used: it was cancelled, or took too long."
  if (name === "InvalidStateError") return "This device has a passkey for this account already."
  return message
}

/** Runs one of the above, then shows the page that it returns; what fails is told where the button is. */
const run = async (act, button) => {
  error.hidden = true
  button.disabled = true
  try {
    location.assign(await act())
  } catch (failure) {
    error.textContent = describe(failure)
    error.hidden = false
    button.disabled = false
    button.focus()
  }
}

if (browserSupportsWebAuthn()) {
  const button = document.querySelector("[data-passkey='sign-in']")
  button?.addEventListener("click", () => void run(signIn, button))
  const form = document.querySelector("[data-passkey='register']")
  form?.addEventListener("submit", (event) => {
    event.preventDefault()
    void run(() => register(form), form.querySelector("button"))
  })
  for (const shown of [button, form]) if (shown) shown.hidden = false
  document.getElementById("passkey-needs")?.remove()
}
