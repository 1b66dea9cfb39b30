import type { Account } from "../db/schema.ts"
import { type LayoutProps, renderLayout } from "../ui/layout.tsx"

const PAGES = [
  ["/settings/", "Settings"],
  ["/settings/posts/", "Posts"],
  ["/settings/keys/", "API keys"],
] as const

interface Props extends LayoutProps {
  account: Account
  path: (typeof PAGES)[number][0]
}

/** Renders a page for a signed-in author, with the navigation of the settings, which marks `path`. */
export const renderSettingsPage = ({ account, path, ...layout }: Props) => {
  const session = { who: account.username, signOut: "/sign-out/" }
  const bar = { label: "Blog settings", pages: PAGES, path, session }
  return renderLayout({ ...layout, bar })
}
