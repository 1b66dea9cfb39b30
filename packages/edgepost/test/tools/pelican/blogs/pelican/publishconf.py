import os
import sys

sys.path.append(os.curdir)
from pelicanconf import *

SITEURL = "https://bees.example"
RELATIVE_URLS = False
