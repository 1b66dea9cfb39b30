import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, beforeAll } from "vitest"

import { buildExtension } from "../build.ts"
import { startChromium } from "./chromium.ts"
import type { Driver } from "./driver.ts"
import { startFirefox } from "./firefox.ts"
import { type Site, startSite } from "./pages.ts"

/** The browsers by name, for `describe.each` and `test.each`. */
export const BROWSERS: [name: string, start: (extension: string) => Promise<Driver>][] = [
  ["Chromium", startChromium],
  ["Firefox", startFirefox],
]

/** The state that the tests of a file share, set before the first of them. */
export interface SetUp {
  /** A folder of these tests. It is removed afterwards. */
  folder: string
  /** The folder of the built extension. */
  extension: string
  site: Site
  /** The site that some images of `site` come from. */
  other: Site
}

/** Builds the extension and starts two sites before the tests of a file, and stops and removes them afterwards. */
export const useExtension = (): SetUp => {
  const shared = {} as SetUp
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "edgepost-extension-"))
    const extension = join(folder, "extension")
    await buildExtension(extension)
    const other = await startSite("localhost")
    const site = await startSite("127.0.0.1", other.origin)
    Object.assign(shared, { folder, extension, site, other })
  })
  afterAll(async () => {
    shared.site.close()
    shared.other.close()
    await rm(shared.folder, { recursive: true })
  })
  return shared
}
