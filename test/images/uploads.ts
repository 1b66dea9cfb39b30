import { create, patch, statusOf } from "../calls.ts"
import { faulty } from "../faults.ts"
import { type Answer, API, type Author, call, env, fileForm, newPng, newPost, upload } from "../support.ts"

export type Uploaded = Awaited<ReturnType<typeof upload>>

/** The lifetime of an image that no post shows, in seconds. */
export const LIFETIME = 1800

/** The answer of `stored` for an account without images. */
export const EMPTY = { rows: [], files: [], bytes: 0 }

/** Returns Markdown that shows images. */
export const show = (...images: Pick<Uploaded, "image_url">[]): string =>
  images.map(({ image_url }) => `![An image](${image_url})`).join("\n")

type Options = Omit<NonNullable<Parameters<typeof call>[2]>, "key" | "body">

/** Sends a body to the upload route and returns any answer. */
const sendBody = ({ key }: Pick<Author, "key">, body?: BodyInit, options: Options = {}): Promise<Answer> =>
  call("POST", `${API}/image-upload/`, { key, ...(body !== undefined && { body }), ...options })

/** Uploads a file, by default a new image, and returns any answer. */
export const send = async (author: Pick<Author, "key">, faults: Partial<Env> = {}, bytes?: Uint8Array<ArrayBuffer>) =>
  sendBody(author, fileForm(bytes ?? (await newPng())), { env: faults })

/** Uploads an image, and creates a post that it is attached to. */
export const newAttached = async (author: Author): Promise<Uploaded & { slug: string }> => {
  const image = await upload(author)
  const { slug } = await newPost(author, { image_ids: [image.image_id] })
  return { ...image, slug }
}

/** Requests an image and returns the status. */
export const view = ({ image_url }: Pick<Uploaded, "image_url">): Promise<number> => statusOf(call("GET", image_url))

/** Creates a post with `changes`, and changes another post in the same way. */
export const writeBoth = async (author: Author, changes: Record<string, unknown>, faults: Partial<Env> = {}) => {
  const { slug } = await newPost(author)
  const created = await create(author, changes, faults)
  const patched = await patch(author, slug, { body: "b", ...changes }, { env: faults })
  return { slug: String(slug), created, patched, statuses: [created.status, patched.status] }
}

/** Returns a bucket that runs `act` right before it stores a file. */
export const beforePut = (act: () => unknown): R2Bucket =>
  faulty(env.MEDIA, {
    put: async (...args: Parameters<R2Bucket["put"]>) => {
      await act()
      return env.MEDIA.put(...args)
    },
  })
