import type { SaveRequest } from "./clip.ts"
import { messageOf } from "./messages.ts"
import { saveDraft } from "./save.ts"

// Saves drafts, also after the popup has closed.

/** The browser ends a worker that has called nothing of it for 30 seconds. */
const AWAKE_MS = 20_000

/** Addresses of the pages whose drafts are being saved. */
const running = new Set<string>()

const save = async ({ url, tabId }: SaveRequest): Promise<void> => {
  if (running.has(url)) return
  running.add(url)
  const timer = setInterval(() => void chrome.runtime.getPlatformInfo(), AWAKE_MS)
  try {
    await saveDraft(url, tabId)
  } finally {
    clearInterval(timer)
    running.delete(url)
  }
}

/** Answers null, or why the state of the draft could not be read or stored. Every other failure is in that state. */
chrome.runtime.onMessage.addListener((request: SaveRequest, sender, answer: (failure: string | null) => void) => {
  if (sender.id !== chrome.runtime.id) return false
  save(request).then(
    () => answer(null),
    (error: unknown) => answer(messageOf(error)),
  )
  return true
})
