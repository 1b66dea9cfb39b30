import * as fc from "fast-check"
import { expect } from "vitest"

import { checkInvariants } from "../faults/invariants.ts"
import {
  type Answer,
  API,
  type Author,
  call,
  fileForm,
  newAuthor,
  passSeconds,
  newPng,
  recordWakeUps,
  runCron,
  runTranslations,
  stopClock,
  unique,
} from "../support.ts"
import * as contract from "./model.ts"
import { quieten } from "./quiet.ts"
import { LAST_SLUG, sequence, type Step, type StepOf } from "./steps.ts"

/** Two authors using the service, and the model's state. */
interface Scene {
  authors: [Author, Author]
  model: contract.Model
  wakeUps: ReturnType<typeof recordWakeUps>
  /** The end of every slug of this scene, because slugs are unique in the service. */
  suffix: string
  /** Images, newest first. */
  uploads: { id: string; url: string; author: number }[]
  send: typeof call
}

const canonical = (lang: string): string => Intl.getCanonicalLocales(lang)[0] ?? ""
const slugOf = ({ suffix }: Scene, n: number): string => `post-${n}-${suffix}`
const pathOf = (scene: Scene, n: number): string => `${API}/posts/${slugOf(scene, n)}/`
const keyOf = ({ authors }: Scene, n: number): string => authors[n]?.key ?? ""

const markdown = (words: string, urls: string[]): string => [words, ...urls.map((url) => `![](${url})`)].join(" ")

/** Returns a body of words and images, with the ids of those on the author's own media path. */
const bodyOf = ({ uploads }: Scene, { by, body, shows }: Pick<StepOf<"create">, "by" | "body" | "shows">) => {
  const shown = shows.flatMap((n) => uploads[n] ?? [])
  return {
    body: markdown(
      body,
      shown.map(({ url }) => url),
    ),
    shown: shown.filter(({ author }) => author === by).map(({ id }) => id),
  }
}

const idsOf = ({ uploads }: Scene, ns: number[] | undefined): string[] | undefined =>
  ns?.flatMap((n) => uploads[n]?.id ?? [])

const withInvalid = (json: object, invalid: [string, unknown] | undefined): object =>
  invalid ? { ...json, [invalid[0]]: invalid[1] } : json

/** Returns the fields that are not undefined. */
const given = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

const lowerCase = (names: string[]): string[] => names.map((name) => name.toLowerCase())
const tagsOf = (sent: string | string[]): string[] => [...new Set(lowerCase(contract.labels(sent)))]

const IF_MATCH = {
  current: (version: number) => `"${version}.999"`,
  weak: (version: number) => `"0.1", W/"${version}.1"`,
  any: () => "*",
  next: (version: number) => `"${version + 1}.1"`,
  nonsense: () => "nonsense",
}

const ifMatchOf = (scene: Scene, { slug, ifMatch }: Pick<StepOf<"delete">, "slug" | "ifMatch">) => {
  const { version = 1 } = scene.model.posts.get(slugOf(scene, slug)) ?? {}
  return {
    headers: given({ "If-Match": ifMatch && IF_MATCH[ifMatch](version) }),
    isBehind: ifMatch === "next" || ifMatch === "nonsense",
  }
}

