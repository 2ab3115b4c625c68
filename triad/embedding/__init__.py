"""Embedders: texts in, vectors out; one string opens any of them.

>>> open_embedder("openai:nomic-embed-text@http://localhost:11434/v1")
OpenAIEmbedder('nomic-embed-text', base_url='http://localhost:11434/v1')
"""

from typing import Any

from triad.embedding.embedder import Embedder
from triad.errors import ConfigError
from triad.models.server_options import made, name_and_options

__all__ = ["Embedder", "open_embedder"]

FORMS = (
    "'fastembed:NAME' (such as 'fastembed:sentence-transformers/all-MiniLM-L6-v2'), 'fastembed:FOLDER' with a model's "
    "files, 'fastembed:NAME@FOLDER', 'openai:NAME' or 'openai:NAME@ADDRESS' (such as "
    "'openai:nomic-embed-text@http://localhost:11434/v1')"
)


def open_embedder(source: str | Embedder, **options: Any) -> Embedder:
    """Open an embedder.

    Args:
        source: ``fastembed:NAME`` for a model that fastembed knows, which it downloads once; ``fastembed:FOLDER`` for
            one whose files are in a folder, and ``fastembed:NAME@FOLDER`` for one that it knows and whose files are
            there, both without a network; ``openai:NAME`` and ``openai:NAME@ADDRESS`` for a server that speaks OpenAI's
            protocol. An embedder is returned as it is.
        options: Options of `triad.embedding.fastembed.FastEmbedder` or `triad.embedding.openai.OpenAIEmbedder`.

    Raises:
        ConfigError: No embedder has this form or this option, a package or a file is missing, or there is no key.
        ModelError: The model cannot be fetched or loaded.
    """
    if not isinstance(source, str):
        if options:
            raise ConfigError(f"{source!r} is open already and takes no options, such as {next(iter(options))!r}")
        return source
    kind, _, rest = source.partition(":")
    match kind, rest.strip():
        case "fastembed", name if name:
            from triad.embedding.fastembed import FastEmbedder

            return made(FastEmbedder, name, options)
        case "openai", name if name:
            from triad.embedding.openai import OpenAIEmbedder

            return made(OpenAIEmbedder, *name_and_options(name, options))
        case _:
            raise ConfigError(f"cannot open the embedder {source!r}; an embedder is {FORMS}")
