// Reads fields of data whose form is unknown.

export type JsonFields = Record<string, unknown>

export const isFields = (value: unknown): value is JsonFields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns a field that is an object; an empty one otherwise. */
export const fieldsIn = (fields: JsonFields, name: string): JsonFields => {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return isFields(value) ? value : {}
}

/** Returns the objects in a list; none if the field is no list. */
export const listIn = (fields: JsonFields, name: string): JsonFields[] => {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** Returns a field that is a text or a number; "" otherwise. */
export const textOfField = (fields: JsonFields, name: string): string => {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}
