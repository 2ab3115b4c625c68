"""What a check of a setup found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    check: str
    """What was looked at."""
    ok: bool
    detail: str
    """What was seen, or what is wrong."""
    mend: str = ""
    """What to do about it."""
