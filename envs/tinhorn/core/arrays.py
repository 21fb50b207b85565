"""Copying between arrays in kernels."""

from tinhorn.core.kernel import kernel


@kernel
def copy(values, into):
    """Copy an array of the same length: a loop, as Numba takes seconds to compile ``into[:] = values``."""
    for place in range(values.shape[0]):
        into[place] = values[place]