/** Returns the fields of a post that an answer must show. */
const viewOf = ({ authors }: Scene, post: contract.Post, lang: string) => {
  const { username } = authors[post.author] ?? { username: "" }
  const text = lang === post.primary ? post.own : post.texts.get(lang)
  const show = (field: contract.Field) => {
    const words = text?.words[field]
    return words === null ? expect.stringMatching(/·/) : (words ?? null)
  }
  const rank = (code: string): string => String(post.listed.includes(code) ? post.listed.indexOf(code) : code)
  const isPublic = (code: string, of: contract.Text) =>
    post.status === "PB" && post.listed.includes(code) && contract.hasText(of)
  return {
    slug: post.slug,
    url: `http://localhost:8787/@${username}/${post.slug}/`,
    status: post.status,
    author: username,
    categories: post.categories,
    tags: post.tags,
    primary_language: post.primary,
    translation_languages: post.listed,
    lang_code: lang,
    title: show("title"),
    meta_description: show("meta_description"),
    body: show("body"),
    images: post.images.map((id) => expect.objectContaining({ image_id: id })),
    translations: [...post.texts]
      .toSorted(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
      .map(([code, of]) =>
        expect.objectContaining({
          lang_code: code,
          status: of.status,
          listed: post.listed.includes(code),
          edited: of.edited,
          stale: contract.staleOf(of, post.own),
          url: isPublic(code, of) ? `http://localhost:8787/@${username}/${post.slug}/${code}/` : null,
        }),
      ),
    version: post.version,
    published_at: post.isPublished ? expect.any(String) : null,
  }
}

const verify = (scene: Scene, { status, json, headers }: Answer, verdict: contract.Verdict): void => {
  if ("refused" in verdict) {
    expect(verdict.refused).toContain(`${status} ${json?.code}`)
    return
  }
  expect(status, JSON.stringify(json)).toBe(verdict.status)
  const { post, lang } = verdict
  if (!post || lang === undefined) return
  expect(json.post).toMatchObject(viewOf(scene, post, lang))
  expect(headers.get("ETag")).toMatch(new RegExp(`^"${post.version}\\.\\d+"$`))
}

const create = async (scene: Scene, step: StepOf<"create">): Promise<void> => {
  const { by, slug, status, categories, tags = [], title, meta_description, invalid } = step
  const { body, shown } = bodyOf(scene, step)
  const image_ids = idsOf(scene, step.image_ids)
  const { primary_language = "en", translation_languages = [] } = step
  const json = {
    title,
    slug: slugOf(scene, slug),
    status,
    categories,
    tags: step.tags,
    meta_description,
    body,
    image_ids,
    primary_language: step.primary_language,
    translation_languages: step.translation_languages,
  }
  const answer = await scene.send("POST", `${API}/posts/`, {
    key: keyOf(scene, by),
    json: withInvalid(json, invalid),
    env: { TRANSLATIONS: scene.wakeUps.queue },
  })
  const input = {
    slug: json.slug,
    status,
    categories: contract.labels(categories),
    tags: tagsOf(tags),
    words: { title, meta_description, body },
    shown,
    image_ids,
    primary: canonical(primary_language),
    translations: translation_languages.map(canonical),
    isInvalid: invalid !== undefined,
  }
  verify(scene, answer, contract.create(scene.model, by, input, Date.now()))
}

const patch = async (scene: Scene, step: StepOf<"patch">): Promise<void> => {
  const { by, slug, lang, primary, title, meta_description, status, categories, tags, invalid } = step
  const { body, shown } = step.body === undefined ? { shown: [] } : bodyOf(scene, { ...step, body: step.body })
  const image_ids = idsOf(scene, step.image_ids)
  const translations = step.isListed ? [...step.translations, lang] : step.translations
  const words = given({ title, meta_description, body })
  const json = { lang_code: lang, primary_language: primary, translation_languages: translations, ...words, image_ids }
  const path = step.isShort ? `${API}/${slugOf(scene, slug)}/` : pathOf(scene, slug)
  const { headers, isBehind } = ifMatchOf(scene, step)
  const answer = await scene.send("PATCH", path, {
    key: keyOf(scene, by),
    json: withInvalid({ ...json, status, categories, tags }, invalid),
    headers,
    env: { TRANSLATIONS: scene.wakeUps.queue },
  })
  const input = {
    lang: canonical(lang),
    primary: canonical(primary),
    translations: translations.map(canonical),
    words,
    images: { shown, image_ids },
    status,
    categories: categories === undefined ? undefined : contract.labels(categories),
    tags: tags === undefined ? undefined : tagsOf(tags),
    isInvalid: invalid !== undefined,
    isBehind,
  }
  verify(scene, answer, contract.patch(scene.model, by, slugOf(scene, slug), input, Date.now()))
}

const uploadImage = async (scene: Scene, { by }: StepOf<"upload">): Promise<void> => {
  const body = fileForm(await newPng())
  const { status, json } = await scene.send("POST", `${API}/image-upload/`, { key: keyOf(scene, by), body })
  expect(status).toBe(201)
  const { image_id, image_url } = json
  scene.uploads.unshift({ id: image_id, url: image_url, author: by })
  scene.model.uploads.set(image_id, { author: by, uploadedAt: Date.now(), isGone: false })
}

const remove = async (scene: Scene, step: StepOf<"delete">): Promise<void> => {
  const { headers, isBehind } = ifMatchOf(scene, step)
  const answer = await scene.send("DELETE", pathOf(scene, step.slug), { key: keyOf(scene, step.by), headers })
  verify(scene, answer, contract.remove(scene.model, step.by, slugOf(scene, step.slug), { isBehind, now: Date.now() }))
}

const get = async (scene: Scene, { by, slug, lang }: Omit<StepOf<"get">, "do">): Promise<void> => {
  const path = `${pathOf(scene, slug)}${lang === undefined ? "" : `?lang_code=${lang}`}`
  const answer = await scene.send("GET", path, { key: keyOf(scene, by) })
  const wanted = lang === undefined ? undefined : canonical(lang)
  verify(scene, answer, contract.read(scene.model, by, slugOf(scene, slug), wanted))
}

/** Reads a post twice; the second read with the ETag answers 304. */
const getAgain = async (scene: Scene, step: StepOf<"get">): Promise<void> => {
  await get(scene, step)
  const { by, slug } = step
  const { headers, status } = await scene.send("GET", pathOf(scene, slug), { key: keyOf(scene, by) })
  const etag = headers.get("ETag")
  if (status !== 200 || !etag) return
  const again = await scene.send("GET", pathOf(scene, slug), {
    key: keyOf(scene, by),
    headers: { "If-None-Match": etag },
  })
  expect(again.status).toBe(304)
}

const list = async (scene: Scene, step: Omit<StepOf<"list">, "do">): Promise<void> => {
  const { by, limit, status, tag, category } = step
  const query = new URLSearchParams(given({ limit: String(limit), status, tag, category }))
  const found: unknown[] = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = cursor === "" ? "" : `&cursor=${cursor}`
    const { status: answered, json } = await scene.send("GET", `${API}/posts/?${query.toString()}${page}`, {
      key: keyOf(scene, by),
    })
    expect(answered).toBe(200)
    found.push(...json.posts)
    expect(json.posts.length).toBeLessThanOrEqual(limit)
    cursor = json.next_cursor
  }
  const wanted = [...scene.model.posts.values()].filter(
    (post) =>
      post.author === by &&
      (status === undefined || post.status === status) &&
      (tag === undefined || post.tags.includes(tag.toLowerCase())) &&
      (category === undefined || post.categories.includes(category)),
  )
  const views = wanted.toReversed().map((post) => {
    const { body: _body, ...summary } = viewOf(scene, post, post.primary)
    return expect.objectContaining(summary)
  })
  expect(found).toEqual(views)
}

