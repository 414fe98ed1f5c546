"""``python -m readmark``."""

from readmark.cli.main import main

if __name__ == "__main__":
    main()
