// Removes from a copy of a page what the page does not show, and tells of tabs and folds that are closed.

/** The attribute of what stands for a closed tab or fold in the copy: the beginning of its text. */
export const FOLD = "data-edgepost-fold"

/** Elements whose parts are chosen later, and those that are kept although they have no box. */
const KEPT = "noscript, template, :is(math, picture, video, audio, details) *, img, script"

const SEEN = ":scope > [aria-hidden=true]:not(i, [class*=icon])"

const hasWords = (element: Element): boolean => /[\p{L}\p{N}]/u.test(element.textContent)

/** Matches the clips by which words are only for those who hear the page: `rect(0px, 0px, 0px, 0px)`, `inset(50%)`. Does not match `rect(0px, 300px, 200px, 0px)`. */
const CLIP = /^(?:rect\((?:[01]px(?:,\s*)?){4}\)|inset\((?:50|100)%)/

/** Tells whether an element has words that its place or style makes invisible. Blocks may appear as one scrolls. */
const isInvisible = (element: Element, style: CSSStyleDeclaration): boolean => {
  const isInLine = style.display.startsWith("inline") || element.closest("pre") !== null
  const isClear = isInLine && (style.opacity === "0" || style.visibility === "hidden")
  const isPlaced = style.position === "absolute" || style.position === "fixed"
  if ((!isClear && !isPlaced) || !hasWords(element) || element.querySelector("math, img, svg, video, iframe"))
    return false
  if (isClear) return true
  const { width, height, right } = element.getBoundingClientRect()
  const isClipped = CLIP.test(style.clip) || CLIP.test(style.clipPath)
  return isClipped || (style.overflow === "hidden" && Math.min(width, height) <= 1) || right + scrollX < 0
}

/** Matches classes of tabs and folds: `tabbed-block`, `accordion-body`. Does not match `table`. */
const FOLD_CLASS = /(?:^|[-_\s])(?:accordion|collapse|collapsible|tab|tabbed|tabs?-(?:content|pane|panel))(?=$|[-_\s])/i

/** Tells whether a part that is not displayed is a tab or fold of a text that its reader could open. */
const isFold = (element: Element): boolean =>
  hasWords(element) &&
  element.closest("nav, header, dialog, [role=dialog], [role=menu], [role=navigation]") === null &&
  (element.matches("[role=tabpanel], [hidden=until-found]") ||
    FOLD_CLASS.test(element.className) ||
    (element.id !== "" && document.querySelector(`[aria-controls~="${CSS.escape(element.id)}"]`) !== null))

/** Removes copies of elements that the page does not show. @param copies of the originals, in the same order */
export const removeHidden = (originals: Element[], copies: Iterable<Element>): void => {
  for (const [index, copy] of [...copies].entries()) {
    const original = originals[index]
    if (!original || original.matches(KEPT)) continue
    const style = getComputedStyle(original)
    if (style.display === "none") {
      const fold = copy.ownerDocument.createElement("span")
      fold.setAttribute(FOLD, original.textContent)
      if (isFold(original)) copy.replaceWith(fold)
      else copy.remove()
    } else if (isInvisible(original, style)) {
      // What stands beside it is seen, and only hidden from those who hear the page. Icons may be words in a font.
      for (const seen of copy.parentElement?.querySelectorAll(SEEN) ?? [])
        if (hasWords(seen)) seen.removeAttribute("aria-hidden")
      copy.remove()
    }
  }
}
