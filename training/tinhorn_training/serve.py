"""A bot over HTTP, for frontends that cannot run onnxruntime or have no engine of the game. Needs the ``serve`` extra.

`make_app` is the whole service; ``tinhorn serve`` runs it with uvicorn. It keeps nothing between two requests: a
frontend keeps its game as a replay and sends all of it. Requests are answered one after the other.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from tinhorn.bots import Bot
from tinhorn.bots.exported import GREEDY, SAMPLED, ExportedBot, table_facts
from tinhorn.core.driver import warm_up
from tinhorn.core.game import Game
from tinhorn.core.layout import ViewError
from tinhorn.core.replay import Replay
from tinhorn.core.replay_text import ReplayError
from tinhorn.core.table import Table
from tinhorn_training.errors import InputError

WRONG = 422
_NO_OBJECT = "send a JSON object, with the header Content-Type: application/json"


class Served(Bot, Protocol):
    """A network as a bot: an `ExportedBot` or a checkpoint. ``players`` are the table sizes that it learnt."""

    game: Game
    greedy: bool

    @property
    def players(self) -> list[int]: ...

    def choose(self, table: Mapping[str, Any], legal: Sequence[int], uniform: float | None = None) -> dict[str, Any]:
        """See `ExportedBot.choose`."""
        ...


class MoveAsked(BaseModel):
    """What ``POST /move`` takes: see `ExportedBot.choose`."""

    model_config = ConfigDict(extra="forbid")
    table: dict[str, Any]
    legal: list[Any]
    uniform: Annotated[float, Field(ge=0, le=1)] | None = None


class TableAsked(BaseModel):
    """What ``POST /table`` takes: a replay, as its text or as the JSON that the text holds, and who looks."""

    model_config = ConfigDict(extra="forbid")
    replay: str | dict[str, Any]
    seat: int | None = None


class Problem(BaseModel):
    """The body of every answer that is an error."""

    detail: str


def make_app(bot: Bot, *, players: int | None = None, origins: Sequence[str] = ()) -> FastAPI:
    """The service of an exported bot or a checkpoint.

    Args:
        bot: what `tinhorn.bots.load` gives for a bundle, a shipped bot or a checkpoint.
        players: take only replays with so many seats; None takes all.
        origins: origins of web pages, as in ``"http://localhost:5173"``, whose scripts may ask; ``"*"`` is any.

    Raises:
        InputError: another kind of bot. OptionError: the game has no table of that size.
    """
    served = servable(bot)
    game = served.game
    warm_up(game)
    if players is not None:
        game.options.make({"num_players": players})
    app = FastAPI(title=f"{bot.name}, {game.id}", responses={WRONG: {"model": Problem}})
    app.add_middleware(CORSMiddleware, allow_origins=list(origins), allow_methods=["*"], allow_headers=["*"])
    for error in (ViewError, ReplayError, InputError, RequestValidationError):
        app.add_exception_handler(error, _refuse)

    @app.get("/", response_class=PlainTextResponse)
    async def help_line() -> str:
        return (
            f"{bot.name} plays {game.id}: GET /manifest, GET /schema, POST /move {{table, legal, uniform?}}, "
            "POST /table {replay, seat?}; more at /docs\n"
        )

    @app.get("/manifest")
    async def manifest() -> dict[str, Any]:
        return manifest_of(served)

    @app.get("/schema")
    async def schema() -> dict[str, Any]:
        return game.layout.schema()

    @app.post("/move")
    async def move(asked: MoveAsked) -> dict[str, Any]:
        return served.choose(asked.table, asked.legal, asked.uniform)

    @app.post("/table")
    async def table(asked: TableAsked) -> dict[str, Any]:
        text = asked.replay if isinstance(asked.replay, str) else json.dumps(asked.replay)
        return table_of(game, text, asked.seat, players)

    return app


def servable(bot: Bot) -> Served:
    """The bot, if it answers from a view alone. Raises InputError for one that is no network."""
    if not hasattr(bot, "choose") or getattr(bot, "game", None) is None:
        raise InputError(f"{bot.name} cannot be served: name an exported bot, a shipped one or a checkpoint")
    found: Any = bot
    return cast(Served, found)


def manifest_of(bot: Served) -> dict[str, Any]:
    """The manifest of a bundle without the hashes of its files; of a checkpoint what is known, in the same form."""
    known = {"name": bot.name, "plays": GREEDY if bot.greedy else SAMPLED}
    if isinstance(bot, ExportedBot):
        return {key: value for key, value in bot.manifest.items() if key != "files"} | known
    game = bot.game
    facts = {"name": game.name, "version": game.version, "title": game.title, "summary": game.summary}
    trained = {"config": {"players": bot.players}}
    return {"game": facts, **table_facts(game), "training": trained, **known}


def table_of(game: Game, text: str, seat: int | None = None, players: int | None = None) -> dict[str, Any]:
    """Where a replay has come to, for the eyes of one seat.

    Args:
        text: of the replay. seat: who looks; None is the seat to act. players: the size that the table must have.

    Returns:
        ``turn``, the seat to act, None when all is over; ``seat``, who looks; ``table``, what it sees; ``legal`` and
        ``moves``, the ids of its legal actions and what they mean, empty when it is not its turn; ``finished``;
        ``rewards``, what each seat has been given so far.

    Raises:
        ReplayError: the replay cannot be played. InputError: another game or table size, or no such seat.
    """
    replay = Replay.parse(text)
    count = replay.options.num_players
    if replay.game.name != game.name:
        raise InputError(f"the replay is of {replay.game.id}; the bot here plays {game.id}")
    if players not in (None, count):
        raise InputError(f"the replay has {count} seats; tables here have {players}")
    if seat is not None and not 0 <= seat < count:
        raise InputError(f"seat {seat}: the seats are 0 to {count - 1}")
    table, rewards = replay.play()
    turn = None if table.finished else table.actor
    looks = turn if seat is None else seat
    return {
        "turn": turn,
        "seat": looks,
        "table": None if looks is None else game.layout.to_json(table.observe(looks)[1]),
        **_choices(table, looks is not None and looks == turn),
        "finished": table.finished,
        "rewards": rewards,
    }


def _choices(table: Table, may_act: bool) -> dict[str, list[Any]]:
    if not may_act:
        return {"legal": [], "moves": []}
    return {"legal": table.legal_ids(), "moves": table.legal_actions()}


async def _refuse(request: Request, error: Exception) -> JSONResponse:
    """One line that says what is wrong."""
    line = str(error)
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"][1:]))
        no_object = len(first["loc"]) == 1 or first["type"] == "json_invalid"
        line = _NO_OBJECT if no_object else f"{name}: {first['msg']}"
    return JSONResponse({"detail": line}, WRONG)
