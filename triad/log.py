"""The log of Triad, which is loguru's: quiet, until an application asks for it.

It asks by the `logger` of this module, ``logger.enable("triad")``, as the command line and the server do: what was
enabled before this module was imported is quiet again. What an answer has to say, such as a fallback that was taken, is
in its notes, too.
"""

from loguru import logger

__all__ = ["logger"]

logger.disable("triad")
