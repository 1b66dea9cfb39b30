// Prints what rss-parser gives of the feed.
import Parser from "rss-parser"

const { FEED } = process.env
const parser = new Parser({ customFields: { item: ["media:content", "media:thumbnail"] } })
for (const item of (await parser.parseURL(FEED)).items) {
  const { title, link, categories } = item
  // The description of Atom is its summary, and that of RSS has been read as HTML.
  const summary = FEED.endsWith("atom") ? item.summary : item.contentSnippet
  console.log(JSON.stringify({ title, link, summary, tags: categories, all: JSON.stringify(item) }))
}
