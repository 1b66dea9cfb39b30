import { DEFAULT_CATEGORY } from "../../packages/edgepost/src/folder/values.ts"
import type { Account } from "../db/schema.ts"
import { languageName } from "../language.ts"
import { type Post, sourceText } from "../posts/post.ts"
import { Field, Hidden, Outcome, type RefusedForm } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"
import { Shared, TEXT_FORM, Words } from "./text-form.tsx"

interface Props {
  account: Account
  /** The id of the post, a ULID. */
  id: string
  /** The post whose categories it gets; undefined if there is none. */
  last: Post | undefined
  refused?: RefusedForm | undefined
}

/** Renders the form of a new post. */
const NewForm = ({ account, id, last, refused }: Props) => {
  const lang = account.primary_language
  const values = {
    categories: (last?.categories ?? [DEFAULT_CATEGORY]).join(", "),
    translation_languages: account.translation_languages.join(", "),
  }
  return (
    <form
      method="post"
      action="/settings/posts/new/"
      id={TEXT_FORM}
      data-key={`new:${account.username}`}
      data-unsaved={refused && ""}
    >
      <button hidden>Save</button>
      <Hidden name="id" value={id} refused={refused} />
      <Hidden name="timezone" value={account.timezone} refused={refused} />
      <Words values={values} lang={lang} refused={refused} autofocus={refused === undefined} />
      <Shared
        account={account}
        images={[]}
        values={values}
        isDraft
        earlier={last && `Those of your last post, “${sourceText(last).title ?? last.slug}”. `}
        refused={refused}
      />
      <Field
        id="primary_language"
        name="primary_language"
        label="Language of the text"
        value={lang}
        list="languages"
        hint={`A name or a code. ${languageName(lang)} by your settings.`}
        refused={refused}
      />
      <button class="primary">Save as a draft</button>{" "}
      <button name="action" value="publish">
        Publish now
      </button>{" "}
      <button name="action" value="schedule">
        Schedule
      </button>{" "}
      <button formaction="/settings/posts/new/preview/" formtarget="_blank">
        Preview
      </button>
    </form>
  )
}

/** Renders the page of a new post. */
export const renderNewPost = (props: Props) =>
  renderSettingsPage({
    account: props.account,
    path: "/settings/posts/",
    title: "New post",
    children: (
      <>
        <h1>New post</h1>
        <Outcome refused={props.refused} />
        <NewForm {...props} />
      </>
    ),
  })
