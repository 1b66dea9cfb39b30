// Prints what feedsmith gives of the feed.
import { parseFeed } from "feedsmith"

const { format, feed } = parseFeed(await (await fetch(process.env.FEED)).text())
const textOf = (html) =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
const itemOf = {
  atom: ({ title, links, summary, categories }) => ({
    title: title.value ?? title,
    link: links[0].href,
    summary: summary.value ?? summary,
    tags: categories.map(({ term }) => term),
  }),
  // The specification has HTML in the description of an item.
  rss: ({ title, link, description, categories }) => ({
    title,
    link,
    summary: textOf(description),
    tags: categories.map(({ name }) => name),
  }),
  json: ({ title, url, summary, tags }) => ({ title, link: url, summary, tags }),
}[format]
for (const item of feed.items ?? feed.entries)
  console.log(JSON.stringify({ ...itemOf(item), all: JSON.stringify(item) }))