const translations = async (scene: Scene, { by, slug }: StepOf<"translations">): Promise<void> => {
  const answer = await scene.send("GET", `${pathOf(scene, slug)}translations/`, { key: keyOf(scene, by) })
  const verdict = contract.read(scene.model, by, slugOf(scene, slug))
  verify(scene, answer, "refused" in verdict ? verdict : { status: 200 })
  if ("post" in verdict && verdict.post)
    expect(answer.json.translations).toEqual(viewOf(scene, verdict.post, verdict.post.primary).translations)
}

const retranslate = async (scene: Scene, { by, slug, lang, discard }: StepOf<"retranslate">): Promise<void> => {
  const answer = await scene.send("POST", `${pathOf(scene, slug)}translations/${lang}/`, {
    key: keyOf(scene, by),
    json: { discard_edits: discard },
    env: { TRANSLATIONS: scene.wakeUps.queue },
  })
  verify(scene, answer, contract.retranslate(scene.model, by, slugOf(scene, slug), canonical(lang), discard))
}

const removeTranslation = async (scene: Scene, { by, slug, lang }: StepOf<"remove translation">): Promise<void> => {
  const answer = await scene.send("DELETE", `${pathOf(scene, slug)}translations/${lang}/`, { key: keyOf(scene, by) })
  verify(scene, answer, contract.removeTranslation(scene.model, by, slugOf(scene, slug), canonical(lang)))
}

const page = async (scene: Scene, { by, slug, lang }: Omit<StepOf<"page">, "do">): Promise<void> => {
  const address = `/@${scene.authors[by]?.username}/${slugOf(scene, slug)}/`
  const { status } = await scene.send("GET", `${address}${lang === undefined ? "" : `${lang}/`}`)
  const post = scene.model.posts.get(slugOf(scene, slug))
  const code = lang === undefined ? post?.primary : canonical(lang)
  const text = code === undefined ? undefined : post?.texts.get(code)
  const isThere = code === post?.primary || (text && contract.hasText(text) && post?.listed.includes(code ?? ""))
  const isShown = post?.author === by && post.status === "PB" && isThere
  const isMoved = lang !== undefined && (code === post?.primary || code !== lang)
  expect(status).toBe(isShown ? (isMoved ? 308 : 200) : 404)
}

