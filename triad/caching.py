"""Properties that are worked out once.

What one object waits for, the answer of a server or a file, holds no other object up. Two threads that ask one object
at once may both work it out, and the later result stays.
"""

import functools
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801  # named as what it stands for
        """As in Python 3.12: in 3.11 one lock is held for all objects of a class while one works its property out."""

        def __init__(self, func: Any) -> None:
            super().__init__(func)
            self.lock = nullcontext()
