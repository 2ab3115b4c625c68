"""What a person does on the page, in a few words."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

__all__ = ["AXE", "answer_to", "box", "findings", "last_turn", "open_place"]

AXE: Final = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
"""The checker of accessibility, which `make web` fetches."""


def box(page: Page) -> Locator:
    """Return the question box."""
    return page.get_by_role("combobox", name="Question")


def last_turn(page: Page) -> Locator:
    """Return the last turn."""
    return page.locator("article.turn").last


def answer_to(page: Page, question: str) -> Locator:
    """Ask, and return the turn once it is there."""
    before = page.locator("article.turn:not(.pending)").count()
    box(page).fill(question)
    box(page).press("Enter")
    expect(page.locator("article.turn:not(.pending)")).to_have_count(before + 1)
    return last_turn(page)


def open_place(page: Page, hash: str) -> None:
    """Go to a place of the page by the part of its address behind #."""
    page.evaluate("hash => { location.hash = hash }", hash)


def findings(page: Page) -> list[tuple[str, list[str]]]:
    """Return the rules of axe that the page breaks, all but the minor ones, each with where."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=AXE)
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (one["id"], [node["html"][:120] for node in one["nodes"]])
        for one in found["violations"]
        if one["impact"] != "minor"
    ]
