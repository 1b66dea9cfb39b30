import { MAX_TRANSLATION_ATTEMPTS } from "../../src/limits.ts"
import { accountId } from "../calls.ts"
import { failing, faulty } from "../faults.ts"
import {
  type Answer,
  API,
  type Author,
  call,
  deliver,
  DEAD_LETTER_QUEUE,
  env as bindings,
  fileForm,
  newPng,
  newAuthor,
  passSeconds,
  photo,
  postInput,
  rows,
  runCron,
} from "../support.ts"
import type { Operation, Reply, Scene, World } from "./search.ts"

type Fields = Record<string, unknown>

const SLUG = "the-post"
const SHORT_PATH = `${API}/${SLUG}/`
const POSTS = `${API}/posts/`
const IMAGE_SECONDS = 30 * 60
const POST = `${POSTS}${SLUG}/`
const FRENCH = `${POST}translations/fr/`
const LANGUAGES = ["fr", "de"]
const ENGLISH = { lang_code: "en", primary_language: "en", translation_languages: LANGUAGES }

const keyed = (hasKey = false): Record<string, string> => (hasKey ? { "Idempotency-Key": "the key" } : {})

const create = async (author: Author, env: Partial<Env>, changes: Fields = {}, headers = {}): Promise<Answer> =>
  call("POST", POSTS, { key: author.key, env, headers, json: postInput({ slug: SLUG, ...changes }) })

const patch = ({ key }: Author, env: Partial<Env>, changes: Fields, headers = {}, path = POST): Promise<Answer> =>
  call("PATCH", path, { key, env, headers, json: { ...ENGLISH, ...changes } })

const put = ({ key }: Author, env: Partial<Env>, changes: Fields): Promise<Answer> =>
  call("PUT", POST, { key, env, json: { ...postInput(), slug: undefined, ...changes } })

/** An image of two files, one in a smaller width. */
const image = photo(970, 20)

const uploadTo = async ({ key }: Author, env: Partial<Env>, headers = {}, file = image): Promise<Answer> =>
  call("POST", `${API}/image-upload/`, { key, env, headers, body: fileForm(file) })

interface Image {
  image_id: string
  image_url: string
}

const upload = async (author: Author, world: World): Promise<Image> =>
  (await uploadTo(author, world.env, {}, await newPng())).json

const uploadTwo = async (author: Author, world: World) =>
  [await upload(author, world), await upload(author, world)] as const
const uploadThree = async (author: Author, world: World) =>
  [...(await uploadTwo(author, world)), await upload(author, world)] as const

const show = ({ image_url }: Image): string => `![An image](${image_url})`

/** Returns the post as its author reads it: all texts, readers' pages and images. */
const lookAt =
  ({ key, username }: Author, images: Image[] = []) =>
  async (): Promise<unknown> => {
    const columns = "lang_code, title, meta_description, body, html, edited, status, error"
    const texts = rows(`select ${columns} from texts order by 1`)
    const urls = [`/@${username}/${SLUG}/`, ...images.map(({ image_url }) => image_url)]
    const [post, page, ...shown] = await Promise.all([
      call("GET", POST, { key }),
      ...urls.map(async (url) => (await call("GET", url)).status),
    ])
    // The secret of a preview link is another one in each run.
    const seen = post.json.post && { ...post.json.post, preview_url: Boolean(post.json.post.preview_url) }
    return { post: seen ?? post.status, texts: await texts, page, shown }
  }

const fieldsOf = ({ title, body, html, version }: Fields): string => [title, body, html, version].join()

/** Checks that an acknowledged post can be read. */
const verifyPost =
  ({ key }: Author) =>
  async ({ json: { post } }: Reply): Promise<string[]> => {
    const { status, json } = await call("GET", `${POST}?lang_code=${post.lang_code}`, { key })
    const isThere = status === 200 && fieldsOf(json.post) === fieldsOf(post)
    return isThere ? [] : [`acknowledged, but reads back as ${status}`]
  }

/** Runs the queued translations without faults. */
const translate = async ({ wakeUps, env }: World): Promise<void> => {
  for (let message = wakeUps.sent.shift(); message; message = wakeUps.sent.shift()) {
    passSeconds(message.delaySeconds)
    await deliver(message.body, { env })
  }
}

