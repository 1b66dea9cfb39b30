SITENAME = "Drafts"
SITEURL = "https://drafts.example"
PATH = "content/"
TIMEZONE = "UTC"
DEFAULT_METADATA = {"status": "draft"}
FILENAME_METADATA = "(?P<title>.*)"
