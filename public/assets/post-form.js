// The form of a post: asks before typed text is lost, keeps a copy of it in this browser, saves by Ctrl+S, adds images.
import { ImageProblem, shrink } from "./shrink.js"

const MAX_TRIES = 5

const form = document.getElementById("text-form")
const { key } = form.dataset
const body = form.elements.namedItem("body")
const add = (parent, name, properties) => parent.appendChild(Object.assign(document.createElement(name), properties))

const SKIPPED = new Set(["etag", "seen", "id", "lang_code", "timezone"])

/** Returns what the author has typed, as pairs. */
const typed = () => [...new FormData(form)].filter(([name]) => !SKIPPED.has(name))

/** Returns what the service has put into the form, as pairs. A browser that goes back fills in what was typed. */
const original = () =>
  [...form.elements]
    .filter(({ name, type, defaultChecked }) => name && type !== "submit" && (type !== "radio" || defaultChecked))
    .map(({ name, type, value, defaultValue }) => [name, type === "radio" ? value : defaultValue])
    .filter(([name]) => !SKIPPED.has(name))
const shown = JSON.stringify(original())
let isSending = false
/** Images that are being added. */
let running = 0

/** Calls a method of a storage of the browser. Null if that is full or switched off: the question before leaving stays. */
const call = (storage, method, ...given) => {
  try {
    return window[storage][method](...given)
  } catch {
    return null
  }
}
const session = (method, ...given) => call("sessionStorage", method, ...given)
const local = (method, ...given) => call("localStorage", method, ...given)

const PREFIX = `edgepost:${key}:`
const idField = form.elements.namedItem("id")
/** Returns what says to which version of which post the text belongs, as pairs. */
const versionOf = () => ["id", "etag", "seen"].map((name) => [name, form.elements.namedItem(name)?.value])
/** Names what the service has said that it has saved of a post: a browser that goes back fills it into the form again. */
const savedOf = (postId) => `edgepost:saved:${postId}`
const isChanged = () => {
  const now = JSON.stringify(typed())
  const saved = session("getItem", savedOf(idField?.value ?? key))
  return now !== saved && (form.dataset.unsaved !== undefined || now !== shown)
}

// A copy of the typed text in this browser until the service has it, by the post and its language. Each page has its own.

const copyName = `${PREFIX}${Date.now()}`
const readCopy = (name) => JSON.parse(local("getItem", name))
const namesOfCopies = () => Object.keys(local("valueOf") ?? {}).filter((name) => name.startsWith("edgepost:"))
/** Stores what is typed as a copy, or removes that once it is saved. @returns null if it cannot */
const writeCopy = (name = copyName) => {
  const copy = { at: Date.now(), id: idField?.value ?? key, fields: typed(), version: versionOf() }
  return isChanged() ? local("setItem", name, JSON.stringify(copy)) : local("removeItem", name)
}

/** Adds an image to those that can be the cover. */
const offerCover = (imageId, alt) => {
  const list = document.getElementById("images")
  if (!list) return null
  const label = add(list, "label", {})
  const radio = add(label, "input", { type: "radio", name: "cover_image_id", value: imageId })
  add(label, "img", { src: list.dataset.media.replace("*", imageId), alt: alt || "The new image", width: 120 })
  return radio
}

/** Puts a copy into the form. */
const restore = (fields) => {
  for (const [name, value] of fields) {
    if (name === "cover_image_id") {
      const radios = [...form.querySelectorAll("[name=cover_image_id]")]
      const radio = radios.find((each) => each.value === value) ?? offerCover(value)
      if (radio) radio.checked = true
    } else {
      const field = form.elements.namedItem(name)
      if (field) field.value = value
    }
  }
}

/** The name of the copy that this tab has sent last, with its text, until the next page with a form. */
const SENT = "edgepost:sent"
/** True on the page that tells of a form that it has done something, but not after a way back to that page. */
const isDone =
  new URLSearchParams(location.search).has("done") && performance.getEntriesByType("navigation")[0].type === "navigate"

/** Removes copies that the service has (it has just said so, or shows the same) or that the form has. */
const dropSaved = (sent) => {
  for (const name of namesOfCopies()) {
    const { id, fields } = readCopy(name)
    const isOfNew = name.startsWith("edgepost:new:") && id === key.split(":")[0]
    if (!isOfNew && !name.startsWith(PREFIX)) continue
    const text = JSON.stringify(fields)
    // Words that were typed meanwhile were not sent.
    const isSaved = sent === name + text
    if (isSaved) session("setItem", savedOf(id), text)
    // What was left empty, such as a slug, the service has made.
    const isSame = ([field, value]) => !value || value === (form.elements[field]?.defaultValue ?? value)
    if (isSaved || (isOfNew && fields.every(isSame)) || text === shown || text === JSON.stringify(typed()))
      local("removeItem", name)
  }
}

