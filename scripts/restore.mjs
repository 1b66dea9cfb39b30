// Makes the posts of an export again, through the public API alone.
import { Failure } from "./cli.mjs"

const API = "/api/blogcontroller"
const FIELDS = ["title", "meta_description", "body"]
const MAX_POST_IMAGES = 8
const MAX_WAITS = 20
/** How often what was made under a key may be gone again before a request gives up. */
const MAX_ROUNDS = 20

/** What the API refuses of one post: the others may go well. Whatever else is thrown ends the import. */
class Refusal extends Failure {}

const pick = (text, fields) =>
  Object.fromEntries(fields.filter((field) => text[field] !== null).map((field) => [field, text[field]]))

/** In place of a field of the own text, until those who edited a translation of the older one have had their turn. */
const placeholder = (final) => (final === "…" ? "……" : "…")

/** New ids of the pictures to name. Where they are too many, those that a text shows make room: that attaches them, too. */
const idsToAttach = (own, texts, uploads) => {
  const ids = own.image_ids.filter((id) => uploads.has(id)).map((id) => uploads.get(id))
  const isShown = (id) => texts.some(({ body }) => body?.includes(id))
  const unshownFirst = ids.toSorted((a, b) => Number(isShown(a)) - Number(isShown(b)))
  const named = new Set(unshownFirst.slice(0, MAX_POST_IMAGES))
  return ids.filter((id) => named.has(id))
}

/** Fields that no engine wrote, that none would make again, or that are to be kept. */
const fieldsToSend = (text, { own, keep }) => {
  const isListed = own.translation_languages.includes(text.lang_code)
  return keep || !isListed ? FIELDS.filter((field) => text[field] !== null) : text.edited
}

/** The PATCHes of one translation: what stale edits say goes before the own text is as it is now, the rest after it. */
const planTranslation = (text, { own, keep }) => {
  const isListed = own.translation_languages.includes(text.lang_code)
  const languages = {
    lang_code: text.lang_code,
    primary_language: own.primary_language,
    translation_languages: isListed ? own.translation_languages : [text.lang_code],
  }
  const step = (fields, isOptional = false) => {
    const changes = pick(text, fields)
    return Object.keys(changes).length > 0 ? [{ json: { ...languages, ...changes }, isOptional }] : []
  }
  const fresh = text.edited.filter((field) => !text.stale.includes(field))
  // What an engine made may break the rules for what a person sends.
  const machineMade = fieldsToSend(text, { own, keep }).filter((field) => !text.edited.includes(field))
  return { isListed, before: step(text.stale), after: [...step(fresh), ...step(machineMade, true)] }
}

/**
 * The calls that make a post again: created as a draft, complete before anybody sees it.
 * @param texts of one post, their addresses of pictures mapped
 * @param uploads new ids of pictures by old ones
 * @param keep whether machine-made translations are sent, too, and so count as edited by hand
 */
export const planPost = (texts, uploads, keep = false) => {
  const own = texts.find(({ own_language }) => own_language)
  if (!own) throw new Refusal("The export lacks the post's text in its own language.")
  const { slug, categories, tags, primary_language, translation_languages, status } = own
  const planned = texts.filter((text) => text !== own).map((text) => planTranslation(text, { own, keep }))
  // Unlisted ones first: the next PATCH takes each off the list again.
  const translations = planned.toSorted((a, b) => Number(a.isListed) - Number(b.isListed))
  const stale = FIELDS.filter((field) => texts.some((text) => text.stale.includes(field)))
  const final = pick(own, FIELDS)
  const older = Object.fromEntries(stale.map((field) => [field, placeholder(final[field])]))
  const image_ids = idsToAttach(own, texts, uploads)
  const unlisted = { translation_languages: [] }
  const ownLanguage = { lang_code: primary_language, primary_language, translation_languages }
  return {
    create: { slug, status: "DF", categories, tags, ...final, ...older, image_ids, primary_language, ...unlisted },
    patches: [
      ...translations.flatMap(({ before }) => before),
      ...(stale.length > 0 ? [{ json: { ...ownLanguage, ...pick(own, stale) } }] : []),
      ...translations.flatMap(({ after }) => after),
      { json: { ...ownLanguage, status } },
    ],
  }
}

// Behind the name of a host they are another instance's.
const MEDIA_ADDRESS = /(?<![\p{L}\p{N}.\-/])\/media\/([a-z0-9-]+)\/blog\\?_img\/([0-9A-HJKMNP-TV-Z]{26})\.webp/gu

const PAGE_ADDRESS = /(?<![\p{L}\p{N}.\-/])\/@([a-z0-9-]+)\/(?=[a-z0-9])/gu

/**
 * The text with the addresses of its uploaded pictures in place of the exported ones, and links to posts of the exported
 * account as links to those of the account that has them now.
 */
