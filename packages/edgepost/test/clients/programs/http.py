"""requests repeats by urllib3's Retry: all methods, 429 and 503 as long as Retry-After says, and lost answers."""

import os
import time

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

api = os.environ["BASE"] + "/api/blogcontroller/"
slug = os.environ["SLUG"]
session = requests.Session()
session.headers["X-API-KEY"] = os.environ["KEY"]
retry = Retry(total=8, backoff_factor=0.1, status_forcelist=[429, 503], allowed_methods=None)
session.mount("http://", HTTPAdapter(max_retries=retry))


def call(name, method, path, good, **more):
    key = {} if method == "GET" else {"Idempotency-Key": name}
    answer = session.request(method, api + path, headers=key, **more)
    if answer.status_code not in good:
        print(f"FAILED {name}: {answer.status_code} {answer.text}")
    return answer


with open(os.environ["IMAGE"], "rb") as image:
    file = {"file": ("ä.png", image.read(), "image/png")}
image_id = call("upload", "POST", "image-upload/", [201], files=file).json()["image_id"]
draft = {"slug": slug, "title": "A post", "status": "DF", "categories": ["News"], "meta_description": "About it."}
call("create", "POST", "posts/", [201], json={**draft, "body": "Some words.", "image_ids": [image_id]})
change = {"lang_code": "en", "primary_language": "en", "translation_languages": ["fr", "es"], "status": "PB"}
call("patch", "PATCH", f"posts/{slug}/", [200, 202], json=change)
while True:
    states = call("translations", "GET", f"posts/{slug}/translations/", [200]).json()["translations"]
    if [state["status"] for state in states] == ["ready", "ready"]:
        break
    time.sleep(0.2)
if len(call("list", "GET", "posts/", [200], params={"limit": 5}).json()["posts"]) != 1:
    print("FAILED list: not one post")
# Repeated after a lost answer, the post is gone.
call("delete", "DELETE", f"posts/{slug}/", [204, 404])
