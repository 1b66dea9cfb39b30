import type { Account } from "../db/schema.ts"
import { languageName } from "../language.ts"
import { MAX_GLOSSARY_TERMS, MAX_TERM_CHARS, MAX_TERM_NOTE_CHARS } from "../limits.ts"
import type { GlossaryEntry } from "../translations/glossary.ts"
import { Section } from "../ui/components.tsx"
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
  /** The post up to which those with the term are queued, if there are more. */
  after?: string | undefined
  refused?: RefusedForm | undefined
  done?: keyof typeof DONE | undefined
}

const DONE = {
  saved: "Saved.",
  deleted: "Deleted.",
  queued: "The posts with this term wait to be translated again.",
  part: "Some of the posts with this term wait to be translated again. Go on with the next ones.",
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

const Posts = ({ term, after = "" }: { term: string; after?: string | undefined }) => (
  <Section id="posts" title={`Posts with “${term}”`}>
    <form method="post" action={`${GLOSSARY}retranslate/`}>
      <p>
        Translated posts with this term stay as they are until you translate them again. Paragraphs whose terms have not
        changed come from the memory, as long as it has them.
      </p>
      <input type="hidden" name="sought" value={term} />
      <input type="hidden" name="after" value={after} />
      <button>{after === "" ? "Translate them again" : "Translate the next ones again"}</button>
    </form>
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
export const renderGlossary = ({ account, entries, term, after, refused, done }: Props) => {
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
        {term !== null && done !== "queued" && <Posts term={term} after={after} />}
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
