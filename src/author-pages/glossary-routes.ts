import * as z from "zod"

import { openDb } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ULID } from "../http/cursor.ts"
import { fieldError } from "../http/errors.ts"
import { CleanText, refuse } from "../http/fields.ts"
import { countExpensive } from "../http/rate-limit.ts"
import { route } from "../http/route.ts"
import { check, orThrow } from "../http/validate.ts"
import { canonicalLanguage, codeOfName, isUnknownLanguage, unknownLanguageMessage } from "../language.ts"
import { EntryInput, entryOf, TermText } from "../translations/glossary-operations.ts"
import { glossaryFull } from "../translations/glossary-routes.ts"
import { changeGlossary, findConcerned, listGlossary, requeueConcerned } from "../translations/glossary-store.ts"
import { startTranslations } from "../translations/queue.ts"
import type { RefusedForm } from "../ui/form.tsx"
import { keepTyped } from "../ui/keep-typed.ts"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { GLOSSARY, renderGlossary, termPath } from "./glossary-page.tsx"
import { getPage, postForm, settingsChecks, writerChecks } from "./route.ts"

const PostId = z.string().regex(ULID, "Must be the id of a post.")

const Query = z.object({
  term: TermText.optional(),
  done: z.enum(["saved", "deleted", "queued", "part"]).optional(),
  find: z.literal("on").optional(),
  after: PostId.optional(),
})

/** Matches `German: Rechnung`, and `de:`; not `Rechnung`. */
const LINE = /^([^:]+):(.*)$/

/** Lines with a language and a translation, `German: Rechnung`, as an object of language codes. Lines without a translation are left out. */
const TranslationLines = CleanText.transform((text, ctx) => {
  const translations: Record<string, string> = {}
  for (const line of text.split(/\r?\n/).filter((one) => one.trim() !== "")) {
    const [, language = "", translation = ""] = LINE.exec(line) ?? []
    const code = canonicalLanguage(codeOfName(language) ?? language.trim())
    if (language === "") refuse(ctx, "invalid", `Needs a language and a colon, such as “German: ${line.trim()}”.`)
    else if (!code || isUnknownLanguage(code)) refuse(ctx, "unknown_language", unknownLanguageMessage(language.trim()))
    else if (translation.trim() !== "") translations[code] = translation
  }
  return translations
})

const EntryForm = z.object({
  /** The term that is changed; empty for a new one. */
  replaced: z.string().default(""),
  term: z.string(),
  keep: z.string().optional(),
  translations: TranslationLines.default({}),
  note: z.string().default(""),
  action: z.literal("delete").optional(),
})
type EntryForm = z.output<typeof EntryForm>

const SoughtTerm = z.object({ sought: TermText, after: z.literal("").or(PostId).default("") })

interface Shown {
  term?: string | undefined
  done?: z.output<typeof Query>["done"]
  find?: "on" | undefined
  after?: string | undefined
  refused?: RefusedForm
}

const show = async (c: AppContext, { term, find, ...outcome }: Shown) => {
  const { account } = c.var
  const db = openDb(c.env.DB)
  const isSought = term !== undefined && find !== undefined
  if (isSought) await countExpensive(c, "searches for terms")
  const [entries, concerned] = await Promise.all([
    listGlossary(db, account.id),
    isSought ? findConcerned(db, account.id, { terms: [term], after: outcome.after, checks: writerChecks(c) }) : null,
  ])
  return renderGlossary({ account, entries, term: term ?? null, concerned, ...outcome })
}

/** Saves or deletes the term of a form. @throws ApiError 400 if it is wrong, or another entry has the term */
const saveEntry = async (c: AppContext, { action, replaced, keep, note, ...form }: EntryForm) => {
  const db = openDb(c.env.DB)
  const { account } = c.var
  const checks = settingsChecks(c)
  if (action === "delete") {
    await changeGlossary(db, account.id, { entries: [], removed: [replaced] }, checks)
    return c.redirect(`${termPath(replaced)}&done=deleted`, 303)
  }
  const entry = entryOf(orThrow(check(EntryInput, { ...form, keep: keep === "on", note: note.trim() || null })).value)
  const { term } = entry
  if (term !== replaced && (await listGlossary(db, account.id)).some((one) => one.term === term))
    throw fieldError("term", "validation_error", "The glossary has this term already. Change it in the list below.")
  const removed = replaced === "" || replaced === term ? [] : [replaced]
  if (!(await changeGlossary(db, account.id, { entries: [entry], removed }, checks))) throw glossaryFull("term")
  return c.redirect(`${termPath(term)}&done=saved`, 303)
}

export const glossarySettingsRoutes = [
  route({ ...getPage, path: GLOSSARY, query: Query }, async (c, { query }) =>
    c.html(await show(c, query), 200, PAGE_HEADERS),
  ),

  route(
    { ...postForm, path: GLOSSARY, body: EntryForm, checksAuthorFirst: true },
    keepTyped(saveEntry, (c, refused) => show(c, { refused })),
  ),

  route({ ...postForm, path: `${GLOSSARY}retranslate/`, body: SoughtTerm }, async (c, { body: { sought, after } }) => {
    const { account, now } = c.var
    const db = openDb(c.env.DB)
    await countExpensive(c, "searches for terms")
    const checks = writerChecks(c)
    const concerned = await findConcerned(db, account.id, { terms: [sought], after, checks })
    await requeueConcerned(db, concerned, { now, checks })
    startTranslations(c, concerned.postIds)
    const { next } = concerned
    return c.redirect(`${termPath(sought)}&done=${next === null ? "queued" : `part&after=${next}`}`, 303)
  }),
]
