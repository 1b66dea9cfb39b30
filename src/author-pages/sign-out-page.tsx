import type { Account, ApiKey, Passkey } from "../db/schema.ts"
import { Time } from "../ui/components.tsx"
import { renderSettingsPage } from "./layout.tsx"

interface Props {
  account: Account
  keys: ApiKey[]
  passkeys: Passkey[]
}

interface ChoicesProps {
  name: "key" | "passkey"
  legend: string
  choices: { value: string; label: string; at: Date }[]
}

const Choices = ({ name, legend, choices }: ChoicesProps) =>
  choices.length > 0 && (
    <fieldset>
      <legend>{legend}</legend>
      {choices.map(({ value, label, at }) => (
        <label>
          <input type="checkbox" name={name} value={value} /> {label}, made <Time at={at} />
        </label>
      ))}
    </fieldset>
  )

/** Renders the form that ends all sessions of an account, and revokes the API keys and passkeys that are chosen. */
export const renderSignOutEverywhere = ({ account, keys, passkeys }: Props) =>
  renderSettingsPage({
    account,
    path: "/settings/",
    title: "Sign out everywhere",
    children: (
      <>
        <h1>Sign out everywhere</h1>
        <p>
          This ends all sessions, this one as well. If somebody else may have used your account, also revoke what they
          may have made or copied:
        </p>
        <form method="post">
          <Choices
            name="key"
            legend="API keys to revoke"
            choices={keys.map(({ name, scope, created_at }) => ({
              value: name,
              label: `${name} (${scope})`,
              at: created_at,
            }))}
          />
          <Choices
            name="passkey"
            legend="Passkeys to remove"
            choices={passkeys.map(({ id, name, created_at }) => ({ value: id, label: name, at: created_at }))}
          />
          <button>Sign out everywhere</button>
        </form>
      </>
    ),
  })
