"""``tinhorn serve``"""

import copy
import errno
import socket
from typing import Annotated, Any

import typer

from tinhorn.bots import BY_RULE, load
from tinhorn_training.errors import InputError


def serve(
    bot: Annotated[str, typer.Argument(help="An exported bot, a bot that comes along, or a checkpoint.")],
    host: Annotated[
        str, typer.Option(help="Where to listen: 127.0.0.1 is this machine only, 0.0.0.0 all that reach it.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    players: Annotated[
        int | None, typer.Option("--players", "-n", help="Take only tables of this size.", show_default=False)
    ] = None,
    origin: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="A web page's origin whose scripts may ask; repeatable.")
    ] = None,
) -> None:
    """Answer for a bot over HTTP, for frontends in any language; on 127.0.0.1 unless told otherwise.

    Example: tinhorn serve my_bot --port 8000
    """
    try:
        import fastapi  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise InputError(
            f"tinhorn serve needs the serve extra: in a clone of Tinhorn, pip install '.[serve]' ({error})"
        ) from None
    from tinhorn_training.serve import make_app, servable

    if bot.partition(":")[0] in BY_RULE:
        raise InputError(f"{bot} cannot be served: name an exported bot, one that comes along, or a checkpoint")
    served = servable(load(bot))
    app = make_app(served, players=players, origins=origin or ())
    if players is not None and served.players and players not in served.players:
        print(f"{bot} was trained for {', '.join(map(str, served.players))} players, not for {players}")
    with _listen(host, port) as listening:
        where = f"[{host}]" if ":" in host else host
        print(
            f"{bot} ({served.game.id}) answers at http://{where}:{listening.getsockname()[1]}; Ctrl-C stops it",
            flush=True,
        )
        uvicorn.Server(uvicorn.Config(app, log_config=_short_log())).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises InputError."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        what = {
            errno.EADDRINUSE: "something listens there already; try another --port",
            errno.EACCES: "this user may not; try a --port of 1024 or more",
        }.get(error.errno or 0, "give --host an address of this machine")
        raise InputError(f"cannot listen at {host}, port {port}: {what}") from None


def _short_log() -> dict[str, Any]:
    """uvicorn's log: a short line for each request, and what went wrong."""
    from uvicorn.config import LOGGING_CONFIG

    config = copy.deepcopy(LOGGING_CONFIG)
    config["formatters"]["access"] |= {"fmt": "%(asctime)s %(request_line)s %(status_code)s", "datefmt": "%H:%M:%S"}
    for name in ("uvicorn", "uvicorn.error"):
        config["loggers"][name]["level"] = "WARNING"
    return config
