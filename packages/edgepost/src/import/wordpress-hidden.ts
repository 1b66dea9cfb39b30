import { isFields, type JsonFields } from "./data.ts"

// Tells by what a WordPress export says that not all readers see a post or a part of it. Plugins are not known by their names: each
// key about who sees something, or when, counts.

/** Divides a key into words, `UAGHideDesktop` into `uag_hide_desktop`. Matches the places between words. */
const wordsOf = (key: string): string =>
  key.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z\d]+/g, "_").toLowerCase()

/** Matches keys about readers and times: `_members_access_role`, `expiration_date`. Does not match `submenu_visibility`, `accessible_label`, `subscribe_to_comments`. */
const READERS =
  /(?:^|(?<!submenu)_)(?:visib\w*|(?:non)?members?(?:hips?)?|roles?|restrict\w*|subscri[a-z]*(?!_to_comments)|schedul\w*|expir\w*|paywall\w*|paid|access|audience|private|protect\w*|logged|login)(?=$|_)/
/** Matches keys of blocks that hide them: `hide_on_mobile`, `otter_conditions`, `vsmobile`. Does not match `hide_title`. */
const HIDES =
  /(?:^|_)(?:hid(?:e|den)(?=$|_(?:block|content|on|from|for|if|in|when|desk(?:top)?|tab(?:let)?|mob(?:ile)?|phone)(?:$|_))|invisible|conditions?|vs(?:desk|tablet|mobile))(?=$|_)/
/** Matches keys whose `true` shows a block: `block_visibility`, `enable`. Does not match `shown`. */
const SHOWS = /(?:^|_)(?:visib\w*|show|enabled?)(?=$|_)/
/** Matches keys about screens: `hide_on_mobile`, `viewport`. Does not match `user_role`. */
const SCREENS = /(?:^|_)(?:vs)?(?:desk(?:top)?|tab(?:let)?|mob(?:ile)?|phone|screen|viewport|device)s?(?=$|_)/
/** Matches keys that name something: `uid`. Does not match `ids`. */
const NAMES = /(?:^|_)(?:uid|id|name|title|label)$/
/** Matches a value that keeps nobody away: `everybody`, an empty list of PHP. Does not match `subscriber`. */
const FOR_ALL =
  /^(?:0|-1|false|no|none|off|null|all|any|every(?:one|body)|public|publish|default|visible|open|inherit|always|\[\]|\{\}|a:0:\{\})?$/i

const isForAll = (value: string): boolean => {
  if (FOR_ALL.test(value.trim())) return true
  // Matches a list of PHP, `a:1:{s:1:"a";s:1:"0";}`. Does not match one with lists in it.
  const [, list] = /^a:\d+:\{([^{}]*)\}$/.exec(value.trim()) ?? []
  // Matches a text and a number of such a list.
  const parts = Array.from(
    (list ?? "").matchAll(/s:\d+:"([^"]*)"|[ibd]:([\d.]+)/g),
    ([, text, number]) => text ?? number,
  )
  return list !== undefined && parts.every((each, i) => i % 2 === 0 || FOR_ALL.test(each ?? ""))
}

/** Names the field of a post's meta by which not all readers see it; undefined without one. */
export const hidingMeta = (meta: Map<string, string>): string | undefined =>
  [...meta.keys()].find((key) => READERS.test(wordsOf(key)) && !isForAll(meta.get(key) ?? ""))

/** Levels of a block's data that are read. */
const MAX_LEVELS = 50

/** Lists the values of a block that hide it, by the key that says so. */
const hidingValues = (value: unknown, path: string[]): { key: string; isScreen: boolean }[] => {
  if (typeof value === "object" && value !== null && path.length <= MAX_LEVELS)
    return Object.entries(value).flatMap(([key, each]) => hidingValues(each, [...path, key]))
  const words = path.map(wordsOf)
  const key = path.find((_, i) => [READERS, HIDES].some((pattern) => pattern.test(words[i] ?? "")))
  if (key === undefined || NAMES.test(words.at(-1) ?? "")) return []
  const last = words.findLast((each) => [READERS, HIDES, SHOWS].some((pattern) => pattern.test(each))) ?? ""
  const isHidden =
    typeof value === "boolean"
      ? value === (HIDES.test(last) || !SHOWS.test(last))
      : !isForAll(value === null ? "" : JSON.stringify(value).replaceAll('"', ""))
  return isHidden ? [{ key, isScreen: words.some((each) => SCREENS.test(each)) }] : []
}

/** Matches names of blocks for some readers: `jetpack/paywall`, `pmpro/membership`. Does not match `jetpack/subscriptions`, `a/team-member`. */
const GATED_BLOCK =
  /(?:^|[/-])(?:paywall|premium-content|(?:non-?)?(?<!team-)member(?:s|ship|ships|press)?|pmpro|restrict\w*|private|protected|gated|logged|subscribers?)(?=$|[/-])/

/** The screens that WordPress knows. A part that is hidden on all of them is hidden. */
const ALL_SCREENS = 3

/** Says what hides a block: from some readers, or on some screens alone; nothing for others. */
export const hidingBlock = (name: string, data: JsonFields): { reason?: string; isScreen: boolean } => {
  if (GATED_BLOCK.test(name)) return { reason: `the block ${name}`, isScreen: false }
  const found = hidingValues(data, [])
  const key = (found.find(({ isScreen }) => !isScreen) ?? found[ALL_SCREENS - 1])?.key
  if (key === undefined) return { isScreen: found.length > 0 }
  return { reason: `“${key}” of the block ${name}`, isScreen: false }
}

/** Matches names of shortcodes that hide what follows: `members_only`. Does not match `remember`. */
const GATED_BEGIN = /^(?:members?|premium|private|restrict|subscri)/i
/** Matches those that hide their content: `um_loggedin`, `mepr-active`, `pmpro_member`. Does not match `team_member`. */
const GATED_CONTENT =
  /(?<!team[_-])member|premium|private|restrict|subscri|paywall|logged|mepr|pmpro|(?:^|[_-])(?:rcp|s2|role|visitor|guest|hide|access|protect)/i

/** Says which shortcode hides a part of a text from some readers. */
export const hidingShortcode = (text: string): string | undefined => {
  // Matches `[/a]`. Does not match `[a]`.
  const ended = new Set(Array.from(text.matchAll(/\[\/([\w-]+)\]/g), ([, name = ""]) => name))
  // Matches `[a b="c"]`. Does not match `[/a]`.
  const names = Array.from(text.matchAll(/\[([a-z][\w-]*)(?=[\s\]])/gi), ([, name = ""]) => name)
  const found = names.find((name) => GATED_BEGIN.test(name) || (ended.has(name) && GATED_CONTENT.test(name)))
  return found && `the shortcode [${found}]`
}

/** Reads the data of a block; none if it cannot be read, as in WordPress. */
export const dataOf = (json: string): JsonFields => {
  try {
    const data: unknown = json.trim() === "" ? {} : JSON.parse(json)
    return isFields(data) ? data : {}
  } catch {
    return {}
  }
}
