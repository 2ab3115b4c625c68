"""A library says nothing that it was not asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "extend.md"
CODE = """
from contextlib import suppress
import triad
{asked}
with triad.Agent("{graph}") as agent:
    print(agent.ask("Who founded Intel?", min_confidence=0).confidence)
    with suppress(triad.AnswerError):
        agent.ask("What is the blood type of Gordon Moore?")
"""
ASKED = "from triad.log import logger", 'logger.enable("triad")'


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that is empty for the first program, which makes all that there is to make."""
    return tmp_path_factory.mktemp("cache")


@pytest.mark.slow(3)
@pytest.mark.parametrize(("asked", "says"), [((), False), (ASKED, True)])
def test_the_log_is_quiet_unless_asked_for(
    asked: tuple[str, ...], says: bool, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    from triad.resources import bundled_root

    monkeypatch.setenv("TRIAD_CACHE", str(cache))
    (cache / "no_model_said").unlink(missing_ok=True)  # or it is not said again on that day
    graph = bundled_root() / "configs" / "demo" / "graph.ttl"
    code = CODE.format(asked="\n".join(asked), graph=graph)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ("no language model is configured" in done.stderr) is says
    assert says or not done.stderr
    assert all(f"`{line}`" in PAGE.read_text(encoding="utf-8") for line in asked)
