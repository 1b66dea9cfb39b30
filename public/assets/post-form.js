// The form of a post: asks before typed text is lost, keeps a copy of it in this browser, saves by Ctrl+S, adds images.
import { ImageProblem, shrink } from "./shrink.js"

const COPY_MS = 500
const MAX_TRIES = 5

const form = document.getElementById("text-form")
const { key, version = "" } = form.dataset
const body = form.elements.namedItem("body")
const add = (parent, name, properties) => parent.appendChild(Object.assign(document.createElement(name), properties))

/** Returns what the author can type, as pairs. */
const typed = () => [...new FormData(form)].filter(([name]) => !["etag", "seen", "id", "lang_code"].includes(name))
const shown = JSON.stringify(typed())
let isSending = false
/** Images that are being added. */
let running = 0
const isChanged = () => form.dataset.unsaved !== undefined || JSON.stringify(typed()) !== shown

// A copy of the typed text, by the post and its language, until the service has it.

const COPY = `edgepost:${key}`
const readCopy = (name) => JSON.parse(localStorage.getItem(name) ?? "null")
const writeCopy = () => {
  const id = form.elements.namedItem("id")?.value
  try {
    if (isChanged())
      localStorage.setItem(COPY, JSON.stringify({ at: Date.now(), version, id, isSent: isSending, fields: typed() }))
    else localStorage.removeItem(COPY)
  } catch {
    // The browser's storage is full or switched off. The question before leaving stays.
  }
}

/** Puts the copy into the form. An image that was chosen as cover may be gone. */
const restore = ({ id, fields }) => {
  for (const [name, value] of fields) {
    const field = form.elements.namedItem(name)
    if (field) field.value = value
  }
  // Sent again, it is the same post.
  if (id) form.elements.namedItem("id").value = id
}

const offerCopy = () => {
  // The post that this page shows was a new one.
  for (const name of Object.keys(localStorage))
    if (name.startsWith("edgepost:new:") && key.startsWith(`${readCopy(name)?.id}:`)) localStorage.removeItem(name)
  const copy = readCopy(COPY)
  if (!copy) return
  const isSaved = copy.isSent && copy.version !== version && form.dataset.unsaved === undefined
  if (isSaved || JSON.stringify(copy.fields) === shown) {
    localStorage.removeItem(COPY)
    return
  }
  const notice = document.createElement("div")
  Object.assign(notice, { className: "notice", role: "status" })
  add(notice, "p", {
    textContent: `This browser keeps a text of ${new Date(copy.at).toLocaleString()} that you typed here and did not save.`,
  })
  const take = add(notice, "button", { type: "button", textContent: "Put it into the form" })
  const drop = add(notice, "button", { type: "button", textContent: "Throw it away" })
  take.addEventListener("click", () => {
    restore(copy)
    notice.remove()
    body.focus()
  })
  drop.addEventListener("click", () => {
    localStorage.removeItem(COPY)
    notice.remove()
  })
  form.before(notice)
}

let timer
form.addEventListener("input", () => {
  clearTimeout(timer)
  timer = setTimeout(writeCopy, COPY_MS)
})
form.addEventListener("submit", ({ submitter }) => {
  // A preview opens in another tab.
  if (submitter?.formTarget === "_blank") return
  isSending = true
  writeCopy()
})
addEventListener("pageshow", () => {
  isSending = false
})
addEventListener("pagehide", () => {
  if (!isSending) writeCopy()
})
addEventListener("beforeunload", (event) => {
  if (!isSending && (running > 0 || isChanged())) event.preventDefault()
})
addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return
  event.preventDefault()
  form.requestSubmit(form.querySelector("button.primary"))
})
offerCopy()

// Images, one after another.

