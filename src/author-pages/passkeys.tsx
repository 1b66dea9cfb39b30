import { MAX_PASSKEY_NAME_CHARS, MAX_PASSKEYS } from "../limits.ts"
import type { Passkey } from "../tables.ts"
import { Section, Time } from "../ui/components.tsx"

const PasskeyRow = ({ passkey: { id, name, created_at, last_used_at } }: { passkey: Passkey }) => (
  <li>
    <div>
      <strong>{name}</strong>
      <br />
      <span class="quiet">
        Made <Time at={created_at} />,{" "}
        {last_used_at ? (
          <>
            last used <Time at={last_used_at} />
          </>
        ) : (
          "not used yet"
        )}
      </span>
    </div>
    <form method="post" action="/settings/passkeys/remove/">
      <input type="hidden" name="passkey" value={id} />
      <button aria-label={`Remove the passkey ${name}, made ${created_at.toISOString()}`}>Remove</button>
    </form>
  </li>
)

/** Shown by the script alone: making a passkey needs one. */
const NewPasskey = () => (
  <>
    <p id="passkey-needs">Adding a passkey needs JavaScript, and a browser that has passkeys.</p>
    <form data-passkey="register" hidden>
      <label htmlFor="passkey-name">Name of the passkey (optional)</label>
      <input id="passkey-name" name="name" maxLength={MAX_PASSKEY_NAME_CHARS} autocomplete="off" />
      <button>Add a passkey</button>
    </form>
    <p class="notice" role="alert" id="passkey-error" hidden></p>
  </>
)

/** What the author signs in with instead of links. */
export const Passkeys = ({ passkeys }: { passkeys: Passkey[] }) => (
  <Section id="passkeys" title="Passkeys">
    <p>A passkey lets you sign in without a link, with your device's screen lock or a security key.</p>
    {passkeys.length > 0 && (
      <ul class="rows">
        {passkeys.map((passkey) => (
          <PasskeyRow passkey={passkey} />
        ))}
      </ul>
    )}
    {passkeys.length < MAX_PASSKEYS ? <NewPasskey /> : <p>{MAX_PASSKEYS} are the most. Remove one to add another.</p>}
  </Section>
)
