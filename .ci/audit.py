"""Fails where a package that is installed, or one that the page is built with, has a known fault.

What is known is asked of PyPI and of npm's registry. Where one of them cannot be reached, this says so, and passes.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SECONDS = 180


def python_faults() -> list[str] | None:
    """Return the known faults of the packages that are installed here; None where nobody can be asked."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as one:
        one.write(f"PyYAML=={version('PyYAML')}\n")
        one.flush()
        if not _audited("-r", one.name, "--no-deps", "--disable-pip"):  # asking for all takes long where none is known
            return None
    packages = _audited("--skip-editable")
    return [
        f"{one['name']} {one['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions']) or 'no version'}"
        for one in packages
        for fault in one.get("vulns", ())
    ]


def _audited(*options: str) -> list[dict[str, Any]]:
    """Return what pip-audit says of the packages that it could ask about."""
    found = _json([sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off", *options])
    packages = found.get("dependencies", []) if isinstance(found, dict) else []
    return [one for one in packages if "skip_reason" not in one]


def page_faults() -> list[str] | None:
    """Return the known faults of what the page is built with; None where nobody can be asked."""
    if not shutil.which("npm"):
        return None
    found = _json(["npm", "audit", "--json"], ROOT / "web")
    if not isinstance(found, dict) or "vulnerabilities" not in found:
        return None
    return [f"{name}: {one['severity']} ({one['range']})" for name, one in found["vulnerabilities"].items()]


def _json(command: list[str], folder: Path = ROOT) -> Any:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
        return json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def main() -> int:
    """Tell of the faults."""
    failed = False
    for what, faults in (("Python packages", python_faults()), ("packages of the page", page_faults())):
        if faults is None:
            print(f"{what}: not checked, for no registry answers what faults are known")
        else:
            print(f"{what}: {len(faults)} known faults", *faults, sep="\n  ")
            failed = failed or bool(faults)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
