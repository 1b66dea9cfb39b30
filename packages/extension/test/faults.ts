import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"

import { API, call, eventually, operate, origin } from "../../../test/e2e/support.ts"
import { type Fault, type Proxy, startProxy } from "../../edgepost/test/proxy.ts"
import { ask, fill, makeKey, newAuthor, openForm, postOf, postsOf, setUp, submit, valueOf } from "./clip.ts"
import type { Driver, Frame } from "./driver.ts"
import { useExtension } from "./set-up.ts"

// What goes wrong is said, nothing is lost, and a retry makes nothing twice.

// Without these headers, a browser does not let a script read an answer.
const READABLE = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After" }

const answer = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  status,
  headers: { ...READABLE, ...headers },
  body: { code, title: code, detail: `The service says ${code}.`, status, errors: [], request_id: "1" },
})

const LIMITED = answer(429, "rate_limited", { "Retry-After": "900" })

const problemOf = (popup: Frame): Promise<string> => popup.evaluate(`document.querySelector("#problem").textContent`)

const UNREACHABLE = "does not answer"

const focused = (popup: Frame): Promise<string> => popup.evaluate("document.activeElement.id")

const CREATE = "POST posts/"
const UPLOAD = "POST image-upload/"

/** Defines the tests in one browser: each browser has a file, and both run at the same time. */
export const testFaults = (name: string, start: (extension: string) => Promise<Driver>) =>
  describe(`saving with ${name}`, () => {
    const username = `faults-${name.toLowerCase()}`
    const shared = useExtension()
    let proxy: Proxy
    let driver: Driver
    let key: string
    let cases = 0
    let slug: string

    const enter = (draft: string) => setUp(driver, { address: proxy.origin, key: draft, category: "Clips" })

    /** Fails all requests of a kind, except the questions of the browser (OPTIONS). */
    const failAll = (wanted: string, fault: Fault): void => {
      proxy.fault = (_, request) => (request === wanted ? fault : undefined)
    }

    /** Loses the answer of the first request of a kind. Later ones fail. */
    const loseAnswer = (wanted: string, later: Fault = "cut before"): void => {
      let next: Fault = "cut after"
      proxy.fault = (_, request) => {
        if (request !== wanted) return undefined
        const fault = next
        next = later
        return fault
      }
    }

    beforeAll(async () => {
      proxy = await startProxy(origin)
      const author = await newAuthor(username)
      ;({ key } = author)
      driver = await start(shared.extension)
      expect(await enter(author.draftKey)).toContain("Saved.")
    })
    afterAll(async () => {
      await driver.stop()
      await proxy.close()
    })

    /** Opens the form of a new page with one image. */
    beforeEach(async () => {
      proxy.fault = () => undefined
      shared.site.hue = 100
      cases += 1
      slug = `${username}-${cases}`
      await driver.goto(`${shared.site.origin}/news?case=${cases}`)
    })
    const open = async (): Promise<Frame> => {
      const popup = await openForm(driver.openPopup)
      await fill(popup, { slug })
      return popup
    }

    /** Opens the form of a new page, and loses the answer of its first request of a kind. */
    const openAndLose = async (wanted: string, later?: Fault): Promise<Frame> => {
      const popup = await open()
      loseAnswer(wanted, later)
      expect(await submit(popup)).toContain(later ? "Try again in 15 minutes" : UNREACHABLE)
      return popup
    }

    /** Calls the service as the author. */
    const asAuthor = (method: string, path: string, json?: object) =>
      call(method, `${API}/posts/${path}`, {
        headers: { "X-API-KEY": key },
        ...(json && { body: JSON.stringify(json) }),
      })

    /** Presses the button again, and tries again without faults. Afterwards there is one draft, with its image. */
    const expectRetry = async (changes: Record<string, string> = {}) => {
      proxy.fault = () => undefined
      const popup = await openForm(driver.openPopup)
      expect(await valueOf(popup, "slug"), "kept what was written").toBe(slug)
      await fill(popup, changes)
      expect((await submit(popup)).trim()).toBe("The draft is saved.")
      expect(await focused(popup)).toBe("posts")
      await popup.close()
      expect((await postsOf(key)).filter((post) => post.slug.startsWith(slug))).toHaveLength(1)
      const post = await postOf(key, slug)
      expect(post).toMatchObject({ status: "DF", images: [{ width: 640, height: 480 }] })
      return post
    }

    test.each<[string, string, Fault, string]>([
      ["is away", CREATE, "cut before", "does not answer. Check your connection, and the address in the options."],
      ["is away when images are uploaded", UPLOAD, "cut before", UNREACHABLE],
      ["has had too many requests", CREATE, LIMITED, "Try again in 15 minutes, at "],
      ["is down", CREATE, answer(503, "unavailable", { "Retry-After": "400" }), "Try again in 7 minutes, at "],
      ["refuses an unpaid account", CREATE, answer(403, "subscription_required"), "The account has no paid time"],
      ["fails", UPLOAD, answer(500, "internal_error"), "The service has failed (500)."],
    ])("a service that %s is said, and a retry works", async (_, wanted, fault, said) => {
      const popup = await open()
      failAll(wanted, fault)
      const outcome = await submit(popup)
      expect(outcome).toContain(said)
      expect(outcome).toContain("Nothing is lost")
      expect(await focused(popup)).toBe("save")
      await popup.close()
      await expectRetry()
    })

    test("a draft whose answer is lost is not made twice, also if its text was changed since", async () => {
      await (await openAndLose(CREATE)).close()
      const body = await ask(driver.openPopup, (popup) => valueOf(popup, "body"))
      const post = await expectRetry({ title: "A changed title", body: `Changed text\n\n${body}` })
      expect(post).toMatchObject({ title: "A changed title", body: expect.stringContaining("Changed text") })
    })

    test("a draft whose answer is lost before a 429 keeps its address, and another draft at the new one stays", async () => {
      const other = `${slug}-other`
      const draft = { title: "Other", status: "DF", categories: "Clips", meta_description: "Other", body: "Other" }
      await asAuthor("POST", "", { ...draft, slug: other, source: "edgepost-extension" })
      const popup = await openAndLose(CREATE, LIMITED)
      proxy.fault = () => undefined
      await fill(popup, { slug: other, title: "A changed title" })
      expect(await submit(popup)).toContain(`An earlier attempt has made the draft, with the address “${slug}”.`)
      await popup.close()
      expect(await postOf(key, slug)).toMatchObject({ title: "A changed title", images: [{ width: 640 }] })
      expect(await postOf(key, other)).toMatchObject({ title: "Other", version: 1 })
    })

    test("a draft is not made twice if the answer of its creation and that of its replacement are lost", async () => {
      const popup = await openAndLose(CREATE)
      await fill(popup, { title: "A changed title" })
      loseAnswer(`PUT posts/${slug}/`)
      expect(await submit(popup)).toContain(UNREACHABLE)
      await popup.close()
      expect(await expectRetry()).toMatchObject({ title: "A changed title" })
    })

    test("a draft whose answer is lost is made again after its author has deleted it", async () => {
      await (await openAndLose(CREATE)).close()
      expect(await asAuthor("DELETE", `${slug}/`)).toMatchObject({ status: 204 })
      await expectRetry()
    })

    test("a draft whose answer is lost is not replaced after its author has changed it", async () => {
      const popup = await openAndLose(CREATE)
      proxy.fault = () => undefined
      const languages = { lang_code: "en", primary_language: "en", translation_languages: [] }
      const changed = await asAuthor("PATCH", `${slug}/`, { ...languages, title: "Changed by its author" })
      expect(changed.status).toBe(200)
      await fill(popup, { title: "Changed in the popup" })
      expect(await submit(popup)).toContain(`The address “${slug}” is taken. The draft has “${slug}-2”.`)
      await popup.close()
      expect(await postOf(key, slug)).toMatchObject({ title: "Changed by its author" })
      expect(await postOf(key, `${slug}-2`)).toMatchObject({ title: "Changed in the popup" })
    })

    test.each([
      ["is not made twice", 100],
      ["is made again if the image has changed since", 200],
    ])("an upload whose answer is lost %s", async (_, hue) => {
      await (await openAndLose(UPLOAD)).close()
      shared.site.hue = hue
      expect(await expectRetry()).toMatchObject({ slug })
    })

    test("a revoked key is said, and the draft is saved with the next one", async () => {
      const popup = await open()
      await operate("DELETE", `${username}/keys/browser-draft/`)
      const outcome = await submit(popup)
      expect(outcome).toContain("does not accept the key: it was revoked, has expired, or is mistyped")
      expect(outcome).toContain("/settings/keys/")
      await popup.close()
      expect(await enter(await makeKey(username, "draft"))).toContain("Saved.")
      await expectRetry()
    })

    test("an image that the service refuses stays a link, and this is said", async () => {
      const popup = await open()
      failAll(UPLOAD, answer(400, "unsupported_format"))
      const outcome = await submit(popup)
      expect(outcome).toContain("stays a link: the service refuses it: The service says unsupported_format.")
      await popup.close()
      const link = `[The quay \\*at\\* six](${shared.site.origin}/image/640x480/quay.png)`
      expect(await postOf(key, slug)).toMatchObject({ images: [], body: expect.stringContaining(link) })
    })

    test("an image that has expired is uploaded again", async () => {
      const popup = await open()
      let isFirst = true
      proxy.fault = (_, request) => {
        if (request !== CREATE || !isFirst) return undefined
        isFirst = false
        return answer(410, "image_expired")
      }
      expect((await submit(popup)).trim()).toBe("The draft is saved.")
      await popup.close()
      expect(await postOf(key, slug)).toMatchObject({ images: [{ width: 640 }] })
    })

    test("a field that the service refuses is said", async () => {
      const popup = await open()
      const radios = `[...document.querySelectorAll("input[type=radio]")]`
      const disabled = await popup.evaluate(`${radios}.map(({ disabled }) => disabled)`)
      expect(disabled, "only https is canonical").toEqual([false, true])
      await popup.evaluate(`Object.assign(${radios}[1], { disabled: false, checked: true })`)
      expect(await submit(popup)).toMatch(/^canonical_url: /)
      await popup.evaluate(`${radios}[0].checked = true`)
      expect((await submit(popup)).trim()).toBe("The draft is saved.")
      await popup.close()
      expect(await postOf(key, slug)).toMatchObject({ canonical_url: null, images: [{ width: 640 }] })
    })

    test("keeps what was written when the popup closes, until its author lets the page replace it", async () => {
      const popup = await open()
      await fill(popup, { title: "Written by hand", tags: "one, two" })
      const stored = "chrome.storage.session.get(null).then(JSON.stringify)"
      await eventually(async () => expect(await popup.evaluate(stored)).toContain("one, two"))
      await popup.close()
      const again = await openForm(driver.openPopup)
      expect([await valueOf(again, "title"), await valueOf(again, "tags")]).toEqual(["Written by hand", "one, two"])
      const answerWith = async (id: string) => {
        await again.evaluate(`document.querySelector("#reread").click()`)
        await eventually(async () => expect(await again.evaluate(`document.querySelector("#ask").open`)).toBe(true))
        await again.evaluate(`document.querySelector("#${id}").click()`)
      }
      await answerWith("keep")
      expect(await valueOf(again, "title")).toBe("Written by hand")
      await answerWith("replace")
      await eventually(async () => expect(await valueOf(again, "title")).toBe("The ferry leaves at six"))
      await again.close()
    })

    test("keeps what was written when the page cannot be read again", async () => {
      const popup = await open()
      await fill(popup, { title: "Written by hand" })
      await driver.page.evaluate(`document.body.textContent = ""`)
      await popup.evaluate(`document.querySelector("#reread").click()`)
      await eventually(async () => expect(await problemOf(popup)).toContain("This page has no article"))
      expect(await valueOf(popup, "title")).toBe("Written by hand")
      await popup.close()
    })

    test.each([
      ["storage", "chrome.storage.session.set", "No space is left."],
      ["background", "chrome.runtime.sendMessage", "Saving has stopped. Try again."],
    ])("a failure of the %s is said, and the form can be used again", async (_, broken, said) => {
      const popup = await open()
      await popup.evaluate(`${broken} = () => Promise.reject(new Error("No space is left."))`)
      expect(await submit(popup)).toContain(said)
      await popup.close()
    })

    test("a form that is no longer kept is said", async () => {
      const popup = await open()
      const request = `chrome.runtime.sendMessage({ url: "https://a.example/", tabId: 1 })`
      expect(await popup.evaluate(request)).toBe("The form of this page is no longer kept. Open the popup again.")
      await popup.close()
    })

    test("a form that is too large to be kept is said", async () => {
      const popup = await open()
      await fill(popup, { body: "x".repeat(600 * 1024) })
      const said = /^The form has 6\d\d KiB, more than the 512 KiB/
      await eventually(async () => expect(await problemOf(popup)).toMatch(said))
      await popup.close()
    })

    test("the forms that were unchanged for longest make room for a new one", async () => {
      const popup = await open()
      const forms = Array.from({ length: 8 }, (_, index) => `https://a.example/${index}`)
      const clips = Object.fromEntries(forms.map((url, index) => [`clip ${url}`, { url, changedAt: index }]))
      await popup.evaluate(`chrome.storage.session.set(${JSON.stringify(clips)})`)
      await popup.close()
      await driver.goto(`${shared.site.origin}/news?case=${cases}-next`)
      const stored = "chrome.storage.session.get(null).then(Object.keys)"
      const names = await ask(driver.openPopup, (next) => next.evaluate<string[]>(stored))
      const kept = names.filter((one) => one.startsWith("clip "))
      expect(kept).toHaveLength(8)
      expect(kept).toContain(`clip ${shared.site.origin}/news?case=${cases}-next`)
      expect(kept).not.toContain("clip https://a.example/0")
    })
  })