const MEDIA = { usable: 200, expired: 410, unknown: 404 }
const media = async (scene: Scene, { by, image }: StepOf<"media">): Promise<void> => {
  const found = scene.uploads[image]
  if (!found) return
  const { status } = await scene.send("GET", `/media/${scene.authors[by]?.username}/blog_img/${found.id}.webp`)
  const verdict = contract.judge(scene.model, found.author, found.id, Date.now())
  // Under another author's path the image does not exist; after its cleanup the owner is unknown.
  const elsewhere = verdict === "expired" ? [404, 410] : [404]
  expect(found.author === by ? [MEDIA[verdict]] : elsewhere).toContain(status)
}

const authorOf = (scene: Scene, slug: number): number => scene.model.posts.get(slugOf(scene, slug))?.author ?? 0

/** Returns the number of the existing post that a step refers to. */
const meant = ({ model, suffix }: Scene, slug: number): number => {
  const standing = [...Array(LAST_SLUG + 1).keys()].filter((n) => model.posts.has(`post-${n}-${suffix}`))
  return slug === LAST_SLUG ? slug : (standing[slug % standing.length] ?? slug)
}

/** Returns the step with an existing post, and with `by` relative to that post's author. */
const placed = (scene: Scene, step: Step): Step => {
  if (!("slug" in step) || step.do === "create") return step
  const slug = meant(scene, step.slug)
  return { ...step, slug, by: (authorOf(scene, slug) + step.by) % 2 }
}

const act = async (scene: Scene, step: Step): Promise<void> => {
  switch (step.do) {
    case "create":
      return create(scene, step)
    case "patch":
      return patch(scene, step)
    case "upload":
      return uploadImage(scene, step)
    case "delete":
      return remove(scene, step)
    case "get":
      return getAgain(scene, step)
    case "list":
      return list(scene, step)
    case "translations":
      return translations(scene, step)
    case "retranslate":
      return retranslate(scene, step)
    case "remove translation":
      return removeTranslation(scene, step)
    case "page":
      return page(scene, step)
    case "media":
      return media(scene, step)
    case "engines":
      contract.translateAll(scene.model)
      return runTranslations(scene.wakeUps)
    case "wait":
      passSeconds(31 * 60)
      return runCron({ TRANSLATIONS: scene.wakeUps.queue })
  }
}

const WRITES = new Set<Step["do"]>(["create", "patch", "delete", "retranslate", "remove translation"])

/** Compares every post with the model, as each author sees it. */
const verifyAll = async (scene: Scene): Promise<void> => {
  for (const by of [0, 1]) {
    for (const slug of Array(LAST_SLUG + 1).keys()) await get(scene, { by, slug, lang: undefined })
    await list(scene, { by, limit: 2, status: undefined, tag: undefined, category: undefined })
  }
}

interface Size {
  seed: number
  runs: number
  /** The path of a failure of this seed: only that sequence is sent. */
  path?: string
}

/**
 * Sends sequences of requests by two authors, compares each answer with the model, and checks what is stored at the end.
 * @returns the number of requests sent
 */
export const sendSequences = async ({ seed, runs, path }: Size): Promise<number> => {
  let sent = 0
  const send: typeof call = (...args) => {
    sent += 1
    return call(...args)
  }
  stopClock()
  quieten()
  const property = fc.asyncProperty(sequence, async (steps) => {
    const authors: [Author, Author] = [await newAuthor(), await newAuthor()]
    const [model, wakeUps] = [contract.newModel(), recordWakeUps()]
    const scene: Scene = { authors, model, wakeUps, suffix: unique("s"), uploads: [], send }
    for (const step of steps) {
      // Keeps within ten uploads a minute, and gives posts different times.
      passSeconds(7)
      const done = placed(scene, step)
      await act(scene, done)
      if ("slug" in done && WRITES.has(done.do))
        await get(scene, { by: authorOf(scene, done.slug), slug: done.slug, lang: undefined })
    }
    await verifyAll(scene)
  })
  await fc.assert(property, { seed, numRuns: runs, ...(path !== undefined && { path }) })
  expect(await checkInvariants(false)).toEqual([])
  return sent
}
