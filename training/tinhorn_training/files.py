"""Writing files so that a crash or a full disk never costs what was there before, and by one process at a time."""

import os
import sys
from pathlib import Path
from typing import BinaryIO

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


def lock(path: Path) -> BinaryIO | None:
    """The file, made where it is missing and locked until it is closed or the process ends, however it ends.

    None: another one holds the lock. Where a file system knows no locks, it is not locked. Raises OSError.
    """
    file = path.open("ab")
    if _lock(file.fileno()):
        return file
    file.close()
    return None


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass
        return True


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":  # elsewhere folders cannot be opened
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
