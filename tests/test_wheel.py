"""The wheel and the source archive: the same sources give the same bytes, and all that is shipped is in them.

`.ci/try_wheel.py` installs and uses the wheel; it needs a package index, and no test does.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = [
    pytest.mark.slow(10),
    pytest.mark.skipif(
        not (importlib.util.find_spec("build") and importlib.util.find_spec("hatchling")),
        reason="build and hatchling are not installed; pip install 'triad-kgqa[dev]' has them",
    ),
]


def built(sources: Path, to: Path, *options: str) -> dict[str, bytes]:
    """Build, and return what was made, by its name."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(to), *options, str(sources)]
    # As on another machine: the folder of the sources is not the current one, and nothing else is imported from there.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=to.parent)
    assert run.returncode == 0, run.stdout + run.stderr
    return {path.name: path.read_bytes() for path in to.iterdir()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """The folder of the built files, and their bytes."""
    folder = tmp_path_factory.mktemp("first") / "dist"
    return folder, built(ROOT, folder)


def test_the_same_sources_give_the_same_bytes_elsewhere_and_later(
    made: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    folder, first = made
    [archive] = folder.glob("*.tar.gz")
    subprocess.run(["tar", "-xf", archive, "-C", tmp_path], check=True)
    [sources] = tmp_path.iterdir()
    (sources / "PKG-INFO").unlink()  # which is of the archive, not of the sources
    for path in sources.rglob("*"):
        os.utime(path, (1_600_000_000, 1_600_000_000))
    umask = os.umask(0o077)
    try:
        again = built(sources, tmp_path / "dist")
    finally:
        os.umask(umask)
    assert sorted(again) == sorted(first)
    for name, content in first.items():
        assert again[name] == content, name


def test_the_wheel_has_all_that_is_shipped_and_nothing_else(made: tuple[Path, dict[str, bytes]]) -> None:
    [wheel] = made[0].glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for kind in ("roles", "prompts", "index", "configs", "graph"):
        for path in (ROOT / kind).rglob("*"):
            assert path.is_dir() or f"triad/_bundled/{path.relative_to(ROOT)}" in names
    assert {"triad/py.typed", "triad/language/wordnet/en.zst", "triad/datasets/published.yaml"} <= names
    assert {name.split("/")[0] for name in names} == {"triad", next(name for name in names if "METADATA" in name)[:-9]}
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def test_the_source_archive_has_no_leftovers(made: tuple[Path, dict[str, bytes]]) -> None:
    [archive] = made[0].glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = [name.partition("/")[2] for name in packed.getnames()]
    assert {"LICENSE", "LICENSES.md", "CITATION.cff", "graph/books.ttl", "tests/test_wheel.py"} <= set(names)
    for leftover in ("__pycache__", "node_modules/", ".venv/", ".services/", "runs/", ".egg-info"):
        assert not [name for name in names if leftover in name]


def test_what_is_tried_of_the_wheel_is_there_to_try() -> None:
    """The script needs an index, but its list of modules does not."""
    specification = importlib.util.spec_from_file_location("try_wheel", ROOT / ".ci" / "try_wheel.py")
    assert specification is not None
    assert specification.loader is not None
    script = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(script)
    for modules in script.FEATURES.values():
        for module in modules.split(", "):
            assert importlib.util.find_spec(module), module
    assert shutil.which("python3") is None or script._python("2.0") is None
