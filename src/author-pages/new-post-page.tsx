import { Outcome } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"
import { NewForm, type NewFormProps } from "./text-form.tsx"

/** Renders the page of a new post. */
export const renderNewPost = (props: NewFormProps) =>
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