/** Makes a post with its translations. */
const translated = async (world: World, changes: Fields = {}): Promise<Author> => {
  const author = await newAuthor()
  await create(author, world.env, { translation_languages: LANGUAGES, ...changes })
  await translate(world)
  return author
}

/** The looks and checks after an operation on the post. */
const checked = (author: Author, images: Image[] = []) => ({
  look: lookAt(author, images),
  verify: verifyPost(author),
})

const creating = (name: string, changes: Fields, hasKey = false): Operation => ({
  name: `create ${name}`,
  hasKey,
  open: async () => {
    const author = await newAuthor()
    return { run: (env) => create(author, env, changes, keyed(hasKey)), ...checked(author) }
  },
})

const creatingWithImages = (hasKey: boolean): Operation => ({
  name: `create with images and translations${hasKey ? ", with a key" : ""}`,
  hasKey,
  open: async (world) => {
    const author = await newAuthor()
    const [named, shown] = await uploadTwo(author, world)
    const body = `Words.\n\n${show(shown)}`
    const changes = { image_ids: [named.image_id], body, translation_languages: LANGUAGES }
    return { run: (env) => create(author, env, changes, keyed(hasKey)), ...checked(author, [named, shown]) }
  },
})

const patching = (name: string, changes: Fields, { before = {}, hasKey = false, path = POST } = {}): Operation => ({
  name: `PATCH ${name}`,
  hasKey,
  open: async (world) => {
    const author = await translated(world, before)
    return { run: (env) => patch(author, env, changes, keyed(hasKey), path), ...checked(author) }
  },
})

const putting = (name: string, before: Fields | null, changes: Fields): Operation => ({
  name: `PUT ${name}`,
  open: async (world) => {
    const author = before ? await translated(world, before) : await newAuthor()
    return { run: (env) => put(author, env, changes), ...checked(author) }
  },
})

const opens = async (url: string) => (await call("GET", new URL(url).pathname)).status === 200

/** Returns a database that runs `other` right before a post is written. */
const beforeSave = (d1: D1Database, other: () => Promise<unknown>): D1Database => {
  let isSave = false
  return faulty(d1, {
    prepare: (sql: string) => {
      isSave ||= sql.startsWith('update "posts"')
      return d1.prepare(sql)
    },
    batch: async (statements: D1PreparedStatement[]) => {
      if (isSave) await other()
      isSave = false
      return d1.batch(statements)
    },
  })
}

/** @param prepare is called before the upload, with the account's id */
const uploading = (
  name: string,
  prepare: (author: Author, env: Partial<Env>, account: string) => Promise<unknown> = () => Promise.resolve(),
  hasKey = false,
): Operation => ({
  name: `upload${name}`,
  hasKey,
  // An image whose answer was lost lives for its 30 minutes.
  isStepwise: true,
  open: async (world): Promise<Scene> => {
    const author = await newAuthor()
    const account = await accountId(author)
    await prepare(author, world.env, account)
    const living = () => rows("select id from images where account_id = ? and deleting_at is null", account)
    return {
      run: (env) => uploadTo(author, env, keyed(hasKey)),
      look: async () => ({ images: await living(), post: await lookAt(author)() }),
      verify: async ({ json }) => {
        const images = await living()
        const served = await call("GET", json.image_url)
        // An acknowledged image can be used.
        const used = await create(author, world.env, { image_ids: [json.image_id] })
        const seen = [served.status, used.status, images.length].join()
        return seen === "200,201,1" ? [] : [`acknowledged, but served, used and counted as ${seen}`]
      },
    }
  },
})

const retranslating = (hasKey: boolean): Operation => ({
  name: `POST of a translation${hasKey ? " with a key" : ""}`,
  hasKey,
  open: async (world) => {
    const author = await translated(world)
    const request = { key: author.key, json: {}, headers: keyed(hasKey) }
    return { run: (env) => call("POST", FRENCH, { ...request, env }), look: lookAt(author) }
  },
})

const ANSWERED = { headers: new Headers(), text: "", status: 200 }

/** Delivers a message; the queue keeps it until it is acknowledged. */
const delivering =
  ({ wakeUps }: World, body: unknown, queue?: string) =>
  async (env: Partial<Env>): Promise<Reply> => {
    const outcome = await deliver(body, { env, ...(queue && { queue }) })
    if (outcome !== "ack") wakeUps.sent.push({ body: body as never, delaySeconds: outcome.retryAfter ?? 0 })
    return ANSWERED
  }

