import type { Schema } from "./document.ts"

const between = (unit: string, least?: number, most?: number): string[] => {
  if (least === undefined && most === undefined) return []
  if (most === undefined) return [`at least ${least}${unit}`]
  return [least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`]
}

/** What every integer of JSON that JavaScript reads is within says nothing. */
const told = (limit?: number): number | undefined =>
  limit !== undefined && Number.isSafeInteger(limit) && Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit

/** What a value must keep to beside its type, in words: `1 to 255 characters`. Code stands between backticks. */
export const constraintsOf = ({ format, pattern, ...schema }: Schema): string[] => [
  ...between(" characters", schema.minLength, schema.maxLength),
  ...between("", told(schema.minimum), told(schema.maximum)),
  ...between(" items", undefined, schema.maxItems),
  // A format says it more briefly.
  ...(pattern && !format ? [`matching \`${pattern}\``] : []),
]
