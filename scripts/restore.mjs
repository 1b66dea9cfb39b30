// Makes the posts of an export again, through the public API alone.
import { Failure } from "./cli.mjs"

const API = "/api/blogcontroller"
const FIELDS = ["title", "meta_description", "body"]
const MAX_POST_IMAGES = 8
const MAX_WAITS = 20

const pick = (text, fields) =>
  Object.fromEntries(fields.filter((field) => text[field] !== null).map((field) => [field, text[field]]))

/** In place of a field of the own text, until those who edited a translation of the older one have had their turn. */
const placeholder = (final) => (final === "…" ? "……" : "…")

/** Pictures that no text shows first: the others are attached by being shown. */
const idsToAttach = (own, texts, uploads) => {
  const isShown = (id) => texts.some(({ body }) => body?.includes(id))
  return own.image_ids
    .filter((id) => uploads.has(id))
    .toSorted((a, b) => Number(isShown(a)) - Number(isShown(b)))
    .slice(0, MAX_POST_IMAGES)
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
  // No engine makes an unlisted language again. What an engine made may break the rules for what a person sends.
  const machineMade = keep || !isListed ? FIELDS.filter((field) => !text.edited.includes(field)) : []
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
  if (!own) throw new Failure("The export lacks the post's text in its own language.")
  const { slug, categories, tags, primary_language, translation_languages, status } = own
  const planned = texts.filter((text) => text !== own).map((text) => planTranslation(text, { own, keep }))
  // Unlisted ones first: the next PATCH takes each off the list again.
  const translations = planned.toSorted((a, b) => Number(a.isListed) - Number(b.isListed))
  const stale = FIELDS.filter((field) => texts.some((text) => text.stale.includes(field)))
  const final = pick(own, FIELDS)
  const older = Object.fromEntries(stale.map((field) => [field, placeholder(final[field])]))
  const image_ids = idsToAttach(own, texts, uploads).map((id) => uploads.get(id))
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

const MEDIA_ADDRESS = /\/media\/([a-z0-9-]+)\/blog\\?_img\/([0-9A-HJKMNP-TV-Z]{26})\.webp/g

/** The text with the addresses of its uploaded pictures in place of the exported ones. */
export const mapAddresses = (text, username, urls) => ({
  ...text,
  body:
    text.body &&
    text.body.replace(MEDIA_ADDRESS, (address, owner, id) => (owner === username && urls.get(id)) || address),
})

/** A call that waits as often as it is told to. `request` answers `status`, `retryAfter` in seconds and `json`. */
const patient =
  ({ request, wait }) =>
  async (...args) => {
    for (let waits = 0; ; waits += 1) {
      const answer = await request(...args)
      if (![429, 503].includes(answer.status) || waits === MAX_WAITS) return answer
      await wait(answer.retryAfter || 1)
    }
  }

const why = ({ status, json }) => `${status} ${json?.detail ?? ""}`.trim()

const requireStatus = (answer, ...expected) => {
  if (expected.includes(answer.status)) return answer.json
  throw new Failure(why(answer))
}

/** Uploads the pictures of a post that were not uploaded before. */
const uploadPictures = async ({ archive, call, uploads, urls, report }, ids) => {
  for (const id of ids.filter((each) => !urls.has(each))) {
    const webp = await archive.readPicture(id)
    if (!webp) {
      report("warning", `media/${id}.webp is not in the export`)
      // No account is called so: readers get a link, where an expired picture of this account would be refused.
      urls.set(id, `/media/-/blog_img/${id}.webp`)
      continue
    }
    const form = new FormData()
    form.append("file", new File([webp], `${id}.webp`, { type: "image/webp" }))
    const { image_id, image_url } = requireStatus(await call("POST", `${API}/image-upload/`, form), 201)
    uploads.set(id, image_id)
    urls.set(id, image_url)
  }
}

const makePost = async (context, texts, keep) => {
  const { archive, call, uploads, urls, report } = context
  const [{ slug, image_ids }] = texts
  const path = `${API}/posts/${slug}/`
  await uploadPictures(context, image_ids)
  const mapped = texts.map((text) => mapAddresses(text, archive.manifest.username, urls))
  const { create, patches } = planPost(mapped, uploads, keep)
  requireStatus(await call("POST", `${API}/posts/`, create), 201)
  try {
    for (const { json, isOptional } of patches) {
      const answer = await call("PATCH", path, json)
      if (isOptional && answer.status === 400) report("warning", `${slug}, ${json.lang_code}: ${why(answer)}`)
      else requireStatus(answer, 200, 202)
    }
  } catch (error) {
    // Half a post would stand in the way of the next try.
    await call("DELETE", path)
    // Its pictures went with it.
    for (const id of image_ids) if (uploads.delete(id)) urls.delete(id)
    throw error
  }
}

/**
 * Makes every post of an archive that is not there yet.
 * @param request calls the API; @param wait seconds; @param report gets a kind and a line, as it goes
 * @returns slugs: made, skipped (there already), failed
 */
export const restore = async (archive, { request, wait, report, keep = false }) => {
  const call = patient({ request, wait })
  const context = { archive, call, report, uploads: new Map(), urls: new Map() }
  const outcome = { made: [], skipped: [], failed: [] }
  for await (const texts of archive.listPosts()) {
    const [{ slug }] = texts
    const { status } = await call("GET", `${API}/posts/${slug}/`)
    if (status === 200) {
      outcome.skipped.push(slug)
      report("skipped", `${slug}: there is a post at this slug already`)
      continue
    }
    try {
      if (status === 403) throw new Failure("the slug is another author's")
      await makePost(context, texts, keep)
      outcome.made.push(slug)
      report("made", slug)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      outcome.failed.push(slug)
      report("failed", `${slug}: ${error.message}`)
    }
  }
  return outcome
}
