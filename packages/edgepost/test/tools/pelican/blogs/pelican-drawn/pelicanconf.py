SITENAME = "Drawn"
SITEURL = "https://drawn.example"
PATH = "content"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
STATIC_PATHS = ["images"]
MARKDOWN = {
    "extension_configs": {
        "markdown.extensions.admonition": {},
        "markdown.extensions.extra": {},
        "markdown.extensions.meta": {},
        "markdown.extensions.toc": {},
    },
    "output_format": "html5",
}
