/** The options that are stored in this browser. */
export interface Settings {
  /** Address of the service, without a slash at its end. */
  address: string
  /** A key that can only write drafts. */
  key: string
  category: string
  /** Language of a draft if its page names none; empty for the account's. */
  language: string
  /** Target languages; null for the account's. */
  translations: string[] | null
}

const NAME = "settings"

/** Keeps the storage from scripts inside of pages, in browsers that would give it to them. */
const protect = async (): Promise<void> => {
  await chrome.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" })
}

/** Returns the settings, or null before the first ones are saved. */
export const loadSettings = async (): Promise<Settings | null> => {
  await protect()
  const { [NAME]: settings } = await chrome.storage.local.get<{ [NAME]?: Settings }>(NAME)
  return settings ?? null
}

export const saveSettings = async (settings: Settings): Promise<void> => {
  await protect()
  await chrome.storage.local.set({ [NAME]: settings })
}

export const removeSettings = (): Promise<void> => chrome.storage.local.remove(NAME)
