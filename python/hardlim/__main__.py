"""``python -m hardlim`` is the command line."""

from ._command import main

main()
