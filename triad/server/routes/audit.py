"""``/api/v1/audit``: who asked what, for keys with the scope ``admin``."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request

from triad.server.access import Asker, needs
from triad.server.problems import documented
from triad.server.state.audit import Entry
from triad.server.views import View

router = APIRouter(prefix="/api/v1", tags=["audit"])


class AuditView(View):
    """Entries of the audit log, in order."""

    entries: list[Entry]
    next: int | None
    """What to ask for the ones that follow: `?after=`; null if there are none yet."""


@router.get("/audit", responses=documented())
def audit(
    request: Request,
    _: Annotated[Asker, Depends(needs("admin"))],
    since: datetime | None = None,
    after: Annotated[int, Query(ge=0, le=2**62)] = 0,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1_000,
) -> AuditView:
    """Tell who asked what, which query ran, and how much it found."""
    entries = request.app.state.audit.list(since=since, after=after, limit=limit)
    return AuditView(entries=entries, next=entries[-1].id if len(entries) == limit else None)
