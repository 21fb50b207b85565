"""Errors that a user can put right."""


class InputError(ValueError):
    """A config, file or argument that will not do. The message is one line that names the cure."""

    exit_code = 2


def first_line(error: BaseException) -> str:
    """What an error of a library says, in one line."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__
