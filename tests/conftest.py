"""For all tests: Kuhn poker sits in the registry beside the games of the package, and Ctrl-C interrupts."""

import signal

import kuhn  # noqa: F401 - registers itself

# Run in the background of a script, pytest and all that it starts would ignore Ctrl-C, of which some tests are about.
signal.signal(signal.SIGINT, signal.default_int_handler)
