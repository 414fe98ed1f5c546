"""``python -m readmark``."""

from readmark.cli.main import main

main()
