import * as z from "zod"

import type { AuthorSettings } from "../accounts/account.ts"
import { AccountChanges, TranslationReviewName } from "../accounts/input.ts"
import type { AppContext } from "../http/context.ts"
import { route } from "../http/route.ts"
import { check, orThrow } from "../http/validate.ts"
import type { RefusedForm } from "../ui/form.tsx"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { SeenValues } from "../ui/seen.ts"
import { SettingsQuery } from "./input.ts"
import { getPage, postForm } from "./route.ts"
import { saving } from "./saving.ts"
import { renderTranslations, TONE_PREFIX, TRANSLATIONS } from "./translations-page.tsx"

const ToneFields = z.object({}).catchall(z.string())

/** Reads the fields of tones, such as `translation_tones.de`, sorted by code as they are stored; an empty one is no tone. */
const tonesIn = (fields: object): Pick<AuthorSettings, "translation_tones"> => {
  const tones = Object.entries(fields as Record<string, string>)
    .filter(([name, tone]) => name.startsWith(TONE_PREFIX) && tone.trim() !== "")
    .map(([name, tone]): [string, string] => [name.slice(TONE_PREFIX.length), tone])
  return { translation_tones: Object.fromEntries(tones.toSorted(([one], [other]) => (one < other ? -1 : 1))) }
}

const TonesForm = ToneFields.extend({ seen: SeenValues(ToneFields).transform(tonesIn) })
const Tones = AccountChanges.pick({ translation_tones: true })

const NoteForm = z.object({
  seen: SeenValues(z.object({ shows_translation_note: z.boolean() })),
  /** Browsers leave out a box that is not checked. */
  shows_translation_note: z.string().optional(),
})

const ReviewForm = z.object({
  seen: SeenValues(z.object({ translation_review: TranslationReviewName })),
  translation_review: TranslationReviewName,
})

const SAVED = `${TRANSLATIONS}?saved=1`
const show = (c: AppContext, refused: RefusedForm) =>
  Promise.resolve(renderTranslations({ account: c.var.account, refused }))

export const translationSettingsRoutes = [
  route({ ...getPage, path: TRANSLATIONS, query: SettingsQuery }, (c, { query: { saved } }) =>
    c.html(renderTranslations({ account: c.var.account, isSaved: saved !== undefined }), 200, PAGE_HEADERS),
  ),

  route(
    { ...postForm, path: `${TRANSLATIONS}tones/`, body: TonesForm, checksAuthorFirst: true },
    saving<z.output<typeof TonesForm>>((form) => orThrow(check(Tones, tonesIn(form))).value, SAVED, show),
  ),

  route(
    { ...postForm, path: `${TRANSLATIONS}review/`, body: ReviewForm, checksAuthorFirst: true },
    saving<z.output<typeof ReviewForm>>((form) => form, SAVED, show),
  ),

  route(
    { ...postForm, path: `${TRANSLATIONS}note/`, body: NoteForm, checksAuthorFirst: true },
    saving<z.output<typeof NoteForm>>(
      ({ shows_translation_note }) => ({ shows_translation_note: shows_translation_note === "on" }),
      SAVED,
      show,
    ),
  ),
]
