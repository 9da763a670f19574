"""Packages for CANN are built and installed on Linux; elsewhere there is nothing of theirs to test."""

from __future__ import annotations

import sys

collect_ignore = [] if sys.platform == "linux" else ["test_build_script.py", "test_package.py"]
