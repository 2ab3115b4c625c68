"""What tests of the server share: one server of the demo, and clients of it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.server.site import Site, serving, settings


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of the demo that all may ask."""
    with serving(settings(tmp_path_factory.mktemp("server"), limits={"requests_a_minute": None})) as served:
        yield served


@pytest.fixture
def visitor(site: Site) -> Iterator[httpx.Client]:
    """A client with the session of a page."""
    with site.visitor() as client:
        yield client


@pytest.fixture
def stranger(site: Site) -> Iterator[httpx.Client]:
    """A client without a session."""
    with site.stranger() as client:
        yield client
