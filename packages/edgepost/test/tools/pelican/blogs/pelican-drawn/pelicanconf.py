SITENAME = "Drawn"
SITEURL = "https://drawn.example"
PATH = "content"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
STATIC_PATHS = ["images"]
