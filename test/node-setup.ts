import { afterAll } from "vitest"

import { undoAll } from "./after-file.ts"

// Runs for each file.
afterAll(undoAll)
