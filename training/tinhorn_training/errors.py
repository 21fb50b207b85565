"""Errors that a user can put right."""


class InputError(ValueError):
    """A config, file or argument that will not do. The message is one line that names the cure."""

    exit_code = 2