export const mapAddresses = (text, { from, to }, urls) => ({
  ...text,
  body:
    text.body &&
    text.body
      .replace(MEDIA_ADDRESS, (address, owner, id) => (owner === from && urls.get(id)) || address)
      .replace(PAGE_ADDRESS, (address, author) => (author === from ? `/@${to}/` : address)),
})

/** A call that waits as often as it is told to. `request` answers `status`, `retryAfter` in seconds, `replayed` and `json`. */
const patient =
  ({ request, wait }) =>
  async (...args) => {
    for (let waits = 0; ; waits += 1) {
      const answer = await request(...args)
      // 409: the same request of an earlier run is still under way.
      if (![409, 429, 503].includes(answer.status) || waits === MAX_WAITS) return answer
      await wait(answer.retryAfter || 1)
    }
  }

const why = ({ status, json }) => `${status} ${json?.detail ?? ""}`.trim()

const requireStatus = (answer, ...expected) => {
  if (expected.includes(answer.status)) return answer.json
  throw new Refusal(why(answer))
}

/** An Idempotency-Key that every run gives to the same request: what an earlier run did is answered and not done again. */
const keyOf = async (...parts) => {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(parts)))
  return new Uint8Array(hash).reduce((hex, byte) => hex + byte.toString(16).padStart(2, "0"), "import-")
}

/** Asks under the next key while what was made under this one is gone, which `gone` says. */
const askAnew = async (gone, ask) => {
  let answer
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    answer = await ask(round)
    if (answer.status !== gone) break
  }
  return answer
}

const uploadPicture = ({ call, expired }, id, webp) => {
  const form = new FormData()
  form.append("file", new File([webp], `${id}.webp`, { type: "image/webp" }))
  const from = expired.get(id) ?? 0
  return askAnew(410, async (round) =>
    call("POST", `${API}/image-upload/`, form, await keyOf("picture", id, from + round)),
  )
}

/** Uploads the pictures of a post that were not uploaded before. */
const uploadPictures = async (context, ids) => {
  const { archive, uploads, urls, report } = context
  for (const id of ids.filter((each) => !urls.has(each))) {
    const webp = await archive.readPicture(id)
    if (!webp) {
      report("warning", `media/${id}.webp is not in the export`)
      // No account is called so: readers get a link, where an expired picture of this account would be refused.
      urls.set(id, `/media/-/blog_img/${id}.webp`)
      continue
    }
    const { image_id, image_url } = requireStatus(await uploadPicture(context, id, webp), 201)
    uploads.set(id, image_id)
    urls.set(id, image_url)
  }
}

/** Uploads of these pictures count no more, nor do the keys that they were made under. */
const forgetUploads = ({ uploads, urls, expired }, ids) => {
  for (const id of ids.filter((each) => uploads.delete(each))) {
    urls.delete(id)
    expired.set(id, (expired.get(id) ?? 0) + 1)
  }
}

/** Uploads the pictures and creates the draft; once more where an earlier run uploaded a picture too long ago. */
const begin = async (context, texts, keep) => {
  const { archive, username, call, uploads, urls } = context
  const [{ image_ids }] = texts
  for (let isLast = false; ; isLast = true) {
    await uploadPictures(context, image_ids)
    const mapped = texts.map((text) => mapAddresses(text, { from: archive.manifest.username, to: username }, urls))
    const { create, patches } = planPost(mapped, uploads, keep)
    let key
    const answer = await askAnew(404, async (round) => {
      // One that keeps what another did not would go over what was edited since.
      key = await keyOf("post", create, keep, round)
      return call("POST", `${API}/posts/`, create, key)
    })
    if (answer.status !== 410 || isLast) return { answer, patches, key }
    forgetUploads(context, image_ids)
  }
}

/** Completes the draft that was made under a key. @returns the post, and whether anything was left to do */
const complete = async ({ call, report }, slug, { key, patches }) => {
  let isChanged = false
  let post
  for (const { json, isOptional } of patches) {
    // With the draft's own key: another draft at the slug is another matter.
    const answer = await call("PATCH", `${API}/posts/${slug}/`, json, await keyOf("patch", key, json))
    if (isOptional && answer.status === 400)
      report("warning", `${slug}, ${json.lang_code}: what engines made is left out: ${why(answer)}`)
    else {
      post = requireStatus(answer, 200, 202).post
      isChanged ||= !answer.replayed
    }
  }
  return { post, isChanged }
}

/** Says which of the exported pictures the post is without, though they were uploaded. */
const warnOfUnattached = ({ uploads, report }, { slug, image_ids }, post) => {
  const attached = new Set(post.images.map(({ image_id }) => image_id))
  const reason = `is not attached: no text shows it, and a post can name no more than ${MAX_POST_IMAGES}`
  for (const id of image_ids)
    if (uploads.has(id) && !attached.has(uploads.get(id))) report("warning", `${slug}: media/${id}.webp ${reason}`)
}

