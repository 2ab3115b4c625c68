"""Embedders on this machine, by fastembed and onnxruntime: no key, and no network once the model is there."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from triad.embedding.embedder import Embedder
from triad.errors import ConfigError, ModelError, need_extra
from triad.resources import cache_folder, found_at, from_home
from triad.text import one_line, writable

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_FILES: Final = ("tokenizer.json", "tokenizer_config.json")
_MODELS: Final = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx")
"""Where the model itself may lie in its folder, by what exporters call it."""
_POOLING: Final = {
    "pooling_mode_mean_tokens": "MEAN",
    "pooling_mode_cls_token": "CLS",
    "pooling_mode_lasttoken": "LAST_TOKEN",
}
"""How the vectors of tokens become one, as sentence-transformers writes it down."""
_BATCH: Final = 128  # texts that are embedded at once; the longest of them decides how long each takes
_REGISTERING = threading.Lock()


class FastEmbedder(Embedder):
    """An embedder of fastembed's.

    >>> FastEmbedder("sentence-transformers/all-MiniLM-L6-v2").embed(["wife", "spouse"])  # doctest: +SKIP
    """

    def __init__(self, source: str, *, threads: int | None = None) -> None:
        """Load a model, which is downloaded before where it is known by name only.

        Args:
            source: The name of a model that fastembed knows; a folder with the files of a model, as its export to ONNX
                writes them; or both, as ``NAME@FOLDER``. Of a folder alone, the vectors of tokens are averaged unless a
                file of sentence-transformers in it, ``1_Pooling/config.json``, says otherwise.
            threads: Threads that a call may use; by default one for each core.

        Raises:
            ConfigError: The package is missing, it knows no such model, or the folder lacks a file.
            ModelError: The model cannot be downloaded or loaded.
        """
        need_extra("dense", f"the embedder 'fastembed:{source}' takes", "fastembed")
        self.name = f"fastembed:{source}"
        name, at, place = ("", "", source) if found_at(from_home(source)) == "folder" else source.rpartition("@")
        folder = from_home(place)
        self._file: Path | None = None
        if at or found_at(folder) == "folder":
            self._file = _model_file(folder)
            self._model = self._load(name or _register(folder, self._file), folder, threads)
        elif source.startswith((".", "/", "~")):
            raise ConfigError(f"the embedder {self.name!r} names a folder that does not exist")
        else:
            self._model = self._load(source, None, threads)

    def __repr__(self) -> str:
        return f"FastEmbedder({self.name.removeprefix('fastembed:')!r})"

    @property
    def fingerprint(self) -> str:
        """The name; of files in a folder with their size and age, too."""
        if self._file is None:
            return self.name
        about = self._file.stat()
        return f"{self.name} {about.st_size} {about.st_mtime_ns}"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text; raises a `ModelError` if onnxruntime failed, for lack of memory perhaps."""
        readable = list(map(writable, texts))
        try:
            return [vector.tolist() for vector in self._model.embed(readable, batch_size=_BATCH)]
        except Exception as error:  # onnxruntime's errors have no class in common
            why = one_line(str(error) or type(error).__name__, 300)
            raise ModelError(f"the embedder {self.name!r} failed: {why}") from error

    def _load(self, name: str, folder: Path | None, threads: int | None) -> TextEmbedding:
        from fastembed import TextEmbedding

        known = [model["model"] for model in TextEmbedding.list_supported_models()]
        if name.lower() not in map(str.lower, known):
            some = ", ".join(sorted(known)[:60])
            raise ConfigError(f"fastembed has no model {name!r}, and there is no such folder; it has {some}")
        options: dict[str, Any] = {"threads": threads}
        if folder is not None:
            options |= {"specific_model_path": str(folder), "local_files_only": True}
        else:
            options["cache_dir"] = os.environ.get("FASTEMBED_CACHE_PATH") or str(cache_folder() / "models")
        try:
            return TextEmbedding(name, **options)
        except Exception as error:  # those of the download, of files and of onnxruntime have no class in common
            way = "are its files whole?" if folder else "is there a network? A folder with its files works without"
            why = one_line(str(error) or type(error).__name__, 300)
            raise ModelError(f"the embedder {self.name!r} cannot be loaded: {why}; {way}") from error


def _model_file(folder: Path) -> Path:
    """Return the file of the model in a folder that has all files."""
    if found_at(folder) != "folder":
        raise ConfigError(f"there is no folder {str(folder)!r} with the files of an embedder")
    found = next((folder / name for name in _MODELS if (folder / name).is_file()), None)
    missing = [name for name in _FILES if not (folder / name).is_file()]
    if found is None:
        missing.insert(0, _MODELS[0])
    if missing or found is None:
        raise ConfigError(f"the folder {str(folder)!r} is not that of an embedder: it lacks {', '.join(missing)}")
    return found


def _register(folder: Path, file: Path) -> str:
    """Tell fastembed of a model in a folder, and return the name that it knows it by from then on."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    name = f"triad/{hashlib.sha256(str(folder.absolute()).encode()).hexdigest()[:16]}"
    with _REGISTERING:
        if name not in {model["model"] for model in TextEmbedding.list_supported_models()}:
            said = _json(folder / "1_Pooling" / "config.json")
            pooling = next((pooling for key, pooling in _POOLING.items() if said.get(key)), "MEAN")
            TextEmbedding.add_custom_model(
                model=name,
                pooling=PoolingType(pooling),
                normalization=True,
                sources=ModelSource(hf=name),  # which is never asked for it
                dim=int(_json(folder / "config.json").get("hidden_size", 0)),
                model_file=file.relative_to(folder).as_posix(),
            )
    return name


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {str(path)!r}: {error}") from error
    return found if isinstance(found, dict) else {}
