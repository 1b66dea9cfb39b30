import { readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"

import { ROOT } from "./prepare.mjs"

const FILE = join(ROOT, "examples/tide/post.md")
const RELATIVE_PICTURE = /(!\[[^\]]*\]\()(?!\/|https?:)([^)]+)\)/g

/** The example post: its front matter as `fields`, its Markdown as `body`, and the picture files beside it. */
export const readExample = () => {
  const [, head, body] = /^---\n([^]*?)\n---\n+([^]*)$/.exec(readFileSync(FILE, "utf8"))
  const fields = Object.fromEntries(head.split("\n").map((line) => /^(\w+): (.*)$/.exec(line).slice(1)))
  const pictures = [...body.matchAll(RELATIVE_PICTURE)].map(([, , path]) => ({
    path,
    file: new File([readFileSync(join(dirname(FILE), path))], basename(path)),
  }))
  return { fields, body, pictures }
}

/** The body with uploaded pictures in place of files. @param urls image_url by relative path */
export const showUploads = (body, urls) => body.replace(RELATIVE_PICTURE, (_, start, path) => `${start}${urls[path]})`)
