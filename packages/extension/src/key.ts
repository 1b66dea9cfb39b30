// Keeps the key in the extension's own database. In Firefox, a script that an extension runs in a page can read its
// `storage.local`. No script in a page can read this database.

const DATABASE = "edgepost"
const STORE = "keys"
const NAME = "key"

interface Stored {
  key: string
  /** Address of the service that the key was entered for. */
  address: string
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result))
    request.addEventListener("error", () => reject(request.error ?? new Error("The database of the key has failed.")))
  })

const inStore = async <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
  const opening = indexedDB.open(DATABASE)
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(STORE))
  const database = await resultOf(opening)
  try {
    return await resultOf(work(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

/** Returns the key that was entered for a service, or null. It is never given for another one. */
export const loadKey = async (address: string): Promise<string | null> => {
  const stored = await inStore<Stored | undefined>("readonly", (store) => store.get(NAME))
  return stored?.address === address ? stored.key : null
}

export const saveKey = (stored: Stored): Promise<unknown> => inStore("readwrite", (store) => store.put(stored, NAME))

export const removeKey = (): Promise<unknown> => inStore("readwrite", (store) => store.delete(NAME))
