"""Long tests in parts."""

import pytest


def parts(count: int) -> list:
    """The numbers of the parts; the first alone also runs in CI's second pass, with array bounds checked."""
    return [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, count))]
