"""Reads an Atom or RSS feed as feed readers do, and prints it as JSON. The argument is its address."""

import html
import json
import sys
from datetime import datetime, timezone

import feedparser


def instant(parsed):
    return datetime(*parsed[:6], tzinfo=timezone.utc).isoformat()


def shown(text, detail):
    """Returns the words that a reader shows: descriptions of RSS are HTML, summaries of Atom are text."""
    return html.unescape(text) if detail.type == "text/html" else text


# The content stays as the feed has it: feedparser would repair relative addresses.
feed = feedparser.parse(sys.argv[1], sanitize_html=False, resolve_relative_uris=False)
entries = [
    {
        "id": entry.id,
        "link": entry.link,
        "lang": entry.title_detail.language,
        "title": entry.title,
        "summary": shown(entry.summary, entry.summary_detail),
        "author": entry.author,
        "tags": [tag.term for tag in entry.get("tags", [])],
        "published": instant(entry.published_parsed),
        "updated": instant(entry.get("updated_parsed", entry.published_parsed)),
        "content": [content.value for content in entry.get("content", [])],
    }
    for entry in feed.entries
]
about = {
    "bozo": int(feed.bozo),
    "error": str(feed.get("bozo_exception", "")),
    "version": feed.version,
    "id": feed.feed.get("id"),
    "lang": feed.feed.language,
    "title": feed.feed.title,
    "subtitle": shown(feed.feed.subtitle, feed.feed.subtitle_detail),
    "updated": instant(feed.feed.updated_parsed),
    "links": [[link.rel, link.href] for link in feed.feed.links],
}
json.dump({**about, "entries": entries}, sys.stdout)
