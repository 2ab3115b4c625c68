"""The log of Triad: quiet, until an application asks for it by ``loguru.logger.enable("triad")``, as its command line does."""

from loguru import logger

__all__ = ["logger"]

logger.disable("triad")
