"""Opening embedders, keeping vectors, comparing texts; the model is a real one, no network is used."""

from __future__ import annotations

import importlib.util
import json
import math
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import pytest

from triad.embedding import Embedder, open_embedder
from triad.embedding.cache import CachedEmbedder
from triad.embedding.vectors import Vectors
from triad.errors import ConfigError, ModelError

NAME = "sentence-transformers/all-MiniLM-L6-v2"


class Counting(Embedder):
    """Texts lie close together that begin alike: wife and widow, not wife and river."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked.append(list(texts))
        return [[float(text[:1] == letter) for letter in "rwxyz"] for text in texts]


@pytest.fixture
def counting() -> Counting:
    return Counting()


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def cosine(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True)) / (math.hypot(*one) * math.hypot(*other))


# Opening --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("source", ["fastembed:{folder}", "fastembed:" + NAME + "@{folder}"])
def test_a_folder_is_opened_without_a_network(minilm: Path, source: str) -> None:
    with open_embedder(source.format(folder=minilm)) as embedder:
        spouse, wife, place = embedder.embed(["spouse", "wife", "birth place"])
    assert len(spouse) == 384
    assert cosine(spouse, wife) > 0.8 > 0.4 > cosine(spouse, place)


@pytest.mark.slow(0.4)
def test_no_text_has_no_vector_and_half_a_character_has_one(minilm: Path) -> None:
    embedder = open_embedder(f"fastembed:{minilm}")
    assert embedder.embed([]) == []
    assert len(embedder.embed(["a\ud800b", ""])) == 2


@pytest.mark.slow
def test_many_texts_keep_their_order(minilm: Path) -> None:
    embedder = open_embedder(f"fastembed:{minilm}")
    texts = [f"{'very ' * (number % 7)}long river {number}" for number in range(300)]
    vectors = embedder.embed(texts)
    assert len(vectors) == 300
    assert cosine(vectors[299], embedder.embed([texts[299]])[0]) > 0.98  # int8: the batch has a say in it


@pytest.mark.slow(0.2)
def test_threads_share_an_embedder(minilm: Path) -> None:
    embedder = open_embedder(f"fastembed:{minilm}")
    alone = embedder.embed(["spouse"])
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(embedder.embed, [["spouse"]] * 8)) == [alone] * 8


@pytest.mark.slow(0.1)
def test_the_fingerprint_tells_the_files_of_a_folder_apart(minilm: Path) -> None:
    embedder = open_embedder(f"fastembed:{minilm}")
    assert embedder.name == f"fastembed:{minilm}"
    assert str((minilm / "model.onnx").stat().st_size) in embedder.fingerprint


@pytest.mark.slow
def test_the_pooling_of_a_folder_is_read(minilm: Path, tmp_path: Path) -> None:
    for file in minilm.iterdir():
        (tmp_path / file.name).symlink_to(file)
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}), encoding="utf-8")
    [first] = open_embedder(f"fastembed:{tmp_path}").embed(["spouse of a king"])
    [mean] = open_embedder(f"fastembed:{minilm}").embed(["spouse of a king"])
    assert cosine(first, mean) < 0.99


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("word2vec:x", "cannot open the embedder 'word2vec:x'; an embedder is 'fastembed:NAME'"),
        ("fastembed:", "cannot open the embedder 'fastembed:'"),
        ("fastembed:./nowhere", "names a folder that does not exist"),
        ("fastembed:" + NAME + "@nowhere", "there is no folder 'nowhere'"),
        ("fastembed:no-such-model", "fastembed has no model 'no-such-model', and there is no such folder; it has"),
        ("openai:text-embedding-3-small", "needs a key"),
    ],
)
def test_what_cannot_be_opened_is_said(source: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        open_embedder(source)


def test_a_folder_that_is_none_of_a_model_names_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"it lacks model\.onnx, tokenizer_config\.json"):
        open_embedder(f"fastembed:{tmp_path}")


def test_a_broken_model_is_said(tmp_path: Path) -> None:
    for name in ("model.onnx", "tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError, match=r"cannot be loaded: .*; are its files whole"):
        open_embedder(f"fastembed:{tmp_path}")


def test_a_missing_package_is_said_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec

    def missing(name: str, *rest: Any) -> Any:
        return None if name == "fastembed" else found(name, *rest)

    monkeypatch.setattr("triad.errors.find_spec", missing)
    with pytest.raises(ConfigError, match=r"pip install 'triad-kgqa\[dense\]'"):
        open_embedder(f"fastembed:{NAME}")


def test_an_open_embedder_is_returned_as_it_is(counting: Counting) -> None:
    assert open_embedder(counting) is counting
    with pytest.raises(ConfigError, match="is open already"):
        open_embedder(counting, threads=2)


def test_an_unknown_option_is_said() -> None:
    with pytest.raises(ConfigError, match="has no option 'thread'; it takes api_key, api_key_file, base_url"):
        open_embedder("openai:m@http://localhost:1/v1", thread=2)


# Keeping --------------------------------------------------------------------------------------------------


def test_vectors_are_kept_on_disk(counting: Counting, tmp_path: Path) -> None:
    first = CachedEmbedder(counting, tmp_path)
    vectors = first.embed(["wife", "river", "wife"])
    assert counting.asked == [["wife", "river"]]
    again = CachedEmbedder(counting, tmp_path)
    assert again.embed(["river", "wife", "xylophone"]) == [vectors[1], vectors[0], [0, 0, 1, 0, 0]]
    assert counting.asked[1:] == [["xylophone"]]
    assert (again.name, again.fingerprint) == (counting.name, counting.fingerprint)


def test_vectors_of_another_embedder_are_not_taken(counting: Counting, tmp_path: Path) -> None:
    CachedEmbedder(counting, tmp_path).embed(["wife"])
    other = Counting()
    other.name = "other"
    CachedEmbedder(other, tmp_path).embed(["wife"])
    assert other.asked == [["wife"]]


def test_a_damaged_entry_is_embedded_again(counting: Counting, tmp_path: Path) -> None:
    cached = CachedEmbedder(counting, tmp_path)
    cached._cache.set(cached.fingerprint, "wife", text="not base64!")
    assert cached.embed(["wife"]) == [[0, 1, 0, 0, 0]]


# Comparing ------------------------------------------------------------------------------------------------


def test_texts_are_compared_by_the_cosine(counting: Counting) -> None:
    alike = Vectors(counting).alike(["wife", "river"], ["widow", "rhine", "x"])
    assert alike.tolist() == [[1, 0, 0], [0, 1, 0]]


def test_a_text_is_embedded_once_as_long_as_it_is_used(counting: Counting) -> None:
    vectors = Vectors(counting, kept=2)
    vectors.of(["wife", "river", "wife"])
    vectors.of(["wife", "x"])
    vectors.of(["wife", "river"])
    assert counting.asked == [["wife", "river"], ["x"], ["river"]]


def test_a_vector_of_nothing_is_like_nothing(counting: Counting) -> None:
    assert Vectors(counting).alike(["none"], ["none", "wife"]).tolist() == [[0, 0]]
