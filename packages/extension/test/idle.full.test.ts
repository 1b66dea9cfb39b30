import { setTimeout as sleep } from "node:timers/promises"

import { expect, test } from "vitest"

import { eventually, origin } from "../../../test/e2e/support.ts"
import { startProxy } from "../../edgepost/test/proxy.ts"
import { fill, newAuthor, openForm, postOf, setUp } from "./clip.ts"
import { BROWSERS, useExtension } from "./set-up.ts"

const shared = useExtension()

// Both browsers wait at the same time, beside the tests of other files.
test.concurrent.each(BROWSERS)(
  "saving with %s goes on when the popup closes in the middle, also for longer than a worker may idle",
  async (name, start) => {
    const slug = `idle-${name.toLowerCase()}`
    const proxy = await startProxy(origin)
    const driver = await start(shared.extension)
    const { key, draftKey } = await newAuthor(slug)
    await setUp(driver, { address: proxy.origin, key: draftKey, category: "Clips" })
    await driver.goto(`${shared.site.origin}/news?${slug}`)
    const popup = await openForm(driver.openPopup)
    await fill(popup, { slug })
    const asked = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    // The time itself is under test: a worker that calls nothing of the browser is ended after 30 seconds.
    proxy.fault = async (_, request) => {
      if (request !== "POST posts/") return undefined
      asked.resolve()
      await sleep(40_000)
      held.resolve()
      return undefined
    }
    await popup.evaluate(`document.querySelector("#form").requestSubmit()`)
    await asked.promise
    await popup.close()
    const again = await driver.openPopup()
    const status = `document.querySelector("#status").textContent`
    await eventually(async () => expect(await again.evaluate(status)).toBe("Saving the text"))
    expect(await again.evaluate(`document.querySelector("#fields").disabled`)).toBe(true)
    // An open popup would keep the worker alive.
    await again.close()
    await held.promise
    const last = await driver.openPopup()
    await eventually(async () => expect(await last.evaluate(status)).toContain("The draft is saved."))
    await driver.stop()
    await proxy.close()
    expect(await postOf(key, slug)).toMatchObject({ status: "DF", images: [{ width: 640 }] })
  },
)
