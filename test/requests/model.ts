// A model of the documented behaviour of posts, without database, queue or HTML. Every answer is compared with it.

export type Field = "title" | "meta_description" | "body"
export const FIELDS: Field[] = ["title", "meta_description", "body"]
const PICTURE_MS = 30 * 60 * 1000

export interface Text {
  /** undefined: no text; null: text made by an engine. */
  words: Partial<Record<Field, string | null>>
  /** The state of the source text's field that this translates. */
  of: Partial<Record<Field, number>>
  edited: Field[]
  /** Ids of the author's usable images that the body shows. */
  imageIds: string[]
  status: "queued" | "ready" | "failed"
}

export interface Post {
  slug: string
  author: number
  status: string
  categories: string[]
  tags: string[]
  primary: string
  listed: string[]
  own: Text
  texts: Map<string, Text>
  images: string[]
  isPublished: boolean
  /** The number of changes of the source text. */
  era: number
  version: number
}

interface Upload {
  author: number
  uploadedAt: number
  isGone: boolean
}

export interface Model {
  posts: Map<string, Post>
  uploads: Map<string, Upload>
}

export const newModel = (): Model => ({ posts: new Map(), uploads: new Map() })

/** The expected answer: a success with the post in one language, or one of these refusals as `status code`. */
export type Verdict = { refused: string[] } | { status: number; post?: Post; lang?: string }

const refuse = (...refused: string[]): Verdict => ({ refused })
const unique = <T>(items: T[]): T[] => [...new Set(items)]

/** Returns the stored names of categories and tags. */
export const labels = (sent: string | string[]): string[] =>
  unique([sent].flat().flatMap((text) => text.split(",").map((name) => name.trim()))).filter((name) => name !== "")

const blank = (): Text => ({ words: {}, of: {}, edited: [], imageIds: [], status: "queued" })
export const hasText = ({ of }: Text): boolean => FIELDS.every((field) => field in of)
const isBlank = ({ of }: Text): boolean => Object.keys(of).length === 0
const toMake = (text: Text, own: Text): Field[] =>
  FIELDS.filter((field) => !text.edited.includes(field) && text.of[field] !== own.of[field])
export const staleOf = (text: Text, own: Text): Field[] =>
  text.edited.filter((field) => text.of[field] !== own.of[field])

/** Returns the fields whose change by a client raises the version. */
const content = ({ texts, own, version: _version, ...post }: Post): string =>
  JSON.stringify([
    post,
    own.words,
    own.imageIds,
    [...texts]
      .filter(([, text]) => !isBlank(text))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([lang, text]) => [lang, text.words, text.edited, staleOf(text, own), text.imageIds]),
  ])

const save = (model: Model, before: Post, after: Post): Post => {
  const isChanged = content(before) !== content(after)
  const saved = { ...after, version: before.version + (isChanged ? 1 : 0) }
  model.posts.set(saved.slug, saved)
  return saved
}

/** Returns the post with its languages after a save. */
const reconcile = (post: Post): Post => {
  const listed = post.listed.map((lang): [string, Text] => {
    const text = post.texts.get(lang) ?? blank()
    return [lang, { ...text, status: toMake(text, post.own).length > 0 ? "queued" : "ready" }]
  })
  const unlisted = [...post.texts]
    .filter(([lang, text]) => !post.listed.includes(lang) && !isBlank(text))
    .map(([lang, text]): [string, Text] => [lang, { ...text, status: hasText(text) ? "ready" : "failed" }])
  return { ...post, texts: new Map([...listed, ...unlisted]) }
}

const isAttached = ({ posts }: Model, id: string): boolean =>
  [...posts.values()].some((post) => post.images.includes(id))

/** Returns the state of an image for an author. */
export const judge = (model: Model, author: number, id: string, now: number): "usable" | "expired" | "unknown" => {
  const { author: owner, uploadedAt, isGone } = model.uploads.get(id) ?? { author: NaN, uploadedAt: now, isGone: true }
  const isYoung = now - uploadedAt < PICTURE_MS
  if (owner === author && !isGone && (isYoung || isAttached(model, id))) return "usable"
  return isYoung ? "unknown" : "expired"
}

interface ImageInput {
  /** Ids of the body's images on the author's own media path. */
  shown: string[]
  image_ids?: string[] | undefined
}

const refuseImages = (model: Model, author: number, { shown, image_ids = [] }: ImageInput, now: number) => {
  if (image_ids.some((id) => judge(model, author, id, now) === "unknown")) return "400 unknown_image_id"
  const isExpired = [...image_ids, ...shown].some((id) => judge(model, author, id, now) === "expired")
  return isExpired ? "410 image_expired" : null
}

