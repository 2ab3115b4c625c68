"""A run's answers as QALD-JSON, which GERBIL takes."""

import json
from pathlib import Path

from triad.datasets.qald import qald_record
from triad.evaluation.folder import RunFolder


def qald(folder: RunFolder) -> str:
    """Return the answers as QALD-JSON: question, query and SPARQL JSON result of each, of its first repetition.

    Raises:
        ConfigError: The folder is not that of a run.
        DataError: A file of it cannot be read.
    """
    name = Path((folder.config().get("dataset") or {}).get("path") or "questions").stem
    questions = [qald_record(one.question, one.answer) for one in folder.records() if one.repetition == 1]
    return json.dumps({"dataset": {"id": name}, "questions": questions}, indent=2, ensure_ascii=False) + "\n"
