from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from triad.errors import ConfigError
from triad.locks import lock_of, locked, remove_abandoned

HOLDER = """
import sys
from pathlib import Path
from triad.locks import locked
with locked(Path(sys.argv[1]), "the folder"):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline() == b"held\n"
    return process


@pytest.mark.slow(0.2)
def test_what_another_process_holds_is_refused_with_its_number(tmp_path: Path) -> None:
    with holder(tmp_path / "lock") as other:
        with (
            pytest.raises(ConfigError, match=f"another process, {other.pid}, is writing to the folder"),
            locked(tmp_path / "lock", "the folder"),
        ):
            pass
        other.communicate(b"")
    with locked(tmp_path / "lock", "the folder"):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow(0.1)
def test_the_lock_of_a_process_that_was_killed_is_free(tmp_path: Path) -> None:
    with holder(tmp_path / "lock") as other:
        other.kill()
        other.communicate()
    with locked(tmp_path / "lock", "the folder"):
        assert (tmp_path / "lock").read_text() == str(os.getpid())
    assert list(tmp_path.iterdir()) == []


def test_threads_wait_for_each_other_if_they_are_told_to(tmp_path: Path) -> None:
    inside, most = 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(5):
            with locked(tmp_path / "lock", "the folder", wait=True):
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_what_cannot_be_locked_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    nowhere = [Path("/proc/lock")] if sys.platform == "linux" else []
    for path in (tmp_path / "file" / "lock", *nowhere):
        for wait in (False, True):
            with pytest.raises(ConfigError, match="cannot lock the folder"), locked(path, "the folder", wait=wait):
                pass


def test_a_lock_that_is_a_link_is_named_and_stays(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept", encoding="ascii")
    (tmp_path / "lock").symlink_to(tmp_path / "file")
    with pytest.raises(ConfigError, match=r"lock' is a link to '.*file'"), locked(tmp_path / "lock", "the folder"):
        pass
    assert (tmp_path / "file").read_text(encoding="ascii") == "kept"


def test_only_what_nobody_works_on_is_abandoned(tmp_path: Path) -> None:
    for name in ("one.tmp", "two.tmp", "kept"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
    with locked(lock_of(tmp_path / "two.tmp"), "it"):
        remove_abandoned(tmp_path, "*.tmp")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "two.tmp"]
