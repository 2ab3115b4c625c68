from __future__ import annotations

import os
from pathlib import Path

import pytest

from triad import resources
from triad.errors import ConfigError, ResourceNotFound


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own in TRIAD_PATH, with a prompt."""
    folder = tmp_path / "mine"
    (folder / "prompts").mkdir(parents=True)
    (folder / "prompts" / "mine.prompt").write_text("my own", encoding="utf-8")
    monkeypatch.setenv("TRIAD_PATH", str(folder))
    return folder


def test_a_shipped_resource_is_found_by_name() -> None:
    assert resources.find("roles", "advisor") == resources.bundled_root() / "roles" / "advisor.yaml"
    assert resources.find("prompts", "parse_question").is_file()


def test_ones_own_folder_is_searched_first(mine: Path) -> None:
    assert resources.find("prompts", "mine") == mine / "prompts" / "mine.prompt"
    (mine / "prompts" / "parse_question.prompt").write_text("other", encoding="utf-8")
    assert resources.read(resources.find("prompts", "parse_question")) == "other"
    assert {"mine", "select_query"} <= resources.available("prompts").keys()


def test_folders_are_searched_in_their_order(mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other"
    (other / "prompts").mkdir(parents=True)
    (other / "prompts" / "mine.prompt").write_text("another's", encoding="utf-8")
    for order, text in (((mine, other), "my own"), ((other, mine), "another's")):
        monkeypatch.setenv("TRIAD_PATH", os.pathsep.join(map(str, order)))
        assert resources.read(resources.find("prompts", "mine")) == text


@pytest.mark.parametrize("value", ["", os.pathsep, "/no/such/folder", f"{os.pathsep}/no/such{os.pathsep}"])
def test_an_empty_path_or_a_missing_folder_does_no_harm(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_PATH", value)
    assert resources.find("roles", "advisor").is_file()


def test_an_empty_path_does_not_mean_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "roles").mkdir()
    (tmp_path / "roles" / "advisor.yaml").write_text("not mine", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIAD_PATH", os.pathsep)
    assert resources.find("roles", "advisor").parent == resources.bundled_root() / "roles"


def test_what_has_a_suffix_or_a_slash_is_a_path(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mine / "prompts")
    for name in ("mine.prompt", "./mine.prompt", str(mine / "prompts" / "mine.prompt"), Path("mine.prompt")):
        assert resources.read(resources.find("prompts", name)) == "my own"


def test_a_home_folder_is_expanded(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(mine))
    assert resources.find("prompts", "~/prompts/mine.prompt").is_file()
    monkeypatch.setenv("TRIAD_PATH", "~")
    assert resources.find("prompts", "mine").is_file()


@pytest.mark.parametrize("kind", resources.SUFFIXES)
def test_an_unknown_name_is_named_with_the_known_ones(kind: str) -> None:
    known = ", ".join(resources.available(kind)) or "none"
    with pytest.raises(ResourceNotFound) as caught:
        resources.find(kind, "no_such_thing")
    assert f"nothing in {kind!r} has the name 'no_such_thing'; known: {known}" in str(caught.value)
    assert "TRIAD_PATH" in str(caught.value)


def test_a_missing_file_is_named_with_the_folder_that_was_looked_in(tmp_path: Path) -> None:
    with pytest.raises(ResourceNotFound, match=f"no file '.*nothing.yaml' .looked in '{tmp_path}'"):
        resources.find("configs", tmp_path / "nothing.yaml")
    with pytest.raises(ResourceNotFound):
        resources.find("configs", tmp_path)


@pytest.mark.parametrize("name", ["", "..", "../roles/advisor", "advisor\n"])
def test_a_name_that_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ResourceNotFound):
        resources.find("roles", name)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"cannot read '.*x\.yaml'"):
        resources.read(path)
    with pytest.raises(ConfigError, match="there is no file"):
        resources.read(tmp_path / "missing.yaml")


def test_the_cache_is_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path))
    assert resources.cache_folder() == tmp_path
    monkeypatch.delenv("TRIAD_CACHE")
    assert resources.cache_folder().is_absolute()


def test_what_is_kept_is_made_once_and_anew_if_it_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path))
    made: list[bytes] = []

    def make() -> bytes:
        made.append(b"few words\n" * 1_000)
        return made[-1]

    assert resources.kept("words", 1, make)[:] == resources.kept("words", 1, make)[:] == made[0]
    assert len(made) == 1
    [path] = (tmp_path / "words").iterdir()
    whole = path.read_bytes()
    for damaged in (b"", b"few", whole[:-1]):
        path.unlink()  # what is mapped into memory must not shrink
        path.write_bytes(damaged)
        assert resources.kept("words", 1, make)[:] == made[0]
    assert len(made) == 4
    resources.kept("words", 2, make)
    assert len(made) == 5, "another key has another file"


def test_what_cannot_be_kept_is_made_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="ascii")
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path / "file"))
    assert resources.kept("words", 1, lambda: b"few")[:] == b"few"


def test_what_a_user_names_is_written_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link, dangling = tmp_path / "far" / "target", tmp_path / "link", tmp_path / "dangling"
    target.write_text("before")
    link.symlink_to(target)
    dangling.symlink_to(tmp_path / "far" / "new")
    for path in (link, dangling):
        with resources.drafted(path, named=True) as draft:
            draft.write_text("after")
            assert draft.parent == target.parent, "beside the target"
        assert path.is_symlink()
        assert path.read_text() == "after"
    with pytest.raises(ZeroDivisionError), resources.drafted(link, named=True) as draft:
        draft.write_text(f"{1 / 0}")
    assert target.read_text() == "after"
    assert {path.name for path in target.parent.iterdir()} == {"target", "new"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_that_a_user_names_is_written_to(tmp_path: Path, linked: bool) -> None:
    pipe = path = tmp_path / "pipe"
    os.mkfifo(pipe)
    if linked:
        path = tmp_path / "link"
        path.symlink_to(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with resources.drafted(path, named=True) as draft:
            draft.write_text("few")
        assert os.read(reader, 9) == b"few"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert path.is_symlink() is linked


def test_a_descriptor_that_a_user_names_is_written_to() -> None:
    reader, writer = os.pipe()
    if not Path(f"/dev/fd/{writer}").exists():
        pytest.skip("this system has no /dev/fd, by which a shell names >(program)")
    with resources.drafted(Path(f"/dev/fd/{writer}"), named=True) as draft:
        draft.write_text("few")
    os.close(writer)
    assert os.read(reader, 9) == b"few"
    os.close(reader)
