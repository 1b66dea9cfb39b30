/** The options that are stored in this browser, beside the key. */
export interface Settings {
  /** Address of the service, without a slash at its end. */
  address: string
  category: string
  /** Language of a draft if its page names none; empty for the account's. */
  language: string
  /** Target languages; null for the account's. */
  translations: string[] | null
}

const NAME = "settings"

/** Returns the settings, or null before the first ones are saved. */
export const loadSettings = async (): Promise<Settings | null> => {
  const { [NAME]: settings } = await chrome.storage.local.get<{ [NAME]?: Settings }>(NAME)
  return settings ?? null
}

export const saveSettings = (settings: Settings): Promise<void> => chrome.storage.local.set({ [NAME]: settings })

export const removeSettings = (): Promise<void> => chrome.storage.local.remove(NAME)
