import { MAX_BODY_BYTES, MAX_META_DESCRIPTION_CHARS, MAX_POST_IMAGES, MAX_TITLE_CHARS } from "../../../src/limits.ts"
import {
  type Clip,
  type Form,
  forget,
  type Job,
  loadClip,
  loadJob,
  saveClip,
  type SaveRequest,
  startClip,
  watchJob,
} from "./clip.ts"
import { byId, showText } from "./elements.ts"
import { showImages } from "./image-list.ts"
import { explainUnreadable } from "./messages.ts"
import type { Page } from "./page.ts"
import { loadSettings, type Settings } from "./settings.ts"
import { slugOf } from "./slug.ts"

// The form of a page's draft.

const form = byId("form", HTMLFormElement)
const fields = byId("fields", HTMLFieldSetElement)
const status = byId("status", HTMLElement)
const problem = byId("problem", HTMLElement)
const result = byId("result", HTMLElement)

const TEXTS = ["title", "slug", "description", "tags", "category", "language", "body"] as const

const inputOf = (name: string) =>
  form.elements.namedItem(name) as HTMLInputElement | HTMLTextAreaElement | RadioNodeList

const isWeb = (url: string): boolean => /^https?:/.test(url)

/** Returns what the form says now. */
const readForm = (images: Form["images"]): Form => {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, inputOf(name).value])) as Record<
    (typeof TEXTS)[number],
    string
  >
  return { ...texts, origin: (inputOf("origin").value || "none") as Form["origin"], images }
}

const fillForm = ({ url, form: values, notes }: Clip): void => {
  for (const name of TEXTS) inputOf(name).value = values[name]
  inputOf("origin").value = values.origin
  byId("source", HTMLElement).hidden = !isWeb(url)
  // A canonical address must be https.
  const [, canonical] = inputOf("origin") as RadioNodeList
  ;(canonical as HTMLInputElement).disabled = !url.startsWith("https:")
  const list = byId("notes", HTMLElement)
  list.replaceChildren(...notes.map(toItem))
  list.hidden = notes.length === 0
}

const toItem = (text: string): HTMLLIElement => {
  const item = document.createElement("li")
  item.textContent = text
  return item
}

const NO_ARTICLE =
  "This page has no article that can be read. Select the text that you want, and press “Read the page again”, or write it yourself."

const notesOf = ({ source, embedded }: Page): string[] => [
  ...(source === "selection" ? ["The text is what you selected on the page."] : []),
  ...(source === "none" ? [NO_ARTICLE] : []),
  ...(source === "pdf" ? [explainUnreadable("file.pdf")] : []),
  ...(embedded > 0 ? [`Images that are part of the page itself are left out: ${embedded}.`] : []),
]

const clipOf = (page: Page, url: string, settings: Settings): Clip => ({
  url,
  pageTitle: page.title || url,
  form: {
    title: page.title,
    slug: slugOf(page.title),
    description: page.description,
    tags: page.tags.join(", "),
    category: settings.category,
    language: page.language || settings.language,
    body: page.body,
    origin: isWeb(url) ? "quote" : "none",
    images: page.images.map((image, index) => ({ ...image, isTicked: index < MAX_POST_IMAGES })),
  },
  notes: notesOf(page),
  changedAt: Date.now(),
})

/** Reads the page of a tab. A page that no extension may read gives an empty form with the reason. */
const readTab = async (tab: chrome.tabs.Tab, settings: Settings): Promise<Clip> => {
  const url = tab.url ?? ""
  const empty: Page = {
    title: tab.title ?? "",
    description: "",
    language: "",
    tags: [],
    body: "",
    images: [],
    embedded: 0,
    source: "none",
  }
  try {
    const [injected] = await chrome.scripting.executeScript({ target: { tabId: tab.id ?? -1 }, files: ["extract.js"] })
    const page = injected?.result as Page | null | undefined
    if (page) return clipOf(page, url, settings)
  } catch {
    // The browser names its reasons in many ways; the address tells more.
  }
  return { ...clipOf(empty, url, settings), notes: [explainUnreadable(url)] }
}

const showLink = (id: string, href: string | undefined): void => {
  const link = byId(id, HTMLAnchorElement)
  link.hidden = href === undefined
  if (href !== undefined) link.href = href
}

const showJob = (job: Job | null): void => {
  fields.disabled = job?.state === "saving"
  form.hidden = job?.state === "saved"
  result.hidden = job?.state !== "saved"
  const isFailed = job?.state === "failed"
  const notes = job?.notes.join("\n") ?? ""
  status.textContent = isFailed ? "" : [job?.message, notes].filter(Boolean).join("\n")
  showText(
    problem,
    isFailed ? `${job.message}\nNothing is lost: what you wrote stays here until the browser ends.` : "",
  )
  if (job) scrollTo(0, 0)
  showLink("preview", job?.previewUrl)
  showLink("posts", job?.postsUrl)
  if (job?.state === "saved") byId("notes", HTMLElement).hidden = true
}

/** Returns what must be changed before the draft can be saved; empty if nothing. */
const complaintOf = ({ title, description, body }: Form): string => {
  const bytes = new TextEncoder().encode(body).length
  if ([...title].length > MAX_TITLE_CHARS) return `The title has more than ${MAX_TITLE_CHARS} characters. Shorten it.`
  if ([...description].length > MAX_META_DESCRIPTION_CHARS)
    return `The description has more than ${MAX_META_DESCRIPTION_CHARS} characters. Shorten it.`
  if (bytes > MAX_BODY_BYTES)
    return `The text has ${Math.ceil(bytes / 1024)} KiB, more than ${MAX_BODY_BYTES / 1024} KiB. Shorten it.`
  return ""
}

const open = async (tab: chrome.tabs.Tab, settings: Settings): Promise<void> => {
  const tabId = tab.id ?? -1
  const read = async (): Promise<Clip> => {
    const fresh = await readTab(tab, settings)
    await startClip(fresh)
    return fresh
  }
  let clip = (await loadClip(tab.url ?? "")) ?? (await read())
  const keep = (): void => {
    clip = { ...clip, form: readForm(clip.form.images) }
    void saveClip(clip)
  }
  const request = (): Promise<unknown> => {
    const message: SaveRequest = { url: clip.url, tabId }
    return chrome.runtime.sendMessage(message)
  }
  const showClip = async (): Promise<void> => {
    fillForm(clip)
    form.hidden = false
    await showImages(clip, keep)
    showJob(await loadJob(clip.url))
  }

  form.addEventListener("input", keep)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    clip = { ...clip, form: readForm(clip.form.images) }
    const complaint = complaintOf(clip.form)
    showText(problem, complaint)
    scrollTo(0, 0)
    if (complaint !== "") return
    fields.disabled = true
    status.textContent = "Saving"
    void saveClip(clip).then(request)
  })
  for (const id of ["reread", "again"])
    byId(id, HTMLElement).addEventListener("click", () => {
      void forget(clip.url)
        .then(read)
        .then((fresh) => {
          clip = fresh
          return showClip()
        })
    })
  watchJob(clip.url, showJob)
  await showClip()
  // The background may have been ended in the middle. If it still works, it ignores this.
  if ((await loadJob(clip.url))?.state === "saving") await request()
}

const start = async (): Promise<void> => {
  for (const button of document.querySelectorAll(".options"))
    button.addEventListener("click", () => void chrome.runtime.openOptionsPage())
  const settings = await loadSettings()
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true })
  if (!settings) byId("setup", HTMLElement).hidden = false
  else if (tab) await open(tab, settings)
}

await start()
