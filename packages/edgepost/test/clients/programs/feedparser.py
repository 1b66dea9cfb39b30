"""Prints what feedparser gives of the feed, as readers show it."""

import html
import json
import os
import re

import feedparser


def text_of(detail):
    """Returns the text of a value: HTML is shown without its elements."""
    is_html = detail.type != "text/plain"
    return html.unescape(re.sub(r"<[^>]*>", "", detail.value)) if is_html else detail.value


for entry in feedparser.parse(os.environ["FEED"]).entries:
    tags = [tag.term for tag in entry.tags]
    shown = {"title": text_of(entry.title_detail), "link": entry.link, "summary": text_of(entry.summary_detail)}
    print(json.dumps({**shown, "tags": tags, "day": entry.published[:16], "all": json.dumps(entry, default=str)}))
