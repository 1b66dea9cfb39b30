import type { Element, Nodes } from "hast"
import { fromHtml } from "hast-util-from-html"

/** A form of a page, as a browser would send it. */
export interface Form {
  action: string
  /** The values by name; texts have `\r\n` as their line ends, as browsers send them. */
  fields: Record<string, string>
}

const elementsIn = (node: Nodes): Element[] => {
  const own = node.type === "element" ? [node] : []
  return "children" in node ? [...own, ...node.children.flatMap(elementsIn)] : own
}

const textIn = (node: Nodes): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map(textIn).join("") : ""

/** Returns the value that a browser sends for a field. */
const valueOf = (field: Element): string => {
  const { tagName, properties } = field
  if (tagName === "input") return String(properties["value"] ?? "").replaceAll(/[\r\n]/g, "")
  if (tagName === "textarea") return textIn(field).replaceAll(/\r\n?|\n/g, "\r\n")
  const options = elementsIn(field).filter((one) => one.tagName === "option")
  const chosen = options.find((option) => option.properties["selected"]) ?? options[0]
  return String(chosen?.properties["value"] ?? "")
}

/** Reads the forms of a page. */
export const formsIn = (html: string): Form[] =>
  elementsIn(fromHtml(html))
    .filter(({ tagName }) => tagName === "form")
    .map((form) => {
      const fields = elementsIn(form)
        .filter(({ tagName }) => ["input", "textarea", "select"].includes(tagName))
        .filter(({ properties }) => properties["type"] !== "radio" || properties["checked"])
      return {
        action: String(form.properties["action"]),
        fields: Object.fromEntries(fields.map((field) => [String(field.properties["name"]), valueOf(field)])),
      }
    })

/** Tells that a page has no form with an action. */
export class NoForm extends Error {}

/** Returns the form of a page with this action. @throws {NoForm} without one */
export const formTo = (html: string, action: string): Record<string, string> => {
  const form = formsIn(html).find((one) => one.action === action)
  if (!form) throw new NoForm(`The page has no form to ${action}.`)
  return form.fields
}
