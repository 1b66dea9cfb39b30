import type { Judged } from "../../oracle/judged.ts"
import { EVERYWHERE, HEADING, LATER, OF_FOLDER, SELF_LINK, SLUG } from "../../oracle/reasons.ts"

const DAY_ALONE = "The tool keeps the day of a date alone."

export const nuxt: Judged = {
  package: "@nuxt/content",
  command: [
    "sh",
    "-c",
    "modules=$(readlink node_modules) && rm node_modules && cp -a $modules node_modules && node_modules/.bin/nuxt generate",
  ],
  env: { NUXT_TELEMETRY_DISABLED: "1" },
  site: ".output/public",
  place: (name) => `content/${name}`,
  frame: { "nuxt.config.ts": 'export default { modules: ["@nuxt/content"] }\n' },
  posts: {},
  differences: {
    "nuxt-drawn": { "content/drawn-nuxt.md": [["links", SELF_LINK, "\ncontent/drawn-nuxt.md#harbour", ""]] },
    nuxt: {
      "content/2.blog/2024-08-12-lake-dated.md": [["slug", SLUG, "2024-08-12-", ""]],
      "content/2.blog/4.deep/01.deeper/3.lake-deepest.md": [["categories", OF_FOLDER, "", "deep"]],
      "content/2.blog/lake-ahead.md": [LATER],
      "content/2.blog/lake-draft.md": [EVERYWHERE],
      "content/2.blog/lake-größe.md": [["slug", SLUG, "grosse", "groesse"]],
      "content/2.blog/lake-heading.md": [["words", HEADING, "The reed and rush ", ""]],
      "content/2.blog/lake-offset.md": [["date", DAY_ALONE, "00:00:00Z", "12:30:00Z"]],
      "content/2.blog/lake-timed.md": [["date", DAY_ALONE, "00:00:00Z", "21:30:00Z"]],
      "content/2.blog/lake-wait.draft.md": [["page", "A name that says that a text is a draft hides it."]],
    },
    "nuxt-plain": {
      "content/-see-zwei.md": [["page", "A hyphen hides a text in version 2, which may be meant."]],
    },
  },
}
