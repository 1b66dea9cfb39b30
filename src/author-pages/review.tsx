import { byLanguage, directionOf, languageName } from "../language.ts"
import { withLf } from "../posts/defaults.ts"
import { type Post, sourceText } from "../posts/post.ts"
import { newestText } from "../posts/review.ts"
import { hasApproved, hasPending, type Text, TEXT_FIELDS } from "../posts/text.ts"
import { Section } from "../ui/components.tsx"
import { Hidden } from "../ui/form.tsx"
import { seenText } from "./post-form.ts"
import { LABELS } from "./text-form.tsx"

// The review of a translation: what waits beside its source, and the button that approves it.

/** Splits Markdown at blank lines. */
const paragraphsOf = (markdown: string): string[] =>
  // Matches the end of `a\n\nb` after `a`, also with spaces between. Does not match `a\nb`.
  withLf(markdown)
    .split(/\n(?:[ \t]*\n)+/)
    .filter((paragraph) => paragraph.trim() !== "")

/** Pairs the paragraphs of two texts; if their numbers differ, the whole texts. */
const pairsOf = (source: string, translation: string): [string, string][] => {
  const [ones, others] = [paragraphsOf(source), paragraphsOf(translation)]
  return ones.length === others.length
    ? ones.map((paragraph, i) => [paragraph, others[i] ?? ""])
    : [[withLf(source), withLf(translation)]]
}

const segmenterOf = byLanguage((lang) => new Intl.Segmenter(lang, { granularity: "sentence" }))

const sentencesOf = (paragraph: string, lang: string): string[] =>
  Array.from(segmenterOf(lang).segment(paragraph), ({ segment }) => segment)

/** Renders a paragraph with those sentences marked that are not known. */
const Marked = ({ paragraph, lang, known }: { paragraph: string; lang: string; known: Set<string> }) => (
  <>
    {sentencesOf(paragraph, lang).map((sentence) => {
      const words = sentence.trimEnd()
      return words === "" || known.has(words) ? (
        sentence
      ) : (
        <>
          <mark>{words}</mark>
          {sentence.slice(words.length)}
        </>
      )
    })}
  </>
)

interface PairsProps {
  source: string
  from: string
  translation: string
  to: string
  /** The text that readers have; null for none, then nothing is marked. */
  approved: string | null
}

const Pairs = ({ source, from, translation, to, approved }: PairsProps) => {
  const known = new Set(
    paragraphsOf(approved ?? "").flatMap((paragraph) =>
      sentencesOf(paragraph, to).map((sentence) => sentence.trimEnd()),
    ),
  )
  return (
    <>
      {pairsOf(source, translation).map(([one, other]) => (
        <div class="sides pair">
          <p lang={from} dir={directionOf(from)}>
            {one}
          </p>
          <p lang={to} dir={directionOf(to)}>
            {approved === null ? other : <Marked paragraph={other} lang={to} known={known} />}
          </p>
        </div>
      ))}
    </>
  )
}

/** Returns the listed translation of a post into a language, if some of it waits for approval. */
export const textToReview = ({ texts, translation_languages }: Post, lang: string): Text | undefined =>
  translation_languages.includes(lang) ? texts.find((text) => text.lang_code === lang && hasPending(text)) : undefined

/** Renders what waits for approval of a translation, beside its source. */
export const Review = ({ post, text }: { post: Post; text: Text }) => {
  const [source, newest] = [sourceText(post), newestText(text)]
  const [from, to] = [source.lang_code, text.lang_code]
  return (
    <Section id="review" title="Review">
      <p>
        This translation from {languageName(from)} into {languageName(to)} was made by machine and waits for you.{" "}
        {hasApproved(text)
          ? "Until you approve it, readers keep the text that they have. Marked sentences are not in that text."
          : "Readers see it once you approve it."}{" "}
        To correct it first, change the text below: what you save there counts as approved, and is not translated again.
      </p>
      {TEXT_FIELDS.filter((field) => field in text.pending_versions).map((field) => (
        <>
          <h3>{LABELS[field]}</h3>
          <div class="sides pair quiet">
            <p>{languageName(from)}</p>
            <p>{languageName(to)}</p>
          </div>
          <Pairs
            source={source[field] ?? ""}
            from={from}
            translation={newest[field] ?? ""}
            to={to}
            approved={text[field]}
          />
        </>
      ))}
      <form method="post" action={`/settings/posts/${post.slug}/translations/${to}/approve/`}>
        <Hidden name="seen" value={seenText(newest)} refused={undefined} />
        <button class="primary">Approve</button>
      </form>
    </Section>
  )
}
