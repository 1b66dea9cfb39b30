/** Returns the element of an id. @throws if the page has none of that kind */
export const byId = <T extends Element>(id: string, kind: abstract new () => T): T => {
  const element = document.getElementById(id)
  if (element instanceof kind) return element
  throw new Error(`The page has no ${kind.name} “${id}”.`)
}

/** Shows a text in an element, or hides the element if the text is empty. */
export const showText = (element: HTMLElement, text: string): void => {
  element.textContent = text
  element.hidden = text === ""
}