/** Makes a post whose translations are due. @returns its author, and the message that asks for them */
const due = async (world: World, languages: string[]): Promise<{ author: Author; message: unknown }> => {
  const author = await newAuthor()
  await create(author, world.env, { translation_languages: languages })
  const [wakeUp] = world.wakeUps.sent.splice(0)
  passSeconds(5)
  return { author, message: wakeUp?.body }
}

/** @param meanwhile happens while the engine works */
const translating = (
  name: string,
  meanwhile?: (env: Partial<Env>, author: Author, message: unknown) => Promise<unknown>,
): Operation => ({
  name: `translate${name}`,
  isStepwise: true,
  open: async (world) => {
    const { author, message } = await due(world, LANGUAGES)
    if (meanwhile) world.engine.meanwhile = () => meanwhile(world.env, author, message)
    return { run: delivering(world, message), look: lookAt(author) }
  },
})

/** The fault decides which message ends the language; an invariant checks that one does. */
const lookAtFrench = async () => {
  const [text] = await rows("select status from texts where lang_code = 'fr'")
  return ["ready", "failed"].includes(String(text?.["status"]))
}

const HOURS = 60 * 60

/** Answers a read as if the rows of a table were missing. */
const without =
  (table: string, columns: string): World["rewind"] =>
  async (read) => {
    const kept = await rows(`select ${columns} from ${table}`)
    await bindings.DB.exec(`delete from ${table}`)
    const answer = await read()
    for (const row of kept) {
      const marks = Object.keys(row).map(() => "?")
      await rows(`insert into ${table} (${columns}) values (${marks.join()})`, ...Object.values(row))
    }
    return answer
  }

const IMAGE_COLUMNS = "id, account_id, bytes, width, height, created_at, expires_at, cleanup_at, deleting_at"
const OTHER = { title: "Another title", body: "Other *words*." }

