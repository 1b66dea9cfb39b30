import { type Account, type ApiKey, SCOPES, type Scope } from "../db/schema.ts"
import { MAX_KEYS, MAX_KEY_NAME_CHARS } from "../limits.ts"
import { Secret, Time } from "../ui/components.tsx"
import { Field, type RefusedForm } from "../ui/form.tsx"
import { isPaid } from "./account.ts"
import { isExpired, type NewKey } from "./key.ts"

const USES: Record<Scope, string> = {
  publish: "may do everything. For GitHub Actions, the command line and your own scripts.",
  draft: "writes drafts and uploads images; readers see nothing of it. For browser extensions and drafting tools.",
  read: "reads the posts that readers can see. For a site that renders your posts.",
}

export interface KeysProps {
  account: Account
  now: Date
  /** The keys of the account that are not revoked. */
  keys: ApiKey[]
  /** The path of the forms. */
  path: string
  /** The page that asks to sign in again, if keys can be made only after that. */
  signInAgain?: string | undefined
  /** A new key, which is shown only once. */
  newKey?: NewKey | undefined
  refused?: RefusedForm | undefined
  /** True after a form that has changed nothing. */
  isUnchanged?: boolean
}

const Row = ({
  apiKey,
  account: { timezone: zone },
  path,
  now,
  signInAgain,
}: { apiKey: ApiKey } & Pick<KeysProps, "account" | "path" | "now" | "signInAgain">) => {
  const { name, scope, last_four, created_at, last_used_at, expires_at } = apiKey
  return (
    <li>
      <div>
        <strong>{name}</strong> ({scope}), ends in <code>{last_four}</code>
        <br />
        <span class="quiet">
          Made <Time at={created_at} zone={zone} />,{" "}
          {last_used_at ? (
            <>
              last used <Time at={last_used_at} zone={zone} /> or up to an hour later
            </>
          ) : (
            "not used yet"
          )}
          {expires_at && (
            <>
              , {isExpired(apiKey, now) ? "expired" : "expires"} <Time at={expires_at} zone={zone} />
            </>
          )}
        </span>
      </div>
      <details>
        <summary aria-label={`Replace or revoke the key ${name}`}>Replace or revoke</summary>
        <p>Programs that use this key stop working at once, until they get a new one.</p>
        {!isExpired(apiKey, now) && signInAgain === undefined && (
          <form method="post" action={path}>
            <input type="hidden" name="name" value={name} />
            <input type="hidden" name="scope" value={scope} />
            <input type="hidden" name="replaced" value={String(created_at.getTime())} />
            <button>Replace {name}</button>
          </form>
        )}
        <form method="post" action={`${path}revoke/`}>
          <input type="hidden" name="name" value={name} />
          <input type="hidden" name="replaced" value={String(created_at.getTime())} />
          <button>Revoke {name}</button>
        </form>
      </details>
    </li>
  )
}

const NewKeyForm = ({ keys, path, refused }: KeysProps) => (
  <form method="post" action={path}>
    <input type="hidden" name="replaced" value="" />
    <Field
      id="key-name"
      name="name"
      label="Name of a new key"
      value={keys.length === 0 ? "default" : ""}
      hint={`What uses it, such as My phone or github-actions; at most ${MAX_KEY_NAME_CHARS} characters.`}
      required
      refused={refused}
    />
    <label htmlFor="key-scope">Scope</label>
    <select id="key-scope" name="scope" aria-describedby="key-scope-hint">
      {SCOPES.map((scope) => (
        <option value={scope} selected={scope === (refused?.sent["scope"] ?? "draft")}>
          {scope}
        </option>
      ))}
    </select>
    <ul id="key-scope-hint" class="quiet">
      {SCOPES.map((scope) => (
        <li>
          <strong>{scope}</strong> {USES[scope]}
        </li>
      ))}
    </ul>
    <Field
      id="key-expiry"
      name="expires_at"
      label="Last day (optional, UTC)"
      type="date"
      hint="Without one the key is valid until you replace or revoke it."
      refused={refused}
    />
    <button class={keys.length === 0 ? "primary" : undefined}>Make a key</button>
  </form>
)

/** Renders the list of an account's keys with forms to replace and revoke them, and the form of a new key. */
export const Keys = (props: KeysProps) => (
  <>
    {props.newKey && (
      <Secret id="new-key" label={`API key ${props.newKey.name}`} value={props.newKey.api_key}>
        <strong>This is the key {props.newKey.name}. It is shown only now:</strong> copy it to where secrets are kept,
        before you leave or reload this page.
      </Secret>
    )}
    {props.keys.length === 0 && <p>There is no key yet.</p>}
    <ul class="rows">
      {props.keys.map((apiKey) => (
        <Row {...props} apiKey={apiKey} />
      ))}
    </ul>
    {!isPaid(props.account, props.now) ? (
      <p>Only a paid account can make a key.</p>
    ) : props.signInAgain !== undefined ? (
      <p>
        <a class="button" href={props.signInAgain}>
          Sign in again to make or replace a key
        </a>
      </p>
    ) : props.keys.filter((key) => !isExpired(key, props.now)).length < MAX_KEYS ? (
      <NewKeyForm {...props} />
    ) : (
      <p>{MAX_KEYS} are the most. Revoke one to make another.</p>
    )}
  </>
)
