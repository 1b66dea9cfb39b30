import { type Judged, COMMON } from "../../oracle/judged.ts"
import { DRAFTS, LATER, BLOCKED, PLUGIN, UNLISTED, NO_DEFINITION, ODD } from "../../oracle/reasons.ts"

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
    eleventy: {
      "content/blog/Crossing_the_fjord.md": [
        ["tags", "A tag by which posts are collected says nothing to readers.", "\nposts", ""],
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