/** Deletes what a refused post has left. @returns what to say of it where that cannot be done */
const cleanUp = async (context, { slug, image_ids }) => {
  const answer = await context.call("DELETE", `${API}/posts/${slug}/`)
  if (![204, 404].includes(answer.status)) return `; a draft of it is left, which could not be deleted: ${why(answer)}`
  // Its pictures went with it.
  forgetUploads(context, image_ids)
  return ""
}

/**
 * Makes a post, or goes on where an earlier run broke off.
 * @param isFree whether there was no post at its slug
 * @returns made, there (an earlier run has made it), skipped (another post has the slug)
 */
const makePost = async (context, texts, { keep, isFree }) => {
  let begun
  try {
    begun = await begin(context, texts, keep)
    const { answer } = begun
    if (!isFree && answer.json?.code === "duplicate_slug") return "skipped"
    requireStatus(answer, 201)
    const { post, isChanged } = await complete(context, texts[0].slug, begun)
    warnOfUnattached(context, texts[0], post)
    return isChanged || !answer.replayed ? "made" : "there"
  } catch (error) {
    const { answer } = begun ?? {}
    const isBegun = answer?.status === 201 || (isFree && answer?.status >= 500)
    if (!(error instanceof Refusal) || !isBegun) throw error
    // What an earlier run has left is for its author to judge; what this one has would stand in the way.
    const left =
      isFree && !answer.replayed ? await cleanUp(context, texts[0]) : "; what is there of it is left as it is"
    throw new Refusal(`${error.message}${left}`)
  }
}

/** Without what an import changes: where pictures and other posts are. */
const comparable = ({ title, meta_description, body, categories, tags }) => {
  const words = body?.replace(MEDIA_ADDRESS, "picture").replace(PAGE_ADDRESS, "page/")
  return JSON.stringify([title, meta_description, words, categories, tags])
}

/** Whether a draft has all that an import sends. */
const isComplete = (post, texts, { own, keep }) => {
  const edited = new Map(post.translations.map((each) => [each.lang_code, each.edited]))
  const isSent = (text) =>
    fieldsToSend(text, { own, keep }).every((field) => edited.get(text.lang_code)?.includes(field))
  return (
    `${post.translation_languages}` === `${own.translation_languages}` &&
    texts.every((text) => text === own || isSent(text))
  )
}

/** Whether this is the exported post. One that an import has only begun is a draft. */
const isWhole = (post, texts, keep) => {
  const own = texts.find(({ own_language }) => own_language)
  const isSame = own?.status === post.status && comparable(post) === comparable(own)
  return isSame && (post.status === "PB" || isComplete(post, texts, { own, keep }))
}

const restorePost = async (context, texts, keep) => {
  const [{ slug }] = texts
  const found = await context.call("GET", `${API}/posts/${slug}/`)
  if (found.json?.code === "not_the_author") throw new Refusal("the slug is another author's")
  requireStatus(found, 200, 404)
  const isFree = found.status === 404
  if (!isFree && isWhole(found.json.post, texts, keep)) return "there"
  return makePost(context, texts, { keep, isFree })
}

const ABOUT = {
  made: "",
  there: ": it stands there already",
  skipped:
    ": a post of yours has this slug, and stays as it is. If an earlier import has left it as a draft, delete that",
}

/**
 * Makes every post of an archive that is not there yet, and goes on with what an earlier run has begun.
 * @param username of the account that is to have them; @param request calls the API, with an Idempotency-Key where one is
 *   given; @param wait seconds; @param report gets a kind and a line, as it goes
 * @returns slugs: made, there (as the export has them), skipped (another post has the slug), failed
 * @throws whatever `request` throws: the next run goes on from there
 */
export const restore = async (archive, { username, request, wait, report, keep = false }) => {
  const call = patient({ request, wait })
  const context = { archive, username, call, report, uploads: new Map(), urls: new Map(), expired: new Map() }
  const outcome = { made: [], there: [], skipped: [], failed: [] }
  for await (const texts of archive.listPosts()) {
    const [{ slug }] = texts
    try {
      const kind = await restorePost(context, texts, keep)
      outcome[kind].push(slug)
      report(kind, `${slug}${ABOUT[kind]}`)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcome.failed.push(slug)
      report("failed", `${slug}: ${error.message}`)
    }
  }
  return outcome
}

/** What there is to complain of, naming every post that is not there; null: nothing. */
export const complaintOf = ({ skipped, failed }) => {
  const lines = [
    ...(failed.length > 0
      ? [`Failed, for the reasons above, which the next import may find gone: ${failed.join(", ")}.`]
      : []),
    ...(skipped.length > 0 ? [`Skipped, because another post has the slug: ${skipped.join(", ")}.`] : []),
  ]
  return lines.length > 0 ? lines.join("\n") : null
}
