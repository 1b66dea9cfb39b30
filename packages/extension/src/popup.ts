import { MAX_BODY_BYTES, MAX_META_DESCRIPTION_CHARS, MAX_POST_IMAGES, MAX_TITLE_CHARS } from "../../../src/limits.ts"
import { slugOf } from "../../edgepost/src/folder/slugify.ts"
import {
  type Clip,
  type Form,
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
import { explainUnreadable, messageOf } from "./messages.ts"
import type { Page } from "./page.ts"
import { loadSettings, type Settings } from "./settings.ts"

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

/** A page as it was read, and why it has no text; empty if it has one. */
interface Reading {
  page: Page
  reason: string
}

const NO_ARTICLE =
  "This page has no article that can be read. Select the text that you want, and press “Read the page again”, or write it yourself."

const clipOf = ({ page, reason }: Reading, url: string, settings: Settings): Clip => ({
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
  notes: reason === "" ? page.notes : [reason],
  isEdited: false,
  changedAt: Date.now(),
})

const EMPTY: Page = {
  title: "",
  description: "",
  language: "",
  tags: [],
  body: "",
  images: [],
  state: "empty",
  notes: [],
}

const reasonOf = ({ state }: Page): string => {
  if (state === "pdf") return explainUnreadable("file.pdf")
  return state === "empty" ? NO_ARTICLE : ""
}

/** Reads the page of a tab. A page that no extension may read is an empty one. */
const readTab = async ({ id = -1, title = "", url = "" }: chrome.tabs.Tab): Promise<Reading> => {
  try {
    const [injected] = await chrome.scripting.executeScript({ target: { tabId: id }, files: ["extract.js"] })
    const page = injected?.result as Page | null | undefined
    if (page) return { page, reason: reasonOf(page) }
  } catch {
    // The browser names its reasons in many ways; the address tells more.
  }
  return { page: { ...EMPTY, title }, reason: explainUnreadable(url) }
}

const showLink = (id: string, href: string | undefined): void => {
  const link = byId(id, HTMLAnchorElement)
  link.hidden = href === undefined
  if (href !== undefined) link.href = href
}

const showJob = (job: Job | null): void => {
  const wasSaving = fields.disabled
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
  // A disabled form has lost the focus.
  if (wasSaving && job?.state !== "saving") byId(isFailed ? "save" : "posts", HTMLElement).focus()
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

const question = byId("ask", HTMLDialogElement)
let answer = (_mayReplace: boolean): void => {}

/** Asks whether what the user wrote may be replaced. If the user leaves the question, it has no answer. */
const mayReplace = (): Promise<boolean> => {
  question.showModal()
  return new Promise((resolve) => {
    answer = resolve
  })
}
// The event "close" of a dialog comes later, perhaps when it is open again.
for (const id of ["replace", "keep"])
  byId(id, HTMLElement).addEventListener("click", () => {
    question.close()
    answer(id === "replace")
  })

const open = async (tab: chrome.tabs.Tab, settings: Settings): Promise<void> => {
  const tabId = tab.id ?? -1
  // A page of the browser may hide its address. Its form belongs to its tab.
  const url = tab.url || `tab:${tabId}`
  const begin = async (reading: Reading): Promise<Clip> => {
    const fresh = clipOf(reading, url, settings)
    await startClip(fresh)
    return fresh
  }
  const [kept, job] = await Promise.all([loadClip(url), loadJob(url)])
  // The page, or what is selected, may have changed since.
  let clip = kept && (kept.isEdited || job) ? kept : await begin(await readTab(tab))
  const keep = async (): Promise<void> => {
    clip = { ...clip, form: readForm(clip.form.images), isEdited: true }
    await saveClip(clip)
  }
  const request = async (): Promise<void> => {
    const message: SaveRequest = { url, tabId }
    const failure: string | null = await chrome.runtime
      .sendMessage(message)
      .catch(() => "Saving has stopped. Try again.")
    if (failure !== null) throw new Error(failure)
  }
  const showClip = async (): Promise<void> => {
    fillForm(clip)
    form.hidden = false
    await showImages(clip, () => void keep())
    showJob(await loadJob(url))
  }
  const save = async (): Promise<void> => {
    await saveClip(clip)
    await request()
  }
  const readAgain = async (): Promise<void> => {
    const reading = await readTab(tab)
    showText(problem, reading.reason)
    if (reading.reason !== "" || (!form.hidden && clip.isEdited && !(await mayReplace()))) return
    clip = await begin(reading)
    await showClip()
    if (document.activeElement === document.body) byId("title", HTMLElement).focus()
  }

  form.addEventListener("input", () => void keep())
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    clip = { ...clip, form: readForm(clip.form.images) }
    const complaint = complaintOf(clip.form)
    showText(problem, complaint)
    scrollTo(0, 0)
    if (complaint !== "") return
    fields.disabled = true
    status.textContent = "Saving"
    void save()
  })
  for (const id of ["reread", "again"]) byId(id, HTMLElement).addEventListener("click", () => void readAgain())
  watchJob(url, showJob)
  await showClip()
  // The background may have been ended in the middle. If it still works, it ignores this.
  if ((await loadJob(url))?.state === "saving") await request()
}

const start = async (): Promise<void> => {
  for (const button of document.querySelectorAll(".options"))
    button.addEventListener("click", () => void chrome.runtime.openOptionsPage())
  const settings = await loadSettings()
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true })
  if (!settings) byId("setup", HTMLElement).hidden = false
  else if (tab) await open(tab, settings)
}

/** Says what has failed. The form can be used again. */
const fail = (error: unknown): void => {
  fields.disabled = false
  status.textContent = ""
  showText(problem, messageOf(error))
  scrollTo(0, 0)
  if (document.activeElement === document.body) byId("save", HTMLElement).focus()
}
addEventListener("unhandledrejection", ({ reason }) => fail(reason))

void start()
