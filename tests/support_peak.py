"""How much memory a process took at most: printed by programs that tests start."""

from __future__ import annotations

PEAK = """
def peak():
    import re, resource, sys
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Not ru_maxrss: on Linux a new program inherits that from the process that started it.
    with open("/proc/self/status") as file:
        return 1024 * int(re.search(r"VmHWM:\\s*(\\d+)", file.read()).group(1))
"""
"""Source of a function `peak()`: the largest resident size so far, in bytes."""
