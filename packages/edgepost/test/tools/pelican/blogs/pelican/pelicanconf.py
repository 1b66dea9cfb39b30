from datetime import date

AUTHOR = "Ann"
SITENAME = 'Bee yard'
SITEURL = ""  # publishconf.py has it
TIMEZONE = "Europe/Paris"
DEFAULT_LANG = "en"
YEAR = date.today().year
LINKS = (
    ("A friend", "https://friend.example"),  # (a comment, with a ')
    ("Another", "https://other.example",),
)
