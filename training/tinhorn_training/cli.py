"""The command ``tinhorn``: one sub-command for each module of `tinhorn_training.commands`."""

import errno
import io
import os
import sys
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from pkgutil import iter_modules
from typing import Annotated

try:
    import typer
except ImportError:
    raise SystemExit(
        "the command `tinhorn` needs the train extra: in a clone of Tinhorn, pip install torch==2.13.0 '.[train]'; "
        "for `tinhorn serve` alone, pip install '.[serve]'"
    ) from None

from tinhorn.bots import BotError
from tinhorn.core.game import UnknownGameError
from tinhorn.core.layout import ViewError
from tinhorn.core.options import OptionError
from tinhorn.core.replay_text import ReplayError
from tinhorn.core.table import ChanceError, IllegalActionError
from tinhorn_training import commands
from tinhorn_training.errors import InputError

# What a user can put right: shown as one line, without a traceback.
EXPECTED = (
    InputError,
    BotError,
    UnknownGameError,
    OptionError,
    ViewError,
    ChanceError,
    IllegalActionError,
    ReplayError,
)
FAILED, WRONG_INPUT = 1, 2
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # what a full or broken disk answers

app = typer.Typer(
    name="tinhorn",
    help="Card games with hidden hands: train opponents by self-play, evaluate them, export them, play them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _module in iter_modules(commands.__path__):
    _command = getattr(import_module(f"{commands.__name__}.{_module.name}"), _module.name)
    app.command(_module.name.replace("_", "-"))(_command)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"tinhorn {version('tinhorn')}")
        raise typer.Exit


@app.callback()
def _root(
    _: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line. Exit codes: 0 done, 1 failed, 2 wrong input, 130 interrupted."""
    # Threads that wait in a loop make two of them ten times slower than one where other programs run.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    _write_anything()
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # here a full disk can still be named
    except EXPECTED as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(getattr(error, "exit_code", WRONG_INPUT))
    except ModuleNotFoundError as error:
        if (error.name or "tinhorn").startswith("tinhorn"):
            raise
        cure = "in a clone of Tinhorn, pip install torch==2.13.0 '.[train]'"
        print(f"error: this needs the train extra ({error}): {cure}", file=sys.stderr)
        sys.exit(WRONG_INPUT)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # `tinhorn games | head`
        _drop_output()
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        _drop_output()
        with suppress(OSError):
            print(
                f"error: the output cannot be written: {error.strerror}; make room, or write elsewhere", file=sys.stderr
            )
        sys.exit(FAILED)


def _write_anything() -> None:
    """Signs that the terminal's encoding lacks become question marks; in UTF-8, file names stay the bytes they are."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="surrogateescape" if stream.encoding.lower().startswith("utf") else "replace")


def _drop_output() -> None:
    """Nothing more is written, so that Python's own flush at the end cannot fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
