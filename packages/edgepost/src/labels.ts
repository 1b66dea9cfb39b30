import { MAX_LABEL_CHARS } from "./limits.ts"

// Reads categories and tags, however they arrive: by the API, forms, Micropub, front matter and importers. Free of Node: the service does the same.

/** Matches what separates the labels of a text, as keyboards of several scripts type it. Does not match `;`. */
const SEPARATOR = /[,，、،]/

/** Counts what may be labels in a text, before it is read. */
export const countItems = (text: string): number => text.split(SEPARATOR).length
/**
 * Matches what readers do not see, so that two labels would look alike: a soft hyphen, a zero width space, marks of direction, and a
 * joiner beside a Latin letter. Does not match the joiners of Persian words and of emoji.
 */
const UNSEEN =
  /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF\uFFFE\uFFFF]|[\u200C\u200D](?=[ -~])|(?<=[ -~])[\u200C\u200D]/g
/** Matches blanks of any kind, also letters that are blank, control characters and commas. Does not match `，`. */
const BLANKS = /[\s\p{Cc},\u180E\u2800\u3164\uFFA0]+/gu
/** Matches the signs before `#tea` and `＃茶`, which pages add by themselves. Does not match `# tea` and `C#`. */
const SIGNS = /^[#＃]+(?=[^#＃\s])/
/** Stands for labels that no address can end in: browsers take `/tags/../` for the folder above. */
const DOTS = new Map([
  [".", "․"],
  ["..", "‥"],
])

/** Returns a label as new posts get it: in NFC, with one blank between words, without signs before it. It may be too long. */
const readLabel = (text: string): string => {
  const seen = text.toWellFormed().replaceAll(UNSEEN, "").normalize("NFC")
  const label = seen.replaceAll(BLANKS, " ").trim().replace(SIGNS, "")
  return DOTS.get(label) ?? label
}

/** Returns a label as `readLabel`, cut to the limit. */
export const toLabel = (text: string): string => [...readLabel(text)].slice(0, MAX_LABEL_CHARS).join("").trim()

/** A label as it was sent, but for blanks around it, and the labels that it means: several if signs other than the comma separate them. */
interface SentLabel {
  sent: string
  means: string[]
}

export interface SentLabels {
  labels: SentLabel[]
  /** The text begins with a bracket, but is no JSON list of texts. */
  isBroken: boolean
}

/** Reads a text as a list of JSON: `["a", "b"]`. @returns null if it is no list of texts */
const readList = (text: string): string[] | null => {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((item) => typeof item === "string") ? list : null
  } catch {
    return null
  }
}

/**
 * Reads labels: the items of a list, or those of a text, which commas separate, also those of other scripts.
 * @param toCase changes the case of each label
 */
export const readLabels = (value: string | string[], toCase = (text: string): string => text): SentLabels => {
  const isListed = typeof value === "string" && value.trimStart().startsWith("[")
  const list = isListed ? readList(value) : typeof value === "string" ? null : value
  const items = list ?? String(value).split(",")
  const labels = items.map((item): SentLabel => {
    const sent = toCase(item).trim().normalize("NFC")
    return { sent, means: (list ? [sent] : sent.split(SEPARATOR)).map(readLabel).filter((label) => label !== "") }
  })
  return { labels, isBroken: isListed && list === null }
}

/** Returns the labels that a post gets, each once. One that it has already stays as it is. @param known those that it has */
export const keepLabels = ({ labels }: SentLabels, known: readonly string[]): string[] => [
  ...new Set(labels.flatMap(({ sent, means }) => (known.includes(sent) ? [sent] : means))),
]

/** A change of labels that their author should know. Its message says what the labels have: `names with a comma, …`. */
export interface LabelLoss {
  code: "comma_in_label" | "too_long" | "not_a_list"
  /** The beginning of the first label that is concerned. */
  label: string
  message: string
}

/** Returns labels within the limits of the service, for tools that are not refused, and what they lose. @param known see `keepLabels` */
export const fitLabels = (
  all: SentLabels,
  known: readonly string[] = [],
): { labels: string[]; losses: LabelLoss[] } => {
  const changed = all.labels.filter(({ sent }) => !known.includes(sent))
  const joined = changed.find(({ sent }) => sent.includes(","))?.sent
  const long = changed.flatMap(({ means }) => means).find((label) => [...label].length > MAX_LABEL_CHARS)
  const broken = all.isBroken ? all.labels[0]?.sent : undefined
  const losses = [
    ["comma_in_label", joined, "names with a comma, which becomes a blank"],
    ["too_long", long, `names over ${MAX_LABEL_CHARS} characters, which are cut`],
    ["not_a_list", broken, "a text that begins with `[` but is no JSON list of texts: its commas separate the names"],
  ] as const
  const labels = all.labels.map(({ sent, means }) => ({ sent, means: means.map(toLabel) }))
  return {
    labels: keepLabels({ ...all, labels }, known),
    losses: losses.flatMap(([code, label, message]) =>
      label === undefined ? [] : [{ code, label: [...label].slice(0, 80).join(""), message }],
    ),
  }
}
