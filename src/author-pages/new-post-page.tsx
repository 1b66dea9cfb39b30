import type { Account } from "../db/schema.ts"
import { Outcome, type RefusedForm } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"
import { NewForm } from "./text-form.tsx"

interface Props {
  account: Account
  /** The id that the post gets, a ULID. */
  id: string
  categories: string[]
  refused?: RefusedForm | undefined
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
