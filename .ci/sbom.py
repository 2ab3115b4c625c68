"""Writes the software bill of materials of a built wheel with all its extras, in CycloneDX, beside the wheel.

    python .ci/sbom.py dist/triad_kgqa-….whl      # what `make sbom` runs

The bill has the packages of an environment that has the wheel and nothing else; the tool is in one of its own.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import try_wheel

ROOT = Path(__file__).parents[1]
TOOL = "cyclonedx-bom>=7,<8"


def main() -> None:
    """Write the bill; one that lacks a package of LICENSES.md, or a version, fails."""
    wheel = Path(sys.argv[1]).resolve()
    bill = wheel.with_name("-".join(wheel.name.split("-")[:2]) + ".cdx.json")
    with tempfile.TemporaryDirectory(prefix="triad-bill-") as folder:
        made, tool = (try_wheel.Environment(sys.executable, _inside(folder, name)) for name in ("made", "tool"))
        made.pip("install", "--no-compile", f"{wheel}[{','.join(try_wheel.extras_of(wheel))}]")
        tool.pip("install", "--no-compile", TOOL)
        options = ("--pyproject", str(ROOT / "pyproject.toml"), "--output-reproducible", "--validate")
        tool.run("cyclonedx-py", "environment", *options, "--output-file", str(bill), made.python)
    licensed = re.findall(r"^\| ([\w.-]+) \|", (ROOT / "LICENSES.md").read_text(encoding="utf-8"), re.MULTILINE)
    if found := faults(json.loads(bill.read_text(encoding="utf-8")), licensed):
        sys.exit("\n".join(found))
    print(bill)


def faults(bill: Mapping[str, Any], licensed: Collection[str]) -> list[str]:
    """Return what is wrong with a bill: packages without a version, and packages whose licence nobody looked at."""
    packages = {one["name"].lower().replace("_", "-").replace(".", "-"): one for one in bill["components"]}
    return [
        *(f"{name} has no version" for name, one in packages.items() if not one.get("version")),
        *(f"LICENSES.md lacks {name}: see benchmarks/licences.py" for name in sorted(packages.keys() - set(licensed))),
    ]


def _inside(folder: str, name: str) -> Path:
    path = Path(folder) / name
    path.mkdir()
    return path


if __name__ == "__main__":
    main()
