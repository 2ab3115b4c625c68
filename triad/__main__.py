"""``python -m triad``: the command line."""

from triad.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
