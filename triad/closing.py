"""What holds something until it is closed, and is closed at the end of a ``with`` block."""

from typing import Self


class Closing:
    """Something to close; by default it holds nothing."""

    def close(self) -> None:
        """Free what is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
