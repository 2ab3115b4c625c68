"""Write what the server says of itself to generated/openapi.json, of which the types of the page are made."""

from __future__ import annotations

import json
from pathlib import Path

from triad.server.app import create_app
from triad.server.settings import load_settings

TO = Path(__file__).parent / "generated" / "openapi.json"

TO.parent.mkdir(exist_ok=True)
TO.write_text(json.dumps(create_app(load_settings("demo")).openapi(), indent=1), encoding="utf-8")