const upload = document.getElementById("upload")
const limits = { maxSide: Number(upload.dataset.maxSide), maxBytes: Number(upload.dataset.maxBytes) }
upload.replaceChildren()
add(upload, "label", { htmlFor: "image-files", textContent: "Add images: choose, drop or paste them" })
const files = add(upload, "input", { id: "image-files", type: "file", multiple: true, accept: "image/*" })
const status = add(upload, "output", { id: "image-status" })
const problems = add(add(upload, "div", { className: "error", role: "alert" }), "ul", {})

const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000))

/** Sends an image, again while the service asks to wait. @returns the stored one */
const send = async (blob, name) => {
  for (let tries = 1; ; tries += 1) {
    const fields = new FormData()
    fields.append("file", blob, name)
    const answer = await fetch("/settings/images/", {
      method: "POST",
      body: fields,
      headers: { Accept: "application/json" },
    }).catch(() => null)
    if (!answer) throw new ImageProblem("the service cannot be reached. Add it again")
    const data = await answer.json().catch(() => ({}))
    if (answer.ok) return data
    const seconds = Number(answer.headers.get("Retry-After"))
    if (answer.status === 401)
      throw new ImageProblem("you are signed out. Sign in in another tab, and add it again: your text stays here")
    if (!seconds || tries === MAX_TRIES)
      throw new ImageProblem(
        data.errors?.map(({ message }) => message).join(" ") ?? data.detail ?? `error ${answer.status}`,
      )
    status.value = `Waiting ${seconds} s, since the service takes a few images a minute…`
    await wait(seconds)
  }
}

/** Returns the words that stand for an image until its author writes better ones. */
const altOf = (name) =>
  name === "image.png"
    ? ""
    : name
        .replace(/\.\w+$/, "")
        .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
        .trim()

/** Puts a block of Markdown at the cursor. */
const insert = (markdown) => {
  const { selectionStart: start, selectionEnd: end, value } = body
  const before = value.slice(0, start)
  const gap = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n"
  body.setRangeText(`${gap}${markdown}\n\n`, start, end, "end")
  form.dispatchEvent(new Event("input", { bubbles: true }))
}

/** Adds an image to those that can be the cover. */
const offerCover = ({ image_id: id, image_url: src }, alt) => {
  const list = document.getElementById("images")
  if (!list) return
  const label = add(list, "label", {})
  add(label, "input", { type: "radio", name: "cover_image_id", value: id })
  add(label, "img", { src, alt: alt || "The new image", width: 120 })
}

const tell = (textContent) => add(problems, "li", { textContent })

const addImages = async (list) => {
  problems.replaceChildren()
  running += 1
  let added = 0
  for (const [i, file] of list.entries()) {
    status.value = `Adding ${i + 1} of ${list.length}: ${file.name}…`
    try {
      const image = await send(await shrink(file, limits), file.name)
      const alt = altOf(file.name)
      insert(`![${alt}](${image.image_url})`)
      offerCover(image, alt)
      added += 1
      if (file.type === "image/gif") tell(`${file.name} shows its first frame alone, if it is an animation.`)
    } catch (error) {
      const reason = error instanceof ImageProblem ? error.message : "it cannot be added"
      tell(`${file.name}: ${reason}.`)
    }
  }
  running -= 1
  status.value = added === 1 ? "Added one image to the text." : `Added ${added} images to the text.`
}

/** The images that are added, in turn. */
let queue = Promise.resolve()
const take = (list) => {
  const chosen = [...list]
  if (chosen.length > 0) queue = queue.then(() => addImages(chosen))
}
files.addEventListener("change", () => {
  take(files.files)
  files.value = ""
})
const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files")
addEventListener("dragover", (event) => {
  if (hasFiles(event)) event.preventDefault()
})
addEventListener("drop", (event) => {
  if (!hasFiles(event)) return
  // Beside the text, the browser would leave the page to show the file.
  event.preventDefault()
  take(event.dataTransfer.files)
})
body.addEventListener("paste", (event) => {
  const { files: pasted, types } = event.clipboardData
  // Other programs copy a text together with an image of it.
  if (pasted.length === 0 || types.includes("text/plain")) return
  event.preventDefault()
  take(pasted)
})
