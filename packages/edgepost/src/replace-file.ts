import { randomUUID } from "node:crypto"
import { rename, rm, writeFile } from "node:fs/promises"

/** Writes a file whole or not at all: a new file takes the place of one that is there, or of a link, which it does not follow. */
export const replaceFile = async (path: string, content: string | Buffer, mode = 0o644): Promise<void> => {
  const fresh = `${path}.${randomUUID()}`
  try {
    await writeFile(fresh, content, { mode, flag: "wx" })
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}
