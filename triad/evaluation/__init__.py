"""Measuring answers against gold: data sets, runs over them, metrics, reports.

`triad.evaluation.run` runs a config over its data set and keeps everything in a folder. From the folder,
`triad.evaluation.summary` makes a report, which `triad.evaluation.report` describes and writes as tables and
`triad.evaluation.rendering` as a page; `triad.evaluation.comparison` tells two runs apart.

To run, to report and to compare takes the extra ``evaluation``: who only asks loads none of it.
"""

from triad import errors


def need_extra() -> None:
    """Raise a `ConfigError` that says what to install, unless all that measuring takes is there."""
    errors.need_extra("evaluation", "to measure takes", "loky", "numpy", "scipy")
