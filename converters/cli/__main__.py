"""`python -m maxpoolgrad_onnx.converters.cli`: the command line without its entry point."""

from .main import main

main()
