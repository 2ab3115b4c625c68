"""The job of a worker process that reads documents, of which some kilobytes may take hours, or all memory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triad.worker.program import Harness, Reply


def main(harness: Harness, root: str, memory: str) -> None:
    """Read documents until there are no more; ``root`` is the folder that Triad lies in."""
    sys.path.append(root)
    from triad.errors import TriadError
    from triad.retrieval.documents.reading import read_document

    harness.limit_memory(int(memory))

    def run(path: str, _: float) -> Reply:
        try:
            return "result", read_document(Path(path))
        except TriadError as error:
            return "result", error

    harness.serve(run)
