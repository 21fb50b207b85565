"""Kuhn poker sits in the registry beside the games of the package, for every test that goes through all games."""

import kuhn  # noqa: F401 - registers itself
