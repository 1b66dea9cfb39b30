"""Prints what newsboat has stored of the feed. It shows the whole text, and has no summary and no tags."""

import json
import os
import sqlite3
import subprocess

with open("urls", "w") as urls:
    urls.write(os.environ["FEED"] + "\n")
open("config", "w").close()
command = ["newsboat", "-C", "config", "-u", "urls", "-c", "cache.db", "-x", "reload"]
subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
columns = "title, url, content, enclosure_url"
for title, link, *more in sqlite3.connect("cache.db").execute(f"select {columns} from rss_item order by pubDate desc"):
    print(json.dumps({"title": title, "link": link, "all": json.dumps(more)}))
