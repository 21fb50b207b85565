"""Writing files so that a crash or a full disk never costs what was there before."""

import os
from pathlib import Path

from tinhorn_training.errors import InputError


class SaveError(InputError):
    """A file could not be written. Whatever had that name before is as it was."""

    exit_code = 1


def write_atomically(path: Path, content: bytes) -> None:
    """Write all of a file or nothing. Raises SaveError."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        draft.unlink(missing_ok=True)
        kept = "; what it held before is intact" if path.exists() else ""
        raise SaveError(f"could not write {path}: {error.strerror or error}{kept}") from None


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":  # elsewhere folders cannot be opened
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
