import { MAX_BODY_BYTES } from "../../../src/limits.ts"
import type { PageImage } from "./page.ts"

// The state of each page, stored until the browser ends: the form as the user left it, and the progress of its draft.

export interface Form {
  title: string
  slug: string
  description: string
  tags: string
  category: string
  language: string
  body: string
  /** The way in which the draft names the page: a quote with a link, `canonical_url`, or not at all. */
  origin: "quote" | "canonical" | "none"
  images: (PageImage & { isTicked: boolean })[]
}

/** A page with its form. */
export interface Clip {
  /** Address of the page. */
  url: string
  /** Title of the page, for the quote. */
  pageTitle: string
  form: Form
  /** Remarks on the page for the user, in sentences. */
  notes: string[]
  /** True after the user has changed the form. */
  isEdited: boolean
  /** When the form was changed: milliseconds since the epoch. */
  changedAt: number
}

/** An image of the draft. */
export interface Upload {
  id?: string
  /** Its path on the service. */
  address?: string
  /** Why it stays a link. */
  problem?: string
}

/** The progress of saving a draft. */
export interface Job {
  state: "saving" | "failed" | "saved"
  /** The step that runs, or the error. */
  message: string
  uploads: Record<string, Upload>
  /** A creation that may have taken effect. Its key, which lets it take effect once, is never sent with another slug. */
  attempt?: { slug: string; key: string }
  /** Differences between the draft and the form, in sentences. */
  notes: string[]
  previewUrl?: string
  postsUrl?: string
}

/** A request of the popup to the background. */
export interface SaveRequest {
  /** Address of the page. */
  url: string
  /** The tab that shows it. */
  tabId: number
}

const CLIP = "clip "
const JOB = "job "
/** Forms that are kept. The storage has 10 MB, and Firefox counts up to two for each byte of UTF-8. */
const MAX_CLIPS = 8
/** UTF-8 bytes of a form: room for the longest text, and for the addresses of its images. */
const MAX_CLIP_BYTES = 2 * MAX_BODY_BYTES

const store = () => chrome.storage.session

const read = async <T>(name: string): Promise<T | null> => {
  const { [name]: value } = await store().get<Record<string, T | undefined>>(name)
  return value ?? null
}

export const loadClip = (url: string): Promise<Clip | null> => read(CLIP + url)
export const loadJob = (url: string): Promise<Job | null> => read(JOB + url)

/** @throws Error if the form is too large to be kept */
const write = (clip: Clip, others: Record<string, null> = {}): Promise<void> => {
  const { length } = new TextEncoder().encode(JSON.stringify(clip))
  if (length > MAX_CLIP_BYTES)
    throw new Error(
      `The form has ${Math.ceil(length / 1024)} KiB, more than the ${MAX_CLIP_BYTES / 1024} KiB that can be kept. Shorten the text.`,
    )
  return store().set({ [CLIP + clip.url]: { ...clip, changedAt: Date.now() }, ...others })
}

/** Forgets the forms that were unchanged for longest, until there is room for one more. A form that is being saved stays. */
const makeRoom = async (url: string): Promise<void> => {
  const all = await store().get<Record<string, Clip & Job>>(null)
  const others = Object.entries(all).flatMap(([name, clip]) =>
    name.startsWith(CLIP) && clip.url !== url && all[JOB + clip.url]?.state !== "saving" ? [clip] : [],
  )
  const old = others.toSorted((one, other) => other.changedAt - one.changedAt).slice(MAX_CLIPS - 1)
  await store().remove(old.flatMap((clip) => [CLIP + clip.url, JOB + clip.url]))
}

export const saveClip = async (clip: Clip): Promise<void> => write(clip)

/** Keeps the form of a page that was just read, in place of its earlier one. */
export const startClip = async (clip: Clip): Promise<void> => {
  await makeRoom(clip.url)
  await write(clip, { [JOB + clip.url]: null })
}

export const saveJob = (url: string, job: Job): Promise<void> => store().set({ [JOB + url]: job })

/** Calls back with each change of the saving of a page's draft. */
export const watchJob = (url: string, onChange: (job: Job) => void): void =>
  store().onChanged.addListener((changes) => {
    const job = changes[JOB + url]?.newValue as Job | null | undefined
    if (job) onChange(job)
  })
