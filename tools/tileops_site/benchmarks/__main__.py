"""`python -m tileops_site.benchmarks`."""

import sys

from tileops_site.benchmarks.cli import main

sys.exit(main())
