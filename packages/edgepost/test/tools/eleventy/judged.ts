import { type Judged, COMMON } from "../../oracle/judged.ts"
import {
  BLOCKED,
  COLLECTED,
  DRAFTS,
  EVERYWHERE,
  LATER,
  NO_DEFINITION,
  ODD,
  OF_FOLDER,
  PLUGIN,
  SINGULAR,
  SLUG,
  UNLISTED,
  UNTITLED,
} from "../../oracle/reasons.ts"

const TEXT_LINK = "A link to a file that was left out becomes text."

export const eleventy: Judged = {
  package: "@11ty/eleventy",
  command: ["eleventy", "--config=oracle.config.js"],
  site: "_site",
  place: (name) => `posts/eleventy-${name}`,
  frame: { "eleventy.config.js": "export default () => ({})\n" },
  posts: { comments: COMMON },
  edits: {
    // A file's time of change is no answer that stays.
    eleventy: [["content/blog/winter.md", "Last Modified", "2020-01-05"]],
    // In this repository, a file of this name would be git's.
    "eleventy-traps": [[".gitignore", "", "content/private/\n*.local.md\n"]],
  },
  differences: {
    "eleventy-traps": {
      "content/_includes/eleventy-include.md": [
        ["page", "A folder of templates is one, also where the tool has another."],
      ],
      "content/blog/eleventy-exclude-list.md": [["page", "A page that a list leaves out is in none."]],
      "content/blog/2024-05-01-eleventy-dated.md": [["slug", SLUG, "2024-05-01-eleventy-dated", "eleventy-dated"]],
      "content/blog/2024-05-02-eleventy-own-date.md": [
        ["slug", SLUG, "2024-05-02-eleventy-own-date", "eleventy-own-date"],
      ],
      "content/blog/2024-05-04-eleventy-trip/index.md": [["slug", SLUG, "2024-05-04-eleventy-trip", "eleventy-trip"]],
      "content/blog/eleventy-draft-field.md": [EVERYWHERE],
      "content/blog/eleventy-permalink.md": [["slug", SLUG, "x", "eleventy-permalink"]],
      "content/blog/eleventy-published.md": [EVERYWHERE],
      "content/blog/eleventy-singular.md": [
        ["categories", SINGULAR, "", "ice cream"],
        ["tags", SINGULAR, "", "sea food"],
      ],
      "content/blog/eleventy-slug.md": [["slug", SLUG, "eleventy-slug", "eleventy-own"]],
      "content/blog/eleventy-title-none.md": [["title", UNTITLED, "", "eleventy title none"]],
      "content/hidden/eleventy-hidden-own.md": [["categories", OF_FOLDER, "", "hidden"]],
      "content/journal/2024-05-12-eleventy-journal.md": [
        ["categories", OF_FOLDER, "", "journal"],
        ["tags", COLLECTED, "posts", ""],
      ],
      "content/journal/eleventy-journal-tags.md": [
        ["categories", OF_FOLDER, "", "journal"],
        ["tags", COLLECTED, "posts\nsea", "sea"],
      ],
    },
    eleventy: {
      "content/blog/Crossing_the_fjord.md": [
        ["tags", COLLECTED, "\nposts", ""],
        ["words", PLUGIN, " { #times }"],
        ["words", PLUGIN, " {.lead}"],
        ["links", PLUGIN, "#timetable", "#times"],
      ],
      "content/blog/gallery.njk.md": [BLOCKED],
      "content/blog/winter.md": [
        ["words", PLUGIN, ":::warning", "Warning"],
        ["words", PLUGIN, " :::"],
      ],
    },
    "eleventy-unrendered": {
      "content/posts/eleventy-future.md": [LATER],
      "content/drafts/eleventy-drafts-own.md": [DRAFTS],
      "content/posts/eleventy-excluded.md": [UNLISTED],
      "content/posts/eleventy-shown.md": [["links", TEXT_LINK, "https://blog.example/posts/eleventy-permalink-false/"]],
    },
    "eleventy-comments": {
      "posts/eleventy-html-odd.md": ODD,
      "posts/eleventy-md-refcomment.md": NO_DEFINITION("posts/eleventy-md-refcomment.md"),
      "posts/eleventy-toml-cmt.md": [BLOCKED],
    },
  },
}
