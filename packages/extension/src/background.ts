import type { SaveRequest } from "./clip.ts"
import { messageOf } from "./messages.ts"
import { saveDraft } from "./save.ts"

// Saves drafts, also after the popup has closed.

/** The browser ends a worker that has called nothing of it for 30 seconds. */
const AWAKE_MS = 20_000

/** The drafts that are being saved, by the addresses of their pages. */
const running = new Map<string, Promise<void>>()

const saveAwake = async ({ url, tabId }: SaveRequest): Promise<void> => {
  const timer = setInterval(() => void chrome.runtime.getPlatformInfo(), AWAKE_MS)
  try {
    await saveDraft(url, tabId)
  } finally {
    clearInterval(timer)
    running.delete(url)
  }
}

/** Saves a draft once, however often it is requested meanwhile. Firefox itself delivers some requests twice. */
const save = (request: SaveRequest): Promise<void> => {
  const saving = running.get(request.url) ?? saveAwake(request)
  running.set(request.url, saving)
  return saving
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
