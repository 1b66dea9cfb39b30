import type { Account } from "../db/schema.ts"
import { MAX_IMAGE_SIDE_PX, MAX_IMAGE_FORM_BYTES, MAX_UPLOAD_BYTES } from "../limits.ts"
import type { Post } from "../posts/post.ts"
import { FileField, type RefusedForm } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"

interface Props {
  account: Account
  post: Post
  title: string
  refused?: RefusedForm | undefined
}

const MB = 2 ** 20

/** Renders the form that adds images to the end of a post's text. */
export const renderAddImages = ({ account, post, title, refused }: Props) =>
  renderSettingsPage({
    account,
    path: "/settings/posts/",
    title: "Add images",
    children: (
      <>
        <h1>
          Add images to “<bdi lang={post.primary_language}>{title}</bdi>”
        </h1>
        <form method="post" encType="multipart/form-data" action={`/settings/posts/${post.slug}/images/`}>
          <FileField
            id="file"
            name="file"
            label="Images"
            hint={`PNG, JPEG or WebP; each at most ${MAX_UPLOAD_BYTES / MB} MB and ${MAX_IMAGE_SIDE_PX} pixels a side, all together at most ${MAX_IMAGE_FORM_BYTES / MB} MB. They go to the end of the text. With scripts switched on, the page of the post takes larger ones and scales them.`}
            refused={refused}
          />
          <button class="primary">Add</button> <a href={`/settings/posts/${post.slug}/`}>Back to the post</a>
        </form>
      </>
    ),
  })