export const postOperations: Operation[] = [
  creating("a draft", { status: "DF" }),
  creating("a post", {}),
  creating("a post with translations", { translation_languages: LANGUAGES }),
  creating("a post, with a key", {}, true),
  creatingWithImages(false),
  creatingWithImages(true),
  patching("of the text", OTHER),
  patching("of the text, by the short path", OTHER, { path: SHORT_PATH }),
  patching("of a translation", { lang_code: "fr", title: "Un titre" }),
  patching("that publishes", { status: "PB" }, { before: { status: "DF" } }),
  patching("that takes a language off the list", { translation_languages: ["de"] }),
  patching("of the text, with a key", OTHER, { hasKey: true }),
  {
    name: "PATCH, with another one between its read and its write",
    isStepwise: true,
    open: async (world) => {
      const author = await translated(world)
      const before = (await call("GET", POST, { key: author.key })).json.post
      let other: Answer | undefined
      const patchOnce = async () => (other ??= await patch(author, world.env, { body: "Other *words*." }))
      return {
        run: (env) => patch(author, { ...env, DB: beforeSave(env.DB ?? bindings.DB, patchOnce) }, { title: "Another" }),
        look: lookAt(author),
        verify: async () => {
          const { title, body, version } = (await call("GET", POST, { key: author.key })).json.post
          const seen = [other?.status, title, body, version].join()
          const expected = [202, "Another", "Other *words*.", before.version + 2].join()
          return seen === expected ? [] : [`two saves left: ${seen}`]
        },
      }
    },
  },
  {
    name: "PATCH that adds, keeps and drops images",
    open: async (world) => {
      const author = await newAuthor()
      const [kept, dropped, added] = await uploadThree(author, world)
      const image_ids = [kept.image_id, dropped.image_id]
      await create(author, world.env, { image_ids, body: `Words.\n\n${show(kept)}\n\n${show(dropped)}` })
      const body = `Words.\n\n${show(added)}\n\n${show(kept)}`
      const changes = { body, image_ids: [added.image_id, kept.image_id], translation_languages: [] }
      return { run: (env) => patch(author, env, changes), ...checked(author, [kept, dropped, added]) }
    },
  },
  putting("of a new post", null, {}),
  putting("of an existing post with translations", {}, { ...OTHER, translation_languages: LANGUAGES }),
  putting("that publishes a draft", { status: "DF" }, { status: "PB" }),
  {
    name: "POST of a preview link",
    // Each link ends the one before.
    isStepwise: true,
    open: async (world) => {
      const author = await newAuthor()
      const { preview_url: first } = (await create(author, world.env, { status: "DF" })).json.post
      return {
        run: (env) => call("POST", `${POST}preview/`, { key: author.key, env }),
        look: async () => ({ first: await opens(first), post: await lookAt(author)() }),
        verify: async ({ json }) =>
          (await opens(json.preview_url)) ? [] : ["acknowledged, but the link shows nothing"],
      }
    },
  },
  {
    name: "DELETE of a post with images",
    open: async (world) => {
      const author = await translated(world)
      const [own, shared] = await uploadTwo(author, world)
      await patch(author, world.env, { image_ids: [own.image_id, shared.image_id], body: "Words." })
      await create(author, world.env, { slug: "another-post", image_ids: [shared.image_id] })
      await translate(world)
      // Until then a deleted post spares its images.
      passSeconds(IMAGE_SECONDS)
      return { run: (env) => call("DELETE", POST, { key: author.key, env }), look: lookAt(author, [own, shared]) }
    },
  },
  uploading(""),
  uploading(" with a key", undefined, true),
  uploading(" of the same bytes again", uploadTo),
  uploading(" of the bytes of an expired image", async (author, env) => {
    await uploadTo(author, env)
    passSeconds(IMAGE_SECONDS)
  }),
  uploading(" of the bytes of another account's image", async (_, env) => uploadTo(await newAuthor(), env)),
  uploading(" of the bytes of an image that is being deleted", async (author, env) => {
    await uploadTo(author, env)
    await rows("update images set deleting_at = ?, cleanup_at = ?", Date.now(), Date.now())
  }),
  uploading(" of bytes whose first upload died before it stored the file", async (author, env, account) => {
    const { json } = await uploadTo(author, env)
    await rows("update images set stored_at = null")
    await bindings.MEDIA.delete(["", "-640"].map((width) => `${account}/${json.image_id}${width}.webp`))
  }),
  retranslating(false),
  retranslating(true),
  {
    name: "DELETE of a translation",
    open: async (world) => {
      const author = await translated(world)
      return { run: (env) => call("DELETE", FRENCH, { key: author.key, env }), look: lookAt(author) }
    },
  },
  translating(""),
  translating(", with a save meanwhile", (env, author) =>
    patch(author, env, { title: "Newer", body: "Newer *words*." }),
  ),
  translating(", by a message that comes again meanwhile", (env, _, message) => deliver(message, { env })),
  {
    name: "translation.dead_letter",
    isStepwise: true,
    open: async (world) => {
      const { message } = await due(world, ["fr"])
      // The state that an aborted run leaves.
      await rows("update texts set status = 'running', attempts = ? where lang_code = 'fr'", MAX_TRANSLATION_ATTEMPTS)
      return { run: delivering(world, message, DEAD_LETTER_QUEUE), look: lookAtFrench }
    },
  },
  {
    name: "cleanup",
    isStepwise: true,
    open: async (world) => {
      const author = await newAuthor()
      const [unused, shown, marked] = await uploadThree(author, world)
      await create(author, world.env, { slug: "short-lived", image_ids: [marked.image_id] })
      const MEDIA = faulty(bindings.MEDIA, { delete: failing })
      await call("DELETE", `${POSTS}short-lived/`, { key: author.key, env: { ...world.env, MEDIA } })
      await create(author, world.env, { image_ids: [shown.image_id], translation_languages: LANGUAGES }, keyed(true))
      // The wake-up is lost; the key, the unused image and the other sign-in links have expired by then.
      world.wakeUps.sent.splice(0)
      passSeconds(25 * HOURS)
      return {
        run: async (env) => {
          await runCron(env)
          return ANSWERED
        },
        look: async () => ({
          keys: await rows("select key from idempotency_keys"),
          post: await lookAt(author, [unused, shown, marked])(),
        }),
      }
    },
  },
  {
    name: "read of a new image",
    isRead: true,
    open: async (world) => {
      const { image_url } = await upload(await newAuthor(), world)
      world.rewind = without("images", IMAGE_COLUMNS)
      return { run: (env) => call("GET", image_url, { env }), look: () => rows("select width, height from images") }
    },
  },
]
