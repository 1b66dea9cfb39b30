import type { Account, TranslationReview } from "../db/schema.ts"
import { languageName } from "../language.ts"
import { MAX_TONE_CHARS } from "../limits.ts"
import { Section } from "../ui/components.tsx"
import { Field, Outcome, Seen, sentTo, type RefusedForm } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"

export const TRANSLATIONS = "/settings/translations/"
/** Begins the name of a tone's field, such as `translation_tones.de`, as errors name it. */
export const TONE_PREFIX = "translation_tones."

/** The ways of machine translations to readers. */
const REVIEWS: [TranslationReview, string][] = [
  ["none", "At once"],
  ["hold", "When you have approved it"],
]

interface Props {
  account: Account
  /** The form of the page that has wrong fields. */
  refused?: RefusedForm
  isSaved?: boolean
}

const Tones = ({ account: { translation_languages, translation_tones }, ...props }: Props) => {
  const action = `${TRANSLATIONS}tones/`
  const refused = sentTo(action, props.refused)
  const codes = [...new Set([...translation_languages, ...Object.keys(translation_tones)])]
  const toneOf = (code: string) => translation_tones[code] ?? ""
  return (
    <Section id="tones" title="Tone">
      <p>
        How your translations should sound, in your own words: formal or friendly, for beginners, with short sentences.
        A translation engine that is a chat model gets this with each text. Posts that are translated already stay as
        they are until you translate them again. Each tone is one line of at most {MAX_TONE_CHARS} characters.
      </p>
      {codes.length === 0 ? (
        <p>
          New posts are translated into no language unless you say so. Tones are for your{" "}
          <a href="/settings/#languages-section">translation languages</a>.
        </p>
      ) : (
        <form method="post" action={action}>
          <Seen
            values={Object.fromEntries(codes.map((code) => [`${TONE_PREFIX}${code}`, toneOf(code)]))}
            refused={refused}
          />
          {refused?.errors
            .filter(({ field }) => field === "translation_tones")
            .map(({ message }) => (
              <p class="error">{message}</p>
            ))}
          {codes.map((code) => (
            <Field
              id={`tone-${code}`}
              name={`${TONE_PREFIX}${code}`}
              label={languageName(code)}
              value={toneOf(code)}
              autocapitalize="sentences"
              spellcheck
              refused={refused}
            />
          ))}
          <button>Save tones</button>
        </form>
      )}
    </Section>
  )
}

const GlossaryLink = () => (
  <Section id="glossary" title="Glossary">
    <p>
      Names that stay as they are, and words whose translation you choose:{" "}
      <a href="/settings/glossary/">your glossary</a>
    </p>
  </Section>
)

const Review = ({ account: { translation_review } }: Props) => (
  <Section id="review" title="Review">
    <form method="post" action={`${TRANSLATIONS}review/`}>
      <Seen values={{ translation_review }} refused={undefined} />
      <fieldset>
        <legend>Readers see what a machine has translated</legend>
        {REVIEWS.map(([review, label]) => (
          <label>
            <input type="radio" name="translation_review" value={review} checked={translation_review === review} />{" "}
            {label}
          </label>
        ))}
      </fieldset>
      <p class="quiet">
        What readers see already stays. What waits is on the page of its post, and can be approved for all posts at once
        in the <a href="/settings/posts/">list of posts</a>.
      </p>
      <button>Save review</button>
    </form>
  </Section>
)

const Note = ({ account: { shows_translation_note } }: Props) => (
  <Section id="note" title="Note for readers">
    <form method="post" action={`${TRANSLATIONS}note/`}>
      <Seen values={{ shows_translation_note }} refused={undefined} />
      <fieldset>
        <legend>Pages whose text a machine has translated</legend>
        <label>
          <input type="checkbox" name="shows_translation_note" value="on" checked={shows_translation_note} /> Say so,
          and link to the original
        </label>
      </fieldset>
      <button>Save note</button>
    </form>
  </Section>
)

/** Renders the author's settings of translations: tones, review and the note for readers, with the way to the glossary. */
export const renderTranslations = (props: Props) =>
  renderSettingsPage({
    account: props.account,
    path: "/settings/",
    title: "Translations",
    children: (
      <>
        <h1>Translations</h1>
        <Outcome {...props} />
        <GlossaryLink />
        <Tones {...props} />
        <Review {...props} />
        <Note {...props} />
      </>
    ),
  })
