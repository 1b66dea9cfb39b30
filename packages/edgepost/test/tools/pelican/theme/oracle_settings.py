import os
import sys

sys.path.append(os.curdir)
from pelicanconf import *

if os.path.exists("publishconf.py"):
    from publishconf import *

# The command of the documentation is `pelican content`.
PATH = globals().get("PATH", "content")
THEME = "oracle"
OUTPUT_PATH = "_site"
DIRECT_TEMPLATES = []
AUTHOR_SAVE_AS = CATEGORY_SAVE_AS = TAG_SAVE_AS = ""
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = None
RELATIVE_URLS = False
CACHE_CONTENT = LOAD_CONTENT_CACHE = False
SOURCE = os.getcwd()
