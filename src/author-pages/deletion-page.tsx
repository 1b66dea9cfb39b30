import type { Account } from "../db/schema.ts"
import { count } from "../ui/components.tsx"
import { renderSettingsPage } from "./layout.tsx"
import type { Summary } from "./post-list.tsx"

interface DeletionProps {
  account: Account
  summary: Summary
  etag: string
}

/** Renders the question whether to delete a post, with what goes. */
export const renderDeletion = ({ account, summary, etag }: DeletionProps) => {
  const { slug, title, primary_language, translations, images, cover_image_id } = summary
  return renderSettingsPage({
    account,
    path: "/settings/posts/",
    title: "Delete a post",
    children: (
      <>
        <h1>
          Delete “<bdi lang={primary_language}>{title ?? slug}</bdi>”?
        </h1>
        <p>
          <strong>This cannot be undone.</strong> It deletes:
        </p>
        <ul>
          <li>the post, and its page if readers see it now</li>
          {translations.length > 0 && <li>{count(translations.length, "translation")}, those edited by hand too</li>}
          {images.length > 0 && (
            <li>
              {count(images.length, "image")}
              {cover_image_id !== null && " with the cover"}, except those that another post shows
            </li>
          )}
        </ul>
        <p>Its slug {slug} is free then.</p>
        <form method="post" action={`/settings/posts/${slug}/delete/`}>
          <input type="hidden" name="etag" value={etag} />
          <button class="primary">Delete it for good</button> <a href={`/settings/posts/${slug}/`}>Keep it</a>
        </form>
      </>
    ),
  })
}
