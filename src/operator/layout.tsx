import type { OperatorAction } from "../db/schema.ts"
import { Time } from "../ui/components.tsx"
import { type LayoutProps, renderLayout } from "../ui/layout.tsx"

const PAGES = [
  ["/operator/", "Accounts"],
  ["/operator/audit-log/", "Audit log"],
] as const

/** Renders a page for the signed-in operator, with navigation, which marks `path`. */
export const renderOperatorPage = ({ path, ...layout }: LayoutProps & { path: string }) => {
  const session = { who: "Operator", signOut: "/operator/sign-out/" }
  const bar = { label: "Operator", pages: PAGES, path, session }
  return renderLayout({ ...layout, bar })
}

/** Returns the path of the operator's page of an account. */
export const accountPath = (username: string): string => `/operator/accounts/${encodeURIComponent(username)}/`

const WORDS: Record<string, string> = {
  sign_in: "Signed in",
  make_account: "Made the account",
  set_account: "Set the account",
  make_key: "Made an API key",
  make_sign_in_link: "Made a sign-in link",
  set_paid_until: "Set the paid time",
  set_blog_host: "Set the host of the blog",
  set_restricted: "Set restricted",
  set_hidden: "Set hidden",
  unpublish_post: "Unpublished a post",
  erase_account: "Erased the account",
}

/**
 * Renders entries of the audit log.
 * @param showsAccount whether each entry names its account
 */
export const Actions = ({ actions, showsAccount }: { actions: OperatorAction[]; showsAccount: boolean }) => (
  <ul class="rows">
    {actions.map(({ at, action, username, detail, via }) => (
      <li>
        <div>
          <strong>{WORDS[action] ?? action}</strong>
          {showsAccount && username !== null && (
            <>
              {" "}
              · <a href={accountPath(username)}>{username}</a>
            </>
          )}
          {detail !== "" && <p>{detail}</p>}
        </div>
        <span class="quiet">
          <Time at={at} />, by {via === "api" ? "the API" : "a page"}
        </span>
      </li>
    ))}
  </ul>
)
