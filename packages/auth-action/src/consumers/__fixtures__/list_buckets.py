# A step of a user: lists buckets by default credentials, with google-auth.
import os

import google.auth
from google.auth.transport.requests import AuthorizedSession

credentials, project = google.auth.default(scopes=["https://www.googleapis.com/auth/cloud-platform"])
host = os.environ.get("STORAGE_ENDPOINT", f"https://storage.{credentials.universe_domain}")
answer = AuthorizedSession(credentials).get(f"{host}/storage/v1/b", params={"project": project}, timeout=20)
answer.raise_for_status()
print("buckets:", *[bucket["name"] for bucket in answer.json()["items"]])
