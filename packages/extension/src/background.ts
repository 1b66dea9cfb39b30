import type { SaveRequest } from "./clip.ts"
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

chrome.runtime.onMessage.addListener((request: SaveRequest, sender) => {
  if (sender.id === chrome.runtime.id) void save(request)
})
