"""`python -m sandtable` is the command line."""

import sys

from sandtable.cli import main

sys.exit(main())
