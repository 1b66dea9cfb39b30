import type { Account, OperatorAction } from "../db/schema.ts"
import { CalendarDay, More } from "../ui/components.tsx"
import { Field, Outcome, type RefusedForm } from "../ui/form.tsx"
import { renderLayout } from "../ui/layout.tsx"
import { accountPath, Actions, renderOperatorPage } from "./layout.tsx"

/** Renders the form that asks for the operator's token. */
export const renderOperatorSignIn = () =>
  renderLayout({
    title: "Operator",
    children: (
      <>
        <h1>Operator</h1>
        <form method="post">
          <label htmlFor="token">Operator's token</label>
          <input id="token" name="token" type="password" autocomplete="current-password" required />
          <button class="primary">Sign in</button>
        </form>
      </>
    ),
  })

/** Renders labels for a restricted, hidden or erased account. */
export const States = ({ account: { restricted, hidden, erasing_at } }: { account: Account }) => (
  <>
    {erasing_at && <span class="state failed">Being erased</span>}{" "}
    {restricted && <span class="state failed">Restricted</span>} {hidden && <span class="state failed">Hidden</span>}
  </>
)

const AccountRow = ({ account }: { account: Account }) => (
  <li>
    <div>
      <strong>
        <a href={accountPath(account.username)}>{account.username}</a>
      </strong>{" "}
      <States account={account} />
    </div>
    <span class="quiet">
      {account.paid_until ? (
        <>
          Paid until <CalendarDay at={account.paid_until} />
        </>
      ) : (
        "Never paid"
      )}
    </span>
  </li>
)

const Search = ({ prefix }: { prefix: string }) => (
  <search>
    <form method="get" action="/operator/">
      <label htmlFor="prefix">Usernames that begin with</label>
      <input id="prefix" name="prefix" value={prefix} autocapitalize="none" spellcheck={false} />
      <button>Search</button>
    </form>
  </search>
)

const NewAccount = ({ refused }: Pick<AccountsProps, "refused">) => (
  <section aria-labelledby="new">
    <h2 id="new">Make an account</h2>
    <form method="post" action="/operator/accounts/">
      <Field id="username" name="username" label="Username" required refused={refused} />
      <Field
        id="paid-until"
        name="paid_until"
        label="Paid until (UTC); empty: not paid"
        type="date"
        refused={refused}
      />
      <button>Make the account</button>
    </form>
  </section>
)

interface AccountsProps {
  accounts: Account[]
  prefix: string
  nextCursor: string | null
  /** The form of a new account, if it has wrong fields. */
  refused?: RefusedForm | undefined
}

/** Renders one page of accounts, sorted by username, with the form for a new one. `nextCursor`: null on the last page. */
export const renderAccounts = ({ accounts, prefix, nextCursor, refused }: AccountsProps) =>
  renderOperatorPage({
    path: "/operator/",
    title: "Accounts",
    children: (
      <>
        <h1>Accounts</h1>
        <Outcome refused={refused} />
        <Search prefix={prefix} />
        {accounts.length === 0 && <p>There is no such account.</p>}
        <ul class="rows">
          {accounts.map((account) => (
            <AccountRow account={account} />
          ))}
        </ul>
        {nextCursor !== null && (
          <More href={`/operator/?${new URLSearchParams({ prefix, cursor: nextCursor }).toString()}`}>
            More accounts
          </More>
        )}
        <NewAccount refused={refused} />
      </>
    ),
  })

/** Renders one page of the audit log. `next`: the query of the next page, null on the last page. */
export const renderAuditLog = ({ actions, next }: { actions: OperatorAction[]; next: URLSearchParams | null }) =>
  renderOperatorPage({
    path: "/operator/audit-log/",
    title: "Audit log",
    children: (
      <>
        <h1>Audit log</h1>
        {actions.length === 0 && <p>There are no entries yet.</p>}
        <Actions actions={actions} showsAccount />
        {next && <More href={`/operator/audit-log/?${next.toString()}`}>Older entries</More>}
      </>
    ),
  })
