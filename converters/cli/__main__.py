"""`python -m maxpoolgrad_onnx.converters.cli`: the command line without its entry point."""

import sys

from .main import main

sys.exit(main())
