import { RECENT_SIGN_IN_SECONDS } from "../limits.ts"
import { renderLayout } from "../ui/layout.tsx"

/** Renders the page that explains how to sign in. `isAgain`: it says that the page asked for needs a recent sign-in; `isLocal`: the service runs on the author's machine. */
export const renderSignIn = ({ isAgain, isLocal }: { isAgain: boolean; isLocal: boolean }) =>
  renderLayout({
    title: "Sign in",
    children: (
      <>
        <h1>Sign in</h1>
        {isAgain && (
          <p class="notice">
            <strong>Sign in again to go on:</strong> what you asked for needs a sign-in of the last{" "}
            {RECENT_SIGN_IN_SECONDS / 60} minutes. You come back to it.
          </p>
        )}
        <button type="button" class="primary" data-passkey="sign-in" hidden>
          Sign in with a passkey
        </button>
        <p class="notice" role="alert" id="passkey-error" hidden></p>
        <p>
          Open the sign-in link that the operator of this service has sent you. It works once; ask for another one when
          you need it.
        </p>
        {isLocal && (
          <p>
            This service runs on your machine: <code>npm start</code> prints the address of the settings, which signs
            you in.
          </p>
        )}
      </>
    ),
  })

/** Renders the page of a valid sign-in link, with a button that signs this user in. */
export const renderSignInLink = (username: string) =>
  renderLayout({
    title: "Sign in",
    children: (
      <>
        <h1>Sign in</h1>
        <p>
          This link lets you in as <strong>{username}</strong>, once.
        </p>
        <form method="post">
          <button class="primary">Sign in</button>
        </form>
      </>
    ),
  })
