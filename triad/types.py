"""Where `triad.rdf`, `triad.questions`, `triad.trace` and `triad.answers` were in 0.1; goes with version 2."""

import warnings
from typing import Any

from triad import answers, questions, rdf, trace


def __getattr__(name: str) -> Any:
    modules = () if name.startswith("_") else (rdf, questions, trace, answers)
    module = next((one for one in modules if hasattr(one, name)), None)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(f"triad.types.{name} is {module.__name__}.{name} now", DeprecationWarning, stacklevel=2)
    return getattr(module, name)
