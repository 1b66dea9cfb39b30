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
  /** When the form was changed: milliseconds since the epoch. */
  changedAt: number
}

/** An image of the draft: its key makes a repeated upload take effect once. */
export interface Upload {
  key: string
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
/** Forms that are kept: with the longest texts they have less than half of the storage, which is 10 MB. */
const MAX_CLIPS = 16

const store = () => chrome.storage.session

const read = async <T>(name: string): Promise<T | null> => {
  const { [name]: value } = await store().get<Record<string, T | undefined>>(name)
  return value ?? null
}

export const loadClip = (url: string): Promise<Clip | null> => read(CLIP + url)
export const loadJob = (url: string): Promise<Job | null> => read(JOB + url)

/** Forgets the forms that were unchanged for longest. A form that is being saved stays. */
const prune = async (): Promise<void> => {
  const all = await store().get<Record<string, Clip & Job>>(null)
  const clips = Object.entries(all).flatMap(([name, clip]) => (name.startsWith(CLIP) ? [clip] : []))
  const old = clips.toSorted((one, other) => other.changedAt - one.changedAt).slice(MAX_CLIPS)
  for (const { url } of old) if (all[JOB + url]?.state !== "saving") await forget(url)
}

export const saveClip = async (clip: Clip): Promise<void> => {
  await store().set({ [CLIP + clip.url]: { ...clip, changedAt: Date.now() } })
}

/** Keeps the form of a page that was just read, and makes room for it. */
export const startClip = async (clip: Clip): Promise<void> => {
  await store().remove(JOB + clip.url)
  await saveClip(clip)
  await prune()
}

export const saveJob = (url: string, job: Job): Promise<void> => store().set({ [JOB + url]: job })

export const forget = (url: string): Promise<void> => store().remove([CLIP + url, JOB + url])

/** Calls back with each change of the saving of a page's draft. */
export const watchJob = (url: string, onChange: (job: Job) => void): void =>
  store().onChanged.addListener((changes) => {
    const job = changes[JOB + url]?.newValue as Job | undefined
    if (job) onChange(job)
  })
