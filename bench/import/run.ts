// Measures what `edgepost import wordpress` takes of memory and CPU, beside another checkout. See README.md.
import { createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"

import { main } from "../../scripts/cli.ts"
import { compareCheckouts, setting, table, USAGE_HEAD } from "../shared.ts"

const ROUNDS = setting("ROUNDS", 3)
const MEGABYTES = setting("MEGABYTES", 190)

const SENTENCES = [
  "The moon pulls the water, and the <em>earth</em> turns under it.",
  'A <strong>neap tide</strong> comes with the half moon; see <a href="https://tides.example/2024/05/post-1/">the tables</a>.',
  "Read <code>level_at(place, time)</code> twice a day – and write it down.",
  "The coast decides how high the sea will stand.",
]
const META = Array.from(
  { length: 8 },
  (_, i) =>
    `<wp:postmeta><wp:meta_key><![CDATA[_plugin_${i}]]></wp:meta_key><wp:meta_value><![CDATA[value ${i}]]></wp:meta_value></wp:postmeta>`,
)

const block = (name: string, html: string): string => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->\n\n`

/** Writes an item of the export: an upload, or a post of about 13 KB. */
const itemOf = (i: number, type: "attachment" | "post"): string => {
  const sections = Array.from({ length: 12 }, (_, n) => {
    const text = Array.from({ length: 10 }, (__, j) => SENTENCES[(i + n + j) % SENTENCES.length]).join(" ")
    return block("heading", `<h2 class="wp-block-heading">Section ${n}</h2>`) + block("paragraph", `<p>${text}</p>`)
  })
  const own = type === "post" ? sections.join("") : ""
  const file =
    type === "post" ? "" : `<wp:attachment_url>https://tides.example/wp-content/uploads/${i}.png</wp:attachment_url>`
  return `<item><title><![CDATA[${type} ${i}]]></title><link>https://tides.example/2024/05/${type}-${i}/</link><dc:creator><![CDATA[ann]]></dc:creator><description></description><content:encoded><![CDATA[${own}]]></content:encoded><excerpt:encoded><![CDATA[]]></excerpt:encoded><wp:post_id>${i}</wp:post_id><wp:post_date><![CDATA[2024-05-01 09:00:00]]></wp:post_date><wp:post_date_gmt><![CDATA[2024-05-01 09:00:00]]></wp:post_date_gmt><wp:post_name><![CDATA[${type}-${i}]]></wp:post_name><wp:status><![CDATA[${type === "post" ? "publish" : "inherit"}]]></wp:status><wp:post_parent>0</wp:post_parent><wp:menu_order>0</wp:menu_order><wp:post_type><![CDATA[${type}]]></wp:post_type><wp:post_password><![CDATA[]]></wp:post_password>${file}<category domain="category" nicename="sea"><![CDATA[Sea]]></category>${META.join("")}</item>\n`
}

/** Writes an export with an upload for each post. */
const exportOf = function* () {
  let bytes = 0
  yield '<?xml version="1.0" encoding="UTF-8" ?>\n<rss version="2.0"><channel><title>Tides</title><link>https://tides.example</link><language>en</language><wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://tides.example</wp:base_blog_url><wp:author><wp:author_login><![CDATA[ann]]></wp:author_login><wp:author_display_name><![CDATA[Ann]]></wp:author_display_name></wp:author>\n'
  for (let i = 1; bytes < MEGABYTES * 1e6; i += 2) {
    const items = itemOf(i, "attachment") + itemOf(i + 1, "post")
    bytes += Buffer.byteLength(items)
    yield items
  }
  yield "</channel></rss>\n"
}

await main(async () => {
  const folder = await mkdtemp(join(tmpdir(), "edgepost-import-"))
  try {
    const file = join(folder, "export.xml")
    await pipeline(Readable.from(exportOf()), createWriteStream(file))
    const cells = await compareCheckouts(
      ROUNDS,
      (run) => ["import", "wordpress", file, "-o", join(folder, run)],
      (run) => rm(join(folder, run), { recursive: true }),
    )
    console.log(table([USAGE_HEAD, ["import wordpress", ...cells]]))
  } finally {
    await rm(folder, { recursive: true })
  }
})
