"""Fetches a published data set into the folder that configs read: each file is whole when it has its name.

Beside the sets, in ``fetched/``, lies for each of them a record of where its files are from and which checksums they
have: a file that the publisher exchanges is noticed, even where no checksum was published.
"""

import datetime
import json
from functools import partial
from pathlib import Path

from triad.datasets.making import make
from triad.datasets.published import Download, PublishedSet
from triad.errors import ConfigError, DataError
from triad.indexing.downloads import fetch
from triad.indexing.layout import Progress, read_record
from triad.indexing.recipe import checksum
from triad.locks import lock_of, locked
from triad.resources import drafted


def is_there(published: PublishedSet, folder: Path) -> bool:
    """Return whether all files of a set are in the data folder, wherever they are from."""
    return all((folder / name).is_file() for name in published.files)


def get_set(
    name: str,
    published: PublishedSet,
    folder: Path,
    *,
    downloads: Path,
    taken_from: Path | None = None,
    replace: bool = False,
    tell: Progress = lambda *_: None,
) -> list[Path]:
    """Fetch a set; return the files that were made, which are none if all were there.

    What a folder with files of the publisher has (``taken_from``) is not downloaded. With ``replace``, files that are
    there are made anew, also of other downloads than before.

    Raises:
        ConfigError: A file is there that was not fetched, or nothing can be written.
        DataError: A file cannot be fetched, is to be fetched by hand, or is not what it should be.
    """
    if taken_from is not None and not taken_from.is_dir():
        raise ConfigError(f"there is no folder {str(taken_from)!r} to take files from")
    record = folder / "fetched" / f"{name}.json"
    with locked(lock_of(record), f"the data set {name!r}"):
        before = read_record(record)
        there = [path for path in published.files if (folder / path).exists()]
        if not replace:
            if foreign := [path for path in there if path not in before.get("files", {})]:
                raise ConfigError(
                    f"{str(folder / foreign[0])!r} exists, and was not fetched; replace it with --force, or have "
                    "TRIAD_DATA name another folder"
                )
            if len(there) == len(published.files):
                return []
        found = {one.name: _found(one, downloads, taken_from, tell) for one in published.downloads}
        origins = {
            one.name: {"address": one.address, "bytes": path.stat().st_size, "sha256": checksum(path)}
            for one in published.downloads
            for path in [found[one.name]]
        }
        for one, origin in origins.items():
            kept = before.get("downloads", {}).get(one, origin)
            if kept["sha256"] != origin["sha256"] and not replace:
                raise DataError(
                    f"{origin['address']!r} has changed since it was first fetched: its sha256 was {kept['sha256']}, "
                    f"and is {origin['sha256']} now; --force takes it as it is"
                )
        made = {}
        for path, file in published.files.items():
            tell(f"make {path}", 0, None)
            with drafted(folder / path) as draft:
                make(file, [found[one] for one in file.of], draft)
                made[path] = checksum(draft)
        kept_record = {
            "licence": published.licence,
            "home": published.home,
            "fetched": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "downloads": origins,
            "files": made,
        }
        with drafted(record) as draft:
            draft.write_text(json.dumps(kept_record, indent=2) + "\n", encoding="utf-8")
        return [folder / path for path in made]


def _found(one: Download, downloads: Path, taken_from: Path | None, tell: Progress) -> Path:
    """Return a file of the publisher, fetched if that is possible."""
    if taken_from and (given := taken_from / one.name).is_file():
        return fetch(one.model_copy(update={"address": str(given)}), downloads)
    if one.by_hand:
        raise DataError(
            f"{one.name!r} is fetched by hand, from {one.address} : {one.by_hand}. Then name its folder with --from"
        )
    try:
        return fetch(one, downloads, tell=partial(tell, f"fetch {one.name}"))
    except DataError as error:
        raise DataError(
            f"{error}. By hand: fetch {one.address} with a browser or on another machine, as {one.name!r}, and name "
            "its folder with --from"
        ) from error
