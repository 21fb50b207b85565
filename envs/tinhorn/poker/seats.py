"""Going around the table."""

from tinhorn.core.kernel import kernel


@kernel
def next_seat(flags, seat, num_seats):
    """The first seat clockwise after ``seat`` whose flag (uint8[6]) is set; -1 if there is none."""
    for step in range(1, num_seats + 1):
        other = (seat + step) % num_seats
        if flags[other] != 0:
            return other
    return -1


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
