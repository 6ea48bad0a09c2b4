"""The ``hardlim`` command: the command line, from the compiled part."""

import sys

from ._hardlim import command


def main() -> None:
    """Run the command line with the arguments of this process, and end the process."""
    sys.exit(command(["hardlim", *sys.argv[1:]]))
