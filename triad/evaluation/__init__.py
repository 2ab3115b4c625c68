"""Measuring answers against gold: data sets, runs over them, metrics, reports.

`triad.evaluation.run` runs a config over its data set and keeps everything in a folder. From the folder,
`triad.evaluation.summary` makes a report, which `triad.evaluation.report` describes and writes as tables and
`triad.evaluation.rendering` as a page; `triad.evaluation.comparison` tells two runs apart.

All of it needs the extra ``evaluation``: who only asks loads none of it.
"""

from importlib.util import find_spec

from triad.errors import ConfigError

if _missing := [name for name in ("loky", "numpy", "scipy") if find_spec(name) is None]:
    raise ConfigError(f"to measure takes {' and '.join(_missing)}: pip install 'triad-kgqa[evaluation]'")