export interface Create extends ImageInput {
  slug: string
  status: string
  categories: string[]
  tags: string[]
  words: Record<Field, string>
  primary: string
  translations: string[]
  /** True if a field is invalid by itself. */
  isInvalid: boolean
}

export const create = (model: Model, author: number, input: Create, now: number): Verdict => {
  if (input.isInvalid) return refuse("400 validation_error")
  const { slug, status, categories, tags, words, primary, translations, shown, image_ids = [] } = input
  const refusals = [refuseImages(model, author, input, now), model.posts.has(slug) ? "400 duplicate_slug" : null]
  // The contract does not define their order.
  if (refusals.some(Boolean)) return refuse(...refusals.filter((refusal) => refusal !== null))
  const imageIds = unique(shown).filter((id) => judge(model, author, id, now) === "usable")
  const own: Text = { words, of: { title: 1, meta_description: 1, body: 1 }, edited: [], imageIds, status: "ready" }
  const listed = unique(translations).filter((lang) => lang !== primary)
  const images = unique([...image_ids, ...imageIds])
  const about = { slug, author, status, categories, tags, primary, listed, own, images }
  const post = reconcile({ ...about, texts: new Map(), isPublished: status === "PB", era: 1, version: 1 })
  model.posts.set(slug, post)
  return { status: 201, post, lang: primary }
}

/** Returns the caller's post or the refusal. */
const findOwn = (model: Model, author: number, slug: string): Post | { refused: string[] } => {
  const post = model.posts.get(slug)
  if (!post) return { refused: ["404 not_found"] }
  return post.author === author ? post : { refused: ["403 not_the_author"] }
}

export interface Patch {
  lang: string
  primary: string
  translations: string[]
  words: Partial<Record<Field, string>>
  images: ImageInput
  status?: string | undefined
  categories?: string[] | undefined
  tags?: string[] | undefined
  isInvalid: boolean
  /** True if If-Match names another version. */
  isBehind: boolean
}

const refusePatch = (model: Model, post: Post, patch: Patch, now: number): Verdict | null => {
  const codes = [
    ...(patch.isInvalid ? ["validation_error"] : []),
    ...(patch.images.image_ids && patch.words.body === undefined ? ["body_required"] : []),
    ...([patch.primary, ...patch.translations].includes(patch.lang) ? [] : ["lang_code_not_listed"]),
  ]
  if (codes.length > 0) return refuse(`400 ${codes.length > 1 ? "validation_error" : codes[0]}`)
  const refusal = refuseImages(model, post.author, patch.images, now)
  if (refusal) return refuse(refusal)
  return patch.isBehind ? refuse("412 version_conflict") : null
}

/** Returns the post with its source text moved to the author's language, which had no text: the default was wrong. */
const relabel = (post: Post, { lang, primary }: Patch): Post => {
  const isNew = lang !== post.primary && isBlank(post.texts.get(lang) ?? blank())
  if (lang !== primary || !isNew) return post
  const texts = new Map([...post.texts].filter(([code]) => code !== lang))
  return { ...post, primary: lang, texts }
}

const editOwn = (post: Post, { words }: Patch): Post => {
  const changed = FIELDS.filter((field) => words[field] !== undefined && words[field] !== post.own.words[field])
  const era = post.era + (changed.length > 0 ? 1 : 0)
  const of = { ...post.own.of, ...Object.fromEntries(changed.map((field) => [field, era])) }
  return { ...post, era, own: { ...post.own, words: { ...post.own.words, ...words }, of } }
}

const editTranslation = (post: Post, { lang, words }: Patch): Post => {
  const text = post.texts.get(lang) ?? blank()
  const sent = FIELDS.filter((field) => words[field] !== undefined)
  const of = { ...text.of, ...Object.fromEntries(sent.map((field) => [field, post.own.of[field]])) }
  const edited = FIELDS.filter((field) => sent.includes(field) || text.edited.includes(field))
  const after = { ...text, words: { ...text.words, ...words }, of, edited }
  return { ...post, texts: new Map([...post.texts, [lang, after]]) }
}

const showImages = (post: Post, lang: string, imageIds: string[]): Post => {
  const show = (text: Text): Text => ({ ...text, imageIds })
  if (lang === post.primary) return { ...post, own: show(post.own) }
  return { ...post, texts: new Map([...post.texts, [lang, show(post.texts.get(lang) ?? blank())]]) }
}

