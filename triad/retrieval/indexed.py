"""The folder of a graph's index, as tables and passages are made of it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from triad.caching import cached_property
from triad.errors import ConfigError
from triad.kg import INDEX_MARKER
from triad.kg.labels import WELL_KNOWN, Labels
from triad.kg.profile import GraphProfile, read_profile
from triad.rdf import OWL, RDF_TYPE, RDFS
from triad.resources import from_home
from triad.text import without_secrets

EVERYTHING: Final = frozenset({OWL + "Thing", OWL + "NamedIndividual", RDFS + "Resource"})
"""Classes of everything, which tell nothing."""


@dataclass(frozen=True)
class IndexedGraph:
    """A graph in a folder of ``triad index`` that has a store."""

    folder: Path
    store: Path
    description: dict[str, Any]
    """What the build noted of it."""

    @classmethod
    def read(cls, folder: str | Path, what: str) -> Self:
        """Read what a folder has; errors name what is made of its store, as the option of ``triad index`` is called.

        Raises:
            ConfigError: It is no folder of ``triad index``, or has no store.
        """
        path = from_home(folder)
        try:
            description = json.loads((path / INDEX_MARKER).read_text(encoding="utf-8"))
            return cls(path, path / description["store"], description)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigError(
                f"{without_secrets(str(folder))!r} is no folder of 'triad index' with a store, and {what} are made of "
                "a store; index the graph's files, or a dump of what an endpoint holds, as in triad index dump.nt.gz "
                f"--to FOLDER --{what}, and name FOLDER as the graph"
            ) from error

    @cached_property
    def profile(self) -> GraphProfile:
        """What the graph is like; empty if that is not known.

        Raises:
            DataError: It cannot be read.
        """
        return read_profile(self.folder) or GraphProfile()

    @property
    def named_by(self) -> tuple[str, ...]:
        """The relations that hold names, the preferred one first."""
        known = Labels.from_json(self.description.get("label_properties"))
        return (known.all if known else ()) or self.profile.named_by or WELL_KNOWN

    @property
    def typed_by(self) -> tuple[str, ...]:
        """The relations that give things their classes."""
        return self.profile.typed_by or (RDF_TYPE,)
