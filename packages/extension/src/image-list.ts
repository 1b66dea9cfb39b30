import { MAX_POST_IMAGES } from "../../../src/limits.ts"
import { nameOf } from "./body.ts"
import type { Clip } from "./clip.ts"
import { byId } from "./elements.ts"
import { isAllowed, permissionFor } from "./read-image.ts"

// The images of a page in the popup: a checkbox for each, and a button for each site that the user must allow.

type Image = Clip["form"]["images"][number]

const hostOf = (url: string): string => new URL(url).host

const isOwn = ({ url }: Image, page: string): boolean => new URL(url).origin === new URL(page).origin

const toItem = (image: Image, page: string, onChange: () => void): HTMLLIElement => {
  const item = document.createElement("li")
  const label = document.createElement("label")
  const box = document.createElement("input")
  box.type = "checkbox"
  box.checked = image.isTicked
  box.addEventListener("change", () => {
    image.isTicked = box.checked
    onChange()
  })
  label.append(box, ` ${image.alt || nameOf(image.url)}${isOwn(image, page) ? "" : ` (${hostOf(image.url)})`}`)
  item.append(label)
  return item
}

/** Makes the buttons for the sites of ticked images that may not be read yet. */
const showOrigins = async (clip: Clip): Promise<void> => {
  const { url: page, form } = clip
  const foreign = form.images.filter((image) => image.isTicked && !isOwn(image, page))
  const hosts = new Map<string, string | null>()
  for (const { url } of foreign) if (!(await isAllowed(url))) hosts.set(new URL(url).hostname, permissionFor(url))
  const redraw = async (isGranted: boolean): Promise<void> => {
    if (!isGranted) return
    await showOrigins(clip)
    // The button that had the focus is gone.
    document.querySelector<HTMLElement>("#origins button, #image-list input:enabled")?.focus()
  }
  const rows = [...hosts].map(([host, origin]) => {
    if (origin === null) {
      const text = document.createElement("small")
      text.textContent = `Images from ${host} stay links, because that site does not use https.`
      return text
    }
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = `Allow images from ${host}`
    // The browser asks only in the click itself, so nothing may be awaited before.
    button.addEventListener("click", () => void chrome.permissions.request({ origins: [origin] }).then(redraw))
    return button
  })
  byId("origins", HTMLElement).replaceChildren(...rows)
}

/** Lists the images of a page. @param onChange called after the user ticks or unticks one */
export const showImages = async (clip: Clip, onChange: () => void): Promise<void> => {
  const { url, form } = clip
  const list = byId("image-list", HTMLElement)
  const limit = (): void => {
    const isFull = form.images.filter(({ isTicked }) => isTicked).length >= MAX_POST_IMAGES
    for (const box of list.querySelectorAll("input")) box.disabled = isFull && !box.checked
  }
  list.replaceChildren(
    ...form.images.map((image) =>
      toItem(image, url, () => {
        limit()
        onChange()
        void showOrigins(clip)
      }),
    ),
  )
  byId("images", HTMLElement).hidden = form.images.length === 0
  byId("images-help", HTMLElement).textContent = `At most ${MAX_POST_IMAGES}. The others stay links.`
  limit()
  await showOrigins(clip)
}
