"""`python -m snippetlock`."""

import sys

from snippetlock.cli import main

if __name__ == "__main__":
    sys.exit(main())
