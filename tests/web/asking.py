"""What a person does on the page, in a few words."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

__all__ = ["answer_to", "box", "last_turn", "open_place"]


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