const imagesAfter = (post: Post, imageIds: string[], image_ids: string[] | undefined): string[] => {
  const shown = new Set([post.own, ...post.texts.values()].flatMap((text) => text.imageIds))
  const kept = post.images.filter((id) => shown.has(id))
  return unique(image_ids ? [...image_ids, ...imageIds, ...kept] : [...post.images, ...imageIds])
}

const isQueued = ({ texts }: Post): boolean => [...texts.values()].some(({ status }) => status === "queued")

export const patch = (model: Model, author: number, slug: string, input: Patch, now: number): Verdict => {
  const before = findOwn(model, author, slug)
  if ("refused" in before) return before
  const refusal = refusePatch(model, before, input, now)
  if (refusal) return refusal
  const { lang, primary, translations, words, images: sent, status = before.status } = input
  const labelled = relabel(before, input)
  const edited = lang === labelled.primary ? editOwn(labelled, input) : editTranslation(labelled, input)
  const shown = unique(sent.shown).filter((id) => judge(model, author, id, now) === "usable")
  const composed = words.body === undefined ? edited : showImages(edited, lang, shown)
  const listed = unique([primary, ...translations]).filter((code) => code !== composed.primary)
  const { categories = before.categories, tags = before.tags } = input
  const isPublished = before.isPublished || status === "PB"
  const after = reconcile({ ...composed, listed, status, categories, tags, isPublished })
  const images = words.body === undefined ? after.images : imagesAfter(after, shown, sent.image_ids)
  const post = save(model, before, { ...after, images })
  return { status: isQueued(post) ? 202 : 200, post, lang }
}

export const remove = (
  model: Model,
  author: number,
  slug: string,
  { isBehind, now }: { isBehind: boolean; now: number },
): Verdict => {
  const post = findOwn(model, author, slug)
  if ("refused" in post) return post
  if (isBehind) return refuse("412 version_conflict")
  model.posts.delete(slug)
  for (const id of post.images) {
    const upload = model.uploads.get(id)
    // An image whose time is not over is spared.
    if (upload && now - upload.uploadedAt >= PICTURE_MS && !isAttached(model, id)) upload.isGone = true
  }
  return { status: 204 }
}

export const read = (model: Model, author: number, slug: string, lang?: string): Verdict => {
  const post = findOwn(model, author, slug)
  if ("refused" in post) return post
  const text = lang === undefined || lang === post.primary ? post.own : post.texts.get(lang)
  return text && hasText(text) ? { status: 200, post, lang: lang ?? post.primary } : refuse("404 not_found")
}

/** Returns the caller's translation or the refusal. */
const findTranslation = (model: Model, author: number, slug: string, lang: string) => {
  const post = findOwn(model, author, slug)
  if ("refused" in post) return post
  const text = post.texts.get(lang)
  return text ? { post, text } : { refused: ["404 not_found"] }
}

export const retranslate = (model: Model, author: number, slug: string, lang: string, discard: string[]): Verdict => {
  const found = findTranslation(model, author, slug, lang)
  if ("refused" in found) return found
  const { post, text } = found
  if (!post.listed.includes(lang)) return refuse("404 not_found")
  const edited = text.edited.filter((field) => !discard.includes(field))
  if (edited.length === FIELDS.length) return { status: 200, post }
  const of = Object.fromEntries(FIELDS.flatMap((field) => (field in text.of ? [[field, 0]] : [])))
  const kept = Object.fromEntries(edited.map((field) => [field, text.of[field]]))
  const renewed: Text = { ...text, edited, of: { ...of, ...kept }, status: "queued" }
  return { status: 202, post: save(model, post, { ...post, texts: new Map([...post.texts, [lang, renewed]]) }) }
}

export const removeTranslation = (model: Model, author: number, slug: string, lang: string): Verdict => {
  const found = findTranslation(model, author, slug, lang)
  if ("refused" in found) return found
  const { post } = found
  const texts = new Map([...post.texts].filter(([code]) => code !== lang))
  save(model, post, { ...post, texts, listed: post.listed.filter((code) => code !== lang) })
  return { status: 204 }
}

/** Translates everything that is queued. */
export const translateAll = (model: Model): void => {
  for (const post of model.posts.values())
    for (const [lang, text] of post.texts) {
      const fields = text.status === "queued" ? toMake(text, post.own) : []
      if (fields.length === 0) continue
      const words = { ...text.words, ...Object.fromEntries(fields.map((field) => [field, null])) }
      const of = { ...text.of, ...Object.fromEntries(fields.map((field) => [field, post.own.of[field]])) }
      const imageIds = fields.includes("body") ? post.own.imageIds : text.imageIds
      post.texts.set(lang, { ...text, words, of, imageIds, status: "ready" })
    }
}
