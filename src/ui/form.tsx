import type { Child } from "hono/jsx"

import type { FieldError } from "../http/errors.ts"
import type { Fields, Warning } from "../http/validate.ts"

/** A form with wrong or outdated fields: what was sent, by field name, and the errors. */
export interface RefusedForm {
  /** The path to which it was sent. */
  action?: string
  sent: Fields
  errors: FieldError[]
}

interface InputProps {
  id: string
  name: string
  label: string
  value?: string
  hint?: string
  required?: boolean
  /** It has the focus when the page opens, as a wrong field has. */
  autofocus?: boolean
  autocapitalize?: "sentences"
  spellcheck?: true
  /** BCP 47 code and direction of what is typed. */
  lang?: string
  dir?: string
  refused: RefusedForm | undefined
}

/** Returns the errors of an input, its text (what was typed if the form was refused) and the attributes of its element. */
const stateOf = (props: InputProps) => {
  const { id, name, value = "", hint, refused, required, lang, dir } = props
  const errors = refused?.errors.filter(({ field }) => field === name || field.split(/[.[]/)[0] === name) ?? []
  const isWrong = errors.length > 0
  const typed = refused?.sent[name]
  const descriptions = [hint && `${id}-hint`, isWrong && `${id}-error`].filter(Boolean)
  const attributes = {
    id,
    name,
    required,
    lang,
    dir,
    autocapitalize: props.autocapitalize ?? ("none" as const),
    spellcheck: props.spellcheck ?? false,
    autofocus: isWrong || props.autofocus || undefined,
    "aria-invalid": isWrong ? ("true" as const) : undefined,
    "aria-describedby": descriptions.join(" ") || undefined,
  }
  return { errors, text: typeof typed === "string" ? typed : value, attributes }
}

interface AroundProps extends Pick<InputProps, "id" | "label" | "hint"> {
  errors: FieldError[]
  children?: Child
}

const Around = ({ id, label, hint, errors, children }: AroundProps) => (
  <>
    <label htmlFor={id}>{label}</label>
    {children}
    {hint && (
      <p id={`${id}-hint`} class="quiet">
        {hint}
      </p>
    )}
    {errors.length > 0 && (
      <p id={`${id}-error`} class="error">
        <strong>{label}</strong>: {errors.map(({ message }) => message).join(" ")}
      </p>
    )}
  </>
)

interface FieldProps extends InputProps {
  type?: "text" | "date" | "datetime-local" | "search"
  autocomplete?: "off"
  /** The id of a datalist with values to choose from. */
  list?: string
}

/** Renders an input with its label and hint. If the form was refused, it keeps what was typed and shows the errors. */
export const Field = ({ type = "text", autocomplete, list, ...props }: FieldProps) => {
  const { errors, text, attributes } = stateOf(props)
  const { id, name, ...others } = attributes
  return (
    <Around {...props} errors={errors}>
      <input id={id} name={name} type={type} value={text} autocomplete={autocomplete} list={list} {...others} />
    </Around>
  )
}

/** Renders an input of several image files, as `Field` renders an input. */
export const FileField = (props: InputProps) => {
  const { errors, attributes } = stateOf(props)
  const { id, name, "aria-invalid": invalid, "aria-describedby": described, autofocus } = attributes
  return (
    <Around {...props} errors={errors}>
      <input
        id={id}
        name={name}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        multiple
        required
        autofocus={autofocus}
        aria-invalid={invalid}
        aria-describedby={described}
      />
    </Around>
  )
}

/** Renders a text area with its label and hint, as `Field` renders an input. A browser drops its first line break. */
export const Area = ({ rows, readonly, ...props }: InputProps & { rows: number; readonly?: boolean }) => {
  const { errors, text, attributes } = stateOf(props)
  return (
    <Around {...props} errors={errors}>
      <textarea {...attributes} rows={rows} readonly={readonly}>
        {`\n${text}`}
      </textarea>
    </Around>
  )
}

/** Renders a hidden input. If the form was refused, it keeps what was sent. */
export const Hidden = ({ name, value, refused }: Pick<InputProps, "name" | "refused"> & { value: string }) => {
  const sent = refused?.sent[name]
  return <input type="hidden" name={name} value={typeof sent === "string" ? sent : value} />
}

/**
 * Renders the values that a form shows as a hidden input, in JSON, which `SeenValues` reads. If the form was refused, it keeps
 * what was sent, so that the author still changes the values that the first page has shown.
 */
export const Seen = ({ values, refused }: { values: object } & Pick<InputProps, "refused">) => (
  <Hidden name="seen" value={JSON.stringify(values)} refused={refused} />
)

/** Returns the refused form if it was sent to this path, on a page with several forms. */
export const sentTo = (action: string, refused: RefusedForm | undefined): RefusedForm | undefined =>
  refused?.action === action ? refused : undefined

/** Renders a notice of what a form has done. @param href where to see it */
export const Done = ({ children, href }: { children?: Child; href?: string | null | undefined }) => (
  <output class="notice done" tabindex={-1}>
    <strong>{children}</strong>
    {href && (
      <>
        {" "}
        <a href={href}>View it</a>
      </>
    )}
  </output>
)

/** Renders a notice of a form that has changed nothing. */
export const Unsaved = ({ children }: { children?: Child }) => (
  <p class="notice failed" role="alert" tabindex={-1} autofocus>
    <strong>Not saved.</strong> {children}
  </p>
)

/** Renders a notice of a form that has changed nothing, because what it has shown has changed. */
export const Unchanged = () => (
  <Unsaved>The form was sent twice, or from an outdated page. This page shows the current state.</Unsaved>
)

/** Renders what the service warns of in a text that it has accepted. */
export const Warnings = ({ warnings }: { warnings: Warning[] }) =>
  warnings.length > 0 ? (
    <aside class="notice" aria-labelledby="warnings">
      <strong id="warnings">Look at this:</strong>
      <ul>
        {warnings.map(({ message }) => (
          <li>{message}</li>
        ))}
      </ul>
    </aside>
  ) : (
    <></>
  )

interface OutcomeProps {
  /** True after a form was saved. */
  isSaved?: boolean | undefined
  refused?: RefusedForm | undefined
}

/** Renders a notice that tells whether the form that was sent last was saved or refused; nothing if none was sent. */
export const Outcome = ({ isSaved, refused }: OutcomeProps) =>
  refused ? (
    <p class="notice failed" role="alert">
      <strong>Not saved.</strong> Correct the marked fields and send the form again.
    </p>
  ) : isSaved ? (
    <Done>Saved.</Done>
  ) : (
    <></>
  )
