import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

// Files share a process and its modules, in which the `afterAll` of a helper counts for the first file alone.

const undos: (() => unknown)[] = []

/** Calls a function after the tests of the file that runs. */
export const afterFile = (undo: () => unknown): void => void undos.push(undo)

/** Calls the functions that `afterFile` was given. */
export const undoAll = async (): Promise<void> => {
  for (const undo of undos.splice(0)) await undo()
}

/** Makes a new folder, which is removed after the tests of the file. */
export const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "edgepost-test-"))
  afterFile(() => rm(folder, { recursive: true, force: true }))
  return folder
}
