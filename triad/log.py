"""The log of Triad: quiet, until an application asks for it by ``loguru.logger.enable("triad")``.

The command line and the server do. What an answer has to say, such as a fallback that was taken, is in its notes, too.
"""

from loguru import logger

__all__ = ["logger"]

logger.disable("triad")
