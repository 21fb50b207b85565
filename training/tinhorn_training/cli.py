"""The command ``tinhorn``: one sub-command for each module of `tinhorn_training.commands`."""

import os
import sys
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
WRONG_INPUT = 2

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
    try:
        app()
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
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
