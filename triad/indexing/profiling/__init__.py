"""How graph profiles are made: from triples as they come, or by asking an endpoint.

`collector` and `endpoint` each count in their own way; both come to the same `figures`, which become a profile.
"""

from triad.indexing.profiling.beside import ProfileBeside
from triad.indexing.profiling.collector import ProfileCollector
from triad.indexing.profiling.endpoint import survey
from triad.indexing.profiling.kept import counted_profile, kept_profile, outdated

__all__ = ["ProfileBeside", "ProfileCollector", "counted_profile", "kept_profile", "outdated", "survey"]
