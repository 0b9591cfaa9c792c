"""`python -m rankwright` is the command."""

from rankwright.cli.main import main

main()
