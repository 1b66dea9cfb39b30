import { Keys, type KeysProps } from "../accounts/keys.tsx"
import { Unchanged } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"

/** Renders the author's page of API keys. */
export const renderKeys = (props: KeysProps) =>
  renderSettingsPage({
    account: props.account,
    path: "/settings/keys/",
    title: "API keys",
    children: (
      <>
        <h1>API keys</h1>
        {props.isUnchanged && <Unchanged />}
        <Keys {...props} />
      </>
    ),
  })
