"""Writes LICENSES.md: the licences of the packages that Triad installs, of what it ships, and of data that it fetches.

    .venv/bin/python benchmarks/licences.py            # writes the page; --check tells whether it lacks something

The licences of packages are those that their own metadata state. Which packages there are depends on the Python, the
system and the day: the page has those of the environment that it was made in, and a test of CI says which are missing.
"""

from __future__ import annotations

import importlib.metadata
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from triad.datasets.published import published_sets

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "LICENSES.md"

UNSTATED: Final = {"py-rust-stemmers": "MIT"}
"""Packages that state no licence in their metadata, with that of their file."""

ELSEWHERE: Final = {
    "aiohappyeyeballs": "PSF-2.0",
    "aiohttp": "Apache-2.0 AND MIT",
    "aiosignal": "Apache-2.0",
    "async-timeout": "Apache-2.0",
    "boto3": "Apache-2.0",
    "botocore": "Apache-2.0",
    "fastuuid": "BSD-3-Clause",
    "frozenlist": "Apache-2.0",
    "h2": "MIT",
    "hpack": "MIT",
    "hyperframe": "MIT",
    "jmespath": "MIT",
    "litellm": "MIT",
    "multidict": "Apache-2.0",
    "propcache": "Apache-2.0",
    "pydantic-settings": "MIT",
    "python-dotenv": "BSD-3-Clause",
    "regex": "Apache-2.0 AND CNRI-Python",
    "s3transfer": "Apache-2.0",
    "six": "MIT",
    "tiktoken": "MIT",
    "yarl": "Apache-2.0",
}
"""The extra ``litellm`` and what it brings, which `make test` does not install, and what the first Pythons of 3.11 need
besides; `make sbom` tells of packages that the page lacks."""

SHIPPED: Final = [
    ("Triad", "Apache-2.0", "all that is not named below"),
    ("WordNet 3.0, a part", "WordNet License", "`triad/language/wordnet`, with its licence"),
    ("Natural Earth, by world-atlas", "public domain", "the outline of the world on the page"),
    ("the demo graph, its documents and its questions", "CC0-1.0", "`configs/demo`"),
    ("the graph of books", "CC0-1.0", "`graph/books.ttl`"),
]


def main() -> None:
    """Write the page, or check it."""
    if "--check" in sys.argv[1:]:
        if missing := missing_packages():
            sys.exit(f"{PAGE.name} lacks {', '.join(missing)}; 'make licences' writes it anew")
        return
    PAGE.write_text(page(), encoding="utf-8")


def missing_packages() -> list[str]:
    """Return the packages that the page lacks."""
    listed = set(re.findall(r"^\| ([\w.-]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    return sorted(needed().keys() - listed)


def needed() -> dict[str, set[str]]:
    """Return all packages that Triad and its extras but ``dev`` need, with the extras that bring them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {"Triad": project["dependencies"], **project["optional-dependencies"]}
    found: dict[str, set[str]] = {}
    for extra, requirements in asked.items():
        if extra == "dev":
            continue
        ahead = [Requirement(text) for text in requirements]
        seen = set()
        while ahead:
            requirement = ahead.pop()
            name = canonicalize_name(requirement.name)
            if name == "triad-kgqa" or (key := (name, frozenset(requirement.extras))) in seen:
                continue
            seen.add(key)
            found.setdefault(name, set()).add(extra)
            ahead += _requirements(name, requirement.extras)
    return found


def _requirements(name: str, extras: set[str]) -> list[Requirement]:
    try:
        texts = importlib.metadata.requires(name) or []
    except importlib.metadata.PackageNotFoundError:
        # Of a part that is not installed here.
        return [Requirement(one) for one in ELSEWHERE if one != name] if name == "litellm" else []
    requirements = map(Requirement, texts)
    return [
        requirement
        for requirement in requirements
        if not requirement.marker or any(requirement.marker.evaluate({"extra": extra}) for extra in {"", *extras})
    ]


def licence(name: str) -> str:
    """Return the licence that a package states."""
    try:
        metadata = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        return ELSEWHERE.get(name, "not installed here")
    [expression] = metadata.get_all("License-Expression") or [""]
    if expression:
        return str(expression)
    [text] = metadata.get_all("License") or [""]
    if text and text != "UNKNOWN" and "\n" not in text and len(text) < 60:
        return str(text)
    classifiers = [line for line in metadata.get_all("Classifier") or [] if line.startswith("License :: ")]
    stated = [line.rpartition(" :: ")[2] for line in classifiers if not line.endswith("OSI Approved")]
    return ", ".join(stated) or UNSTATED.get(name, "not stated")


def page() -> str:
    """Return the page."""
    lines = [
        "# Licences",
        "",
        "Written by `make licences` from what packages state of themselves; nothing here is legal advice.",
        "",
        "## What Triad ships",
        "",
        *table(("what", "licence", "where"), SHIPPED),
        "",
        "The page has these packages built in; their licences in full are in `triad/server/static/LICENSES.txt`.",
        "",
        *table(("package", "licence"), _of_the_page()),
        "",
        "## Packages that are installed with it",
        "",
        *table(
            ("package", "licence", "needed by"),
            [(name, licence(name), ", ".join(sorted(extras))) for name, extras in sorted(needed().items())],
        ),
        "",
        "## Data that it can fetch",
        "",
        "Nothing of these sets is shipped. `triad data get` says the licence before it fetches one.",
        "",
        *table(
            ("set", "licence", "publisher"),
            [(name, one.licence, f"<{one.home}>") for name, one in published_sets().items()],
        ),
        "",
        "Dumps of the recipes in `index/`: DBpedia is CC BY-SA 3.0 and GFDL, Wikidata CC0-1.0, YAGO 4 CC BY-SA 3.0;",
        "YAGO 4.5 has its licence on its page, <https://yago-knowledge.org>.",
    ]
    return "\n".join(lines) + "\n"


def table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Return the lines of a table in Markdown."""
    return [f"| {' | '.join(cells)} |" for cells in [header, tuple("---" for _ in header), *rows]]


def _of_the_page() -> list[tuple[str, ...]]:
    text = (ROOT / "triad" / "server" / "static" / "LICENSES.txt").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"^(\S+) \d[\w.-]* \((.+)\)$", text, re.MULTILINE)))


if __name__ == "__main__":
    main()