let notice
/** Offers the newest copy of another page of this form. */
const offerCopy = () => {
  notice?.remove()
  const names = namesOfCopies().filter((each) => each.startsWith(PREFIX) && each !== copyName)
  const [name] = names.toSorted((one, other) => readCopy(other).at - readCopy(one).at)
  if (name === undefined) return
  const { at, fields, version } = readCopy(name)
  const { title, body: text } = Object.fromEntries(fields)
  notice = Object.assign(document.createElement("div"), { className: "notice", role: "status" })
  add(notice, "p", {
    textContent: `A text that you typed here (${new Date(at).toLocaleString()}) is not saved: “${title || text.slice(0, 80)}”, ${text.length} characters.`,
  })
  const take = add(notice, "button", { type: "button", textContent: "Put it into the form" })
  notice.append(" ")
  const drop = add(notice, "button", { type: "button", textContent: "Throw it away" })
  take.addEventListener("click", () => {
    // What stands in the form is offered in turn.
    const hasSpace = writeCopy(name) !== null
    // Of an older version, it is a conflict when it is sent; of a new post, it is the same post.
    if (hasSpace) restore([...fields, ...version])
    else tell("This browser has no space for what stands in the form. Save it first.")
    writeCopy()
    offerCopy()
    body.focus()
  })
  drop.addEventListener("click", ({ detail }) => {
    // The second click of a double one would throw away the next text.
    if (detail > 1) return
    local("removeItem", name)
    offerCopy()
    body.focus()
  })
  form.before(notice)
  notice.scrollIntoView({ block: "nearest" })
}

let timer
form.addEventListener("input", () => {
  // An answer that shows no other page has not taken it.
  isSending = false
  clearTimeout(timer)
  timer = setTimeout(writeCopy, 500)
})
form.addEventListener("submit", (event) => {
  if (event.submitter?.formTarget === "_blank") return
  if (running > 0) {
    event.preventDefault()
    session("removeItem", CURSOR)
    tell("Wait until all images are in the text, then send it.")
    problems.scrollIntoView({ block: "center" })
    return
  }
  isSending = true
  writeCopy()
  session("setItem", SENT, copyName + JSON.stringify(typed()))
})
const settleCopies = (isSaved) => {
  dropSaved(isSaved ? session("getItem", SENT) : null)
  session("removeItem", SENT)
  offerCopy()
  writeCopy()
}
addEventListener("pageshow", () => {
  isSending = false
  // By now the browser has filled in what was typed before a way back.
  settleCopies(false)
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
  const { id, scrollTop, selectionStart, selectionEnd } = document.activeElement
  session("setItem", CURSOR, JSON.stringify([id, scrollY, scrollTop, selectionStart, selectionEnd]))
  form.requestSubmit(form.querySelector("button.primary"))
})
/** Where the author was when Ctrl+S was pressed. */
const CURSOR = "edgepost:cursor"
const [place, pageTop, fieldTop, ...selected] = isDone ? JSON.parse(session("getItem", CURSOR) ?? "[]") : []
session("removeItem", CURSOR)
if (place) form.elements.namedItem(place)?.focus()
if (place) Object.assign(document.activeElement, { scrollTop: fieldTop })
if (place) scrollTo(0, pageTop)
if (typeof selected[0] === "number") document.activeElement.setSelectionRange?.(...selected)
// With its id in the address, the same form comes back.
if (idField) history.replaceState(null, "", `?id=${idField.value}`)
settleCopies(isDone)

// Images, one after another.
const upload = document.getElementById("upload")
const limits = { maxSide: Number(upload.dataset.maxSide), maxBytes: Number(upload.dataset.maxBytes) }
upload.replaceChildren()
add(upload, "label", { htmlFor: "image-files", textContent: "Add images: choose, drop or paste them" })
const files = add(upload, "input", { id: "image-files", type: "file", multiple: true, accept: "image/*" })
const status = add(upload, "output", { id: "image-status" })
const problems = add(add(upload, "div", { className: "error", role: "alert" }), "ul", {})

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
    status.value = `Waiting ${seconds} s, since the service takes a number of images a minute. The others follow by themselves…`
    await new Promise((done) => setTimeout(done, seconds * 1000))
  }
}

/** Returns the words that stand for an image until its author writes better ones. */
const altOf = (name) => {
  const words = name.replace(/\.\w+$/, "").replaceAll(/[^\p{L}\p{N}]+/gu, " ")
  return name === "image.png" ? "" : words.trim()
}

/** Puts a block of Markdown at the cursor. */
const insert = (markdown) => {
  const { selectionEnd: end, value } = body
  const before = value.slice(0, end)
  const gap = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n"
  body.setRangeText(`${gap}${markdown}\n\n`, end, end, "end")
  form.dispatchEvent(new Event("input", { bubbles: true }))
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
      offerCover(image.image_id, alt)
      added += 1
      if (file.type === "image/gif") tell(`${file.name} shows its first frame alone, if it is an animation.`)
    } catch (error) {
      const reason = error instanceof ImageProblem ? error.message : "it cannot be added"
      tell(`${file.name}: ${reason}.`)
    }
  }
  running -= 1
  status.value = added === 1 ? "Added one image to the text." : `Added ${added} images to the text.`
  if (added > 0) status.value += " Replace the words between [ and ] by what it shows: some readers cannot see it."
}

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
