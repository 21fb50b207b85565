"""Going around the table."""

import numpy as np

from tinhorn.core.bits import lowest_bit
from tinhorn.core.kernel import kernel
from tinhorn.core.lanes import bits, row


@kernel
def clockwise(seat, steps, num_seats):
    """The seat so many steps (0..num_seats) clockwise; a division would cost more than the rest of a decision."""
    other = seat + steps
    return other - num_seats if other >= num_seats else other


@kernel
def relative(seat, looks, num_seats):
    """How many steps clockwise ``seat`` lies from the seat that ``looks``."""
    return seat - looks if seat >= looks else seat - looks + num_seats


@kernel
def next_among(seats, seat, num_seats):
    """The first seat clockwise after ``seat`` among those whose bits are set, itself the last; -1 if there is none."""
    if seats == 0:
        return np.int64(-1)
    return clockwise(seat, 1 + lowest_bit((seats | (seats << num_seats)) >> (seat + 1)), num_seats)


@kernel
def next_seat(flags, seat, num_seats):
    """The first seat clockwise after ``seat`` whose flag, in a field of a state (uint8[6]), is set; -1 for none."""
    return next_among(bits(row(flags)), np.int64(seat), np.int64(num_seats))


@kernel
def count_seats(flags, num_seats):
    """How many flags (uint8[6]) are set."""
    count = 0
    for seat in range(num_seats):
        if flags[seat] != 0:
            count += 1
    return count


@kernel
def first_seat(flags, seat, num_seats):
    """``seat`` itself if its flag is set, else the next one clockwise; -1 if there is none."""
    return seat if flags[seat] != 0 else next_seat(flags, seat, num_seats)
