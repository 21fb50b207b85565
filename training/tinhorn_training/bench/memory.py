"""Memory of the running process."""

import resource
import sys
from pathlib import Path


def peak_mb() -> float:
    """The most megabytes (10^6 bytes) that this process has held so far."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def resident_mb() -> float:
    """The megabytes that this process holds now; the most so far where the system does not say."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return peak_mb()
    return int(statm.read_text().split()[1]) * resource.getpagesize() / 1e6
