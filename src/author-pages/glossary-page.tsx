import type { Account } from "../db/schema.ts"
import { languageName } from "../language.ts"
import { MAX_GLOSSARY_TERMS, MAX_TERM_CHARS, MAX_TERM_NOTE_CHARS } from "../limits.ts"
import type { Concerned } from "../translations/glossary-store.ts"
import type { GlossaryEntry } from "../translations/glossary.ts"
import { count, Section } from "../ui/components.tsx"
import { Area, Done, Field, Hidden, Outcome, type RefusedForm } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"

export const GLOSSARY = "/settings/glossary/"

/** Returns the path of the page with the form of a term. */
export const termPath = (term: string): string => `${GLOSSARY}?term=${encodeURIComponent(term)}`

interface Props {
  account: Account
  entries: GlossaryEntry[]
  /** The term whose form the page shows; null for a new one. */
  term: string | null
  /** The posts that have its words, in a portion; null before the author looks for them. */
  concerned: Concerned | null
  /** The post after which that portion begins. */
  after?: string | undefined
  refused?: RefusedForm | undefined
  done?: keyof typeof DONE | undefined
}

const DONE = {
  saved: "Saved.",
  deleted: "Deleted.",
  queued: "These posts wait to be translated again.",
  part: "These posts wait to be translated again. There are more to look into.",
} as const

/** Writes translations as the form has them: one line for each language, `de: Rechnung`. */
const linesOf = (translations: Record<string, string>, languages: string[]): string =>
  [...new Set([...languages, ...Object.keys(translations)])]
    .map((code) => `${code}: ${translations[code] ?? ""}`.trimEnd())
    .join("\n")

const EntryForm = ({
  account,
  entry,
  refused,
}: Pick<Props, "account" | "refused"> & { entry: GlossaryEntry | null }) => (
  <form method="post" action={GLOSSARY}>
    <Hidden name="replaced" value={entry?.term ?? ""} refused={refused} />
    <Field
      id="term"
      name="term"
      label="Term"
      value={entry?.term ?? ""}
      hint={`As your text has it, at most ${MAX_TERM_CHARS} characters. In lower case it is found in any case; with a capital letter only as it is written.`}
      required
      refused={refused}
    />
    <fieldset>
      <legend>In translations</legend>
      <label>
        <input type="checkbox" name="keep" value="on" checked={refused ? refused.sent["keep"] === "on" : entry?.keep} />{" "}
        Keep it as it is, in all languages
      </label>
      <Area
        id="translations"
        name="translations"
        label="Or translate it"
        rows={Math.max(3, account.translation_languages.length + 1)}
        value={linesOf(entry?.translations ?? {}, account.translation_languages)}
        hint="One line for each language, such as “de: Rechnung” or “German: Rechnung”. Languages without a translation are left out."
        refused={refused}
      />
    </fieldset>
    <Field
      id="note"
      name="note"
      label="Note"
      value={entry?.note ?? ""}
      hint={`What it means, for you and for translation engines that read it; at most ${MAX_TERM_NOTE_CHARS} characters.`}
      autocapitalize="sentences"
      refused={refused}
    />
    <button class="primary">{entry ? "Save term" : "Add term"}</button>{" "}
    {entry && (
      <button name="action" value="delete" formnovalidate>
        Delete term
      </button>
    )}
  </form>
)

const FindPosts = ({ term, after, label }: { term: string; after?: string | undefined; label: string }) => (
  <form action={GLOSSARY}>
    <input type="hidden" name="term" value={term} />
    <input type="hidden" name="find" value="on" />
    {after && <input type="hidden" name="after" value={after} />}
    <button>{label}</button>
  </form>
)

const Posts = ({ term, after, concerned }: Pick<Props, "after" | "concerned"> & { term: string }) => (
  <Section id="posts" title={`Posts with “${term}”`}>
    {concerned === null ? (
      <FindPosts term={term} after={after} label={after ? "Look into the next posts" : "Find posts with this term"} />
    ) : concerned.translations === 0 ? (
      <p>No translated post has this term{concerned.next && " among those that were looked into"}.</p>
    ) : (
      <form method="post" action={`${GLOSSARY}retranslate/`}>
        <p>
          {count(concerned.postIds.length, "post")} with {count(concerned.translations, "translation")}{" "}
          {concerned.postIds.length === 1 ? "has" : "have"} it, or its longest word. They stay as they are until you
          translate them again. Paragraphs whose terms have not changed come from the memory, as long as it has them.
        </p>
        <input type="hidden" name="sought" value={term} />
        <input type="hidden" name="after" value={after ?? ""} />
        <button>Translate these again</button>
      </form>
    )}
    {concerned?.next && <FindPosts term={term} after={concerned.next} label="Look into the next posts" />}
  </Section>
)

const treatmentOf = ({ keep, translations }: GlossaryEntry): string =>
  keep
    ? "kept as it is"
    : Object.entries(translations)
        .map(([code, translation]) => `${languageName(code)}: ${translation}`)
        .join(", ")

const EntryRow = ({ entry }: { entry: GlossaryEntry }) => (
  <li>
    <div>
      <strong>{entry.term}</strong>
      <br />
      <span class="quiet">
        {treatmentOf(entry)}
        {entry.note !== null && ` (${entry.note})`}
      </span>
    </div>
    <a href={termPath(entry.term)} aria-label={`Change ${entry.term}`}>
      Change
    </a>
  </li>
)

/** Renders the author's glossary: a form for one term with its posts, and the list of all. */
export const renderGlossary = ({ account, entries, term, concerned, after, refused, done }: Props) => {
  const replaced = refused?.sent["replaced"] ?? term
  const entry = entries.find((one) => one.term === replaced) ?? null
  return renderSettingsPage({
    account,
    path: "/settings/",
    title: "Glossary",
    children: (
      <>
        <h1>Glossary</h1>
        {done ? <Done>{DONE[done]}</Done> : <Outcome refused={refused} />}
        <p>
          Names that stay as they are in every translation, and words whose translation you choose. A kept term never
          changes; an answer of the translation engine that lacks a translated one is asked for once more, and marked if
          it still does. Terms in code and addresses are not touched.{" "}
          <a href="/settings/translations/">Other settings of translations</a>
        </p>
        {(entry || entries.length < MAX_GLOSSARY_TERMS) && (
          <Section id="entry" title={entry ? `Change “${entry.term}”` : "Add a term"}>
            <EntryForm account={account} entry={entry} refused={refused} />
            {entry && (
              <p>
                <a href={GLOSSARY}>Add another term</a>
              </p>
            )}
          </Section>
        )}
        {term !== null && done !== "queued" && <Posts term={term} after={after} concerned={concerned} />}
        <Section id="terms" title={`All terms (${entries.length} of at most ${MAX_GLOSSARY_TERMS})`}>
          {entries.length === 0 && <p>There is none yet.</p>}
          <ul class="rows">
            {entries.map((one) => (
              <EntryRow entry={one} />
            ))}
          </ul>
        </Section>
      </>
    ),
  })
}
