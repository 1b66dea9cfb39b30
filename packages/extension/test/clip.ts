import { API, call, eventually, newKey, operate } from "../../../test/e2e/support.ts"
import type { Driver, Frame } from "./driver.ts"

// What a user does with the extension.

/** Makes an account without translations. @returns its key and a key of the scope `draft` */
export const newAuthor = async (username: string): Promise<{ key: string; draftKey: string }> => {
  const key = await newKey(username, { translation_languages: [], primary_language: "en" })
  return { key, draftKey: await makeKey(username, "draft") }
}

/** Makes a key of an account that `newKey` has made. */
export const makeKey = async (username: string, scope: string): Promise<string> => {
  const { json } = await operate("POST", `${username}/keys/`, { name: `browser-${scope}`, scope })
  return json.api_key
}

const text = (id: string): string =>
  `(document.querySelector("#${id}").hidden ? "" : document.querySelector("#${id}").textContent)`

export const fill = (frame: Frame, values: Record<string, string>): Promise<unknown> =>
  frame.evaluate(`for (const [id, value] of Object.entries(${JSON.stringify(values)})) {
    const input = document.getElementById(id)
    input.value = value
    input.dispatchEvent(new Event("input", { bubbles: true }))
  }`)

const outcomeOf = async (frame: Frame): Promise<string> => {
  let outcome = ""
  await eventually(async () => {
    outcome = await frame.evaluate<string>(
      `document.querySelector("#fields").disabled && document.querySelector("#form").checkVisibility() ? "" : ${text("problem")} || ${text("status")}`,
    )
    if (outcome === "") throw new Error("It has no outcome yet.")
  })
  return outcome
}

/** Submits a form, and returns its outcome: what it says, or the problem. */
export const submit = async (frame: Frame): Promise<string> => {
  await frame.evaluate(`document.querySelector("#form").requestSubmit()`)
  return outcomeOf(frame)
}

/** Enters the address and the key in the options. @returns what they say */
export const setUp = (driver: Driver, values: Record<string, string>): Promise<string> =>
  ask(driver.openOptions, async (options) => {
    await fill(options, values)
    return submit(options)
  })

/** Opens the popup or the options, and waits for the form. */
export const openForm = async (open: () => Promise<Frame>): Promise<Frame> => {
  const popup = await open()
  await eventually(async () => {
    const isThere = await popup.evaluate(
      `(!document.querySelector("#form").hidden && !document.querySelector("#fields:disabled")) || document.querySelector("#result")?.hidden === false`,
    )
    if (isThere !== true) throw new Error("There is no form yet.")
  })
  return popup
}

/** Opens the popup or the options. @returns the answer to a question about its form */
export const ask = async <T>(open: () => Promise<Frame>, question: (frame: Frame) => Promise<T>): Promise<T> => {
  const frame = await openForm(open)
  const answer = await question(frame)
  await frame.close()
  return answer
}

export const valueOf = (frame: Frame, id: string): Promise<string> =>
  frame.evaluate(`document.getElementById("${id}").value`)
export const notesOf = (frame: Frame): Promise<string> => frame.evaluate(text("notes"))

// oxlint-disable-next-line typescript/no-explicit-any
const read = async (key: string, path: string): Promise<any> =>
  (await call("GET", `${API}/posts/${path}`, { headers: { "X-API-KEY": key } })).json

// oxlint-disable-next-line typescript/no-explicit-any
export const postsOf = async (key: string): Promise<any[]> => (await read(key, "?limit=100")).posts
export const postOf = async (key: string, slug: string) => (await read(key, `${slug}/`)).post
