"""The page: files that are shipped built, for every path that nothing else has."""

import asyncio
from pathlib import Path
from typing import Final

from fastapi import Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.middleware.gzip import GZipMiddleware

from triad.server.access import cookie_of

STATIC: Final = Path(__file__).resolve().parents[1] / "static"
"""Where the page lies, as ``web/`` builds it."""
_PLACEHOLDER: Final = """<!doctype html>
<html lang="en">
<title>Triad</title>
<h1>Triad</h1>
<p>The page is not built: see web/README.md. The API is described at <a href="/api/v1/openapi.json">openapi.json</a>.
</html>
"""


async def index(request: Request) -> Response:
    """Return the page, or what stands in for it where it was not built; where people sign on, they do that first."""
    state = request.app.state
    if state.settings.sign_on and not state.settings.open:
        token = request.cookies.get(cookie_of(state.settings), "")
        if (await asyncio.to_thread(state.keys.session, token, state.settings.session_days))[0] is None:
            return RedirectResponse("/api/v1/session/sign-on", status_code=303)
    path = STATIC / "index.html"
    return FileResponse(path, media_type="text/html") if path.is_file() else HTMLResponse(_PLACEHOLDER)


files: Final = GZipMiddleware(StaticFiles(directory=STATIC, check_dir=False), compresslevel=6)
"""Sends a file of the page, compressed for those who take it so: it is the same for all."""
