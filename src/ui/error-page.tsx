import { Section } from "./components.tsx"
import { Area, Field } from "./form.tsx"
import { renderLayout } from "./layout.tsx"

/** The fields of the pages' forms in which people type text, with their labels. */
const TYPED: Record<string, string> = {
  title: "Title",
  meta_description: "Description",
  categories: "Categories",
  tags: "Tags",
  body: "Text in Markdown",
  blog_title: "Title of the blog",
  blog_description: "Description of the blog",
  author_name: "Your name",
  primary_language: "Primary language",
  translation_languages: "Translation languages",
  added_language: "Add a language",
  name: "Name of the key",
  expires_at: "Last day (UTC)",
  published_at: "Date",
  username: "Username",
  blog_host: "Host of the blog",
  paid_until: "Paid until (UTC)",
  slug: "Slug",
  cover_image_id: "Cover",
  canonical_url: "Original address",
  url: "Address",
  translation_tones: "Tone",
  term: "Term",
  translations: "Translations of the term",
  note: "Note",
}
const ROWS: Record<string, number> = { meta_description: 3, body: 24, blog_description: 3, translations: 4 }

/** Returns the label of a typed field: that of `translation_tones.de` also has its part. */
const labelOf = (name: string): string | null => {
  const [field = name, part] = name.split(".")
  const label = Object.hasOwn(TYPED, field) ? TYPED[field] : undefined
  return label === undefined ? null : [label, part].filter(Boolean).join(": ")
}

const isTyped = (name: string): boolean => labelOf(name) !== null

/** Tells whether a form holds text that its author would miss. */
export const hasTypedText = (sent: Record<string, string>): boolean =>
  Object.entries(sent).some(([name, value]) => isTyped(name) && value !== "")

interface KeptForm {
  action: string
  /** The fields as they were sent. */
  sent: Record<string, string>
  /** The page to sign in, if the form needs that. */
  signIn: string | null
  /** True after an error of the service, which may have come after the text was saved. */
  maySave: boolean
}

/** The buttons of a form that say what it does, by the value of `action`. */
const BUTTONS = new Map([
  ["publish", "Publish now"],
  ["schedule", "Schedule"],
  ["draft", "Turn into a draft"],
])

/** Renders a failed form with its text, to copy it or to send it again. */
const KeptForm = ({ action, sent, signIn, maySave }: KeptForm) => (
  <Section id="kept" title="What you typed">
    <p>
      Your text {maySave ? "may not be" : "is not"} saved, but this page keeps it:{" "}
      {signIn && (
        <>
          <a href={signIn} target="_blank">
            sign in in another tab
          </a>
          , then{" "}
        </>
      )}
      send it again, or copy it.
    </p>
    <form method="post" action={action}>
      {Object.entries(sent).map(([name, value]) => {
        const input = { id: `kept-${name}`, name, value, label: labelOf(name) ?? name, refused: undefined }
        if (!isTyped(name)) return <input type="hidden" name={name} value={value} />
        return ROWS[name] === undefined ? <Field {...input} /> : <Area {...input} rows={ROWS[name]} />
      })}
      <button class="primary">{BUTTONS.get(sent["action"] ?? "") ?? "Send again"}</button>
    </form>
  </Section>
)

interface Props {
  title: string
  detail: string
  errors: { field: string; message: string }[]
  request_id: string
  /** The path of the request, which selects the link back. */
  path: string
  /** The form that has failed, if its text is to be kept. */
  kept: KeptForm | null
}

/** Prefixes of paths, each with a page to link to, and the link's text. */
const HOMES = [
  ["/settings/", "/settings/", "Back to the settings"],
  ["/operator/", "/operator/", "Back to the accounts"],
  // Who is signed in already gets there; others to the page to sign in.
  ["/sign-in/", "/settings/", "Go to the settings"],
] as const

/** Renders an error as an HTML page: its detail, or the messages of invalid fields, the text of the form, and the request's id. */
export const renderProblem = ({ title, detail, errors, request_id, path, kept }: Props) => {
  const [, home, name] = HOMES.find(([start]) => path.startsWith(start)) ?? ["", "/", "Go to the start page"]
  // Readers and guests cannot do anything with it.
  const isForStaff = /^\/(?:settings|operator)\//.test(path)
  return renderLayout({
    title,
    children: (
      <>
        <h1>{title}</h1>
        <p>{errors.length > 0 ? "Something has to be put right:" : detail}</p>
        {errors.length > 0 && (
          <ul>
            {errors.map(({ field, message }) => (
              <li>
                <strong>{field}</strong>: {message}
              </li>
            ))}
          </ul>
        )}
        {kept && <KeptForm {...kept} />}
        <p>
          <a href={home}>{name}</a>
        </p>
        {isForStaff && (
          <p class="quiet">
            Request <code>{request_id}</code>
          </p>
        )}
      </>
    ),
  })
}
