"""The profile of a graph, kept in Elasticsearch in an index of its own: ``dbpedia-profile``."""

from __future__ import annotations

import base64
import gzip
from typing import Any, Final

from elasticsearch import Elasticsearch

from triad.errors import DataError, SearchError
from triad.kg.profile import GraphProfile, unpacked

_ID: Final = "profile"
_MAPPING: Final[dict[str, Any]] = {
    "dynamic": False,
    "_meta": {"triad": {"holds": "profile"}},
    "properties": {"profile": {"type": "binary"}},
}
_SETTINGS: Final = {"number_of_shards": 1, "number_of_replicas": 0, "auto_expand_replicas": "0-1"}


def _name(index: str) -> str:
    return f"{index}-profile"


def save(client: Elasticsearch, index: str, profile: GraphProfile) -> None:
    """Put the profile that goes with an index in the place of an earlier one.

    Raises:
        SearchError: There is an index of that name which is somebody else's.
    """
    name = _name(index)
    if not client.indices.exists(index=name):
        client.indices.create(index=name, mappings=_MAPPING, settings=_SETTINGS)
    found = client.indices.get_mapping(index=name)
    if any("triad" not in about["mappings"].get("_meta", {}) for about in found.values()):
        raise SearchError(f"the index {name!r} is somebody else's; the profile of {index!r} has no place to go")
    packed = base64.b64encode(gzip.compress(profile.to_json().encode(), 4, mtime=0)).decode()
    client.index(index=name, id=_ID, document={"profile": packed}, refresh=True)


def load(client: Elasticsearch, index: str) -> GraphProfile | None:
    """Return the profile that goes with an index, or None; a `DataError` if it cannot be read."""
    answer = client.options(ignore_status=404).get(index=_name(index), id=_ID)
    if answer.meta.status == 404 or not answer.get("found"):
        return None
    try:
        packed = base64.b64decode(answer["_source"]["profile"])
    except (KeyError, ValueError) as error:
        raise DataError(f"cannot read the profile in the index {_name(index)!r}: {error}") from error
    return unpacked(packed, f"the profile in the index {_name(index)!r}")
