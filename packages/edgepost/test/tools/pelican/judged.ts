import type { Judged, Row } from "../../oracle/judged.ts"
import { ALERT, DAY, EVERYWHERE, LATER, SLUG, TITLE } from "../../oracle/reasons.ts"

const FORM: Row = ["page", "Files in .rst and .mkd are not read, and the plan says so."]
const COMMA = "A comma in a label becomes a blank, and the plan says so."

const slug = (tool: string, edgepost: string): Row => ["slug", SLUG, tool, edgepost]

export const pelican: Judged = {
  package: "pelican",
  command: ["pelican", "--settings", "oracle_settings.py", "--quiet"],
  site: "_site",
  place: (name) => `content/${name}`,
  frame: { "pelicanconf.py": 'SITENAME = "Bees"\n' },
  posts: {},
  differences: {
    "pelican-drawn": {
      "content/drawn-pelican.md": [
        slug("drawn-by-its-tool", "drawn-pelican"),
        ["words", ALERT, "Low water", "Warning Low water"],
      ],
      "content/drawn-pelican-other.md": [slug("drawn-beside-it", "drawn-pelican-other")],
    },
    pelican: {
      "*": [DAY],
      "content/2024-03-05-wax.md": [slug("wax-honey-what-we-sell", "wax")],
      "content/2024-03-19-given.md": [slug("dated-twice", "given")],
      "content/alone.md": [slug("une-reine-seule-fr", "alone")],
      "content/fenced.md": [slug("bees-a-year", "fenced")],
      "content/swarm.md": [LATER],
      "content/garden/trees/apple.md": [slug("the-apple-tree", "apple")],
      "content/hidden.md": [EVERYWHERE],
      "content/hive.md": [
        ["links", "A list of posts stays on the old site.", "\nhttps://bees.example/category/garden.html"],
      ],
      "content/lines.md": [slug("two-lines-of-a-title", "lines"), ["title", TITLE, "Two lines,of", "Two lines of"]],
      "content/other.mkd": [FORM],
      "content/pages/about-bees.md": [slug("about-the-bee-yard", "about-bees")],
      "content/queen.md": [slug("the-queen-and-her-court", "queen"), ["tags", COMMA, "queen, old", "queen old"]],
      "content/rest.rst": [FORM],
      "content/yaml.md": [["categories", COMMA, "food, drinks", "food drinks"]],
      "content/zh.md": [["categories", COMMA, "food, drinks", "food drinks"], slug("mi-feng-uber-alles-c", "zh")],
    },
    "pelican-configured": {
      "*": [DAY],
      "content/articles/Pel_Odd.Name.md": [slug("pel-oddname", "pel-odd-name")],
    },
  },
}
