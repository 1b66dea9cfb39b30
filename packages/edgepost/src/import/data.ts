// Reads fields of data whose form is unknown.

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns a field that is an object; an empty one otherwise. */
export const fieldsIn = (fields: Fields, name: string): Fields => {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return isFields(value) ? value : {}
}

/** Returns the objects in a list; none if the field is no list. */
export const listIn = (fields: Fields, name: string): Fields[] => {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** Returns a field that is a text or a number; "" otherwise. */
export const textIn = (fields: Fields, name: string): string => {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}
