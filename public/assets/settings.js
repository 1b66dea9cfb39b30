// What pages do better with a script: without it everything but passkeys works, too.

const COPIED_MS = 2000
const REFRESH_MS = 3000

/** Copies the field that a button names. */
const copyFrom = async (button) => {
  const field = document.getElementById(button.dataset.copy)
  field.select()
  const isCopied = await navigator.clipboard.writeText(field.value).then(
    () => true,
    () => false,
  )
  const before = button.textContent
  // Who may not write to the clipboard has the text selected.
  button.textContent = isCopied ? "Copied" : "Press Ctrl+C"
  setTimeout(() => {
    button.textContent = before
  }, COPIED_MS)
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false
  button.addEventListener("click", () => void copyFrom(button))
}

// A keyboard goes on from what the page tells first, and screen readers say it.
document.querySelector("output.done")?.focus()

if (document.querySelector("[data-passkey]")) await import("./passkeys.js")
if (document.getElementById("text-form")) await import("./post-form.js")

/** Shows the board as it is now, while anything on it is under way. */
const refreshBoard = async () => {
  const board = document.getElementById("board")
  if (!board || board.dataset.refresh === undefined) return
  if (document.hidden) {
    document.addEventListener("visibilitychange", () => void refreshBoard(), { once: true })
    return
  }
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null)
  // Nobody is signed in any more.
  if (answer?.redirected) return
  if (answer?.ok) {
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("board")
    // Who is about to press a button must not lose it.
    if (fresh && !board.contains(document.activeElement)) board.replaceWith(fresh)
  }
  setTimeout(() => void refreshBoard(), REFRESH_MS)
}
setTimeout(() => void refreshBoard(), REFRESH_MS)
