"""The model card of an exported bot: what it is, how it was trained, how strong it is, how to load it."""

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from tinhorn.core.game import find_game
from tinhorn.core.options import Options

_LOADING = """## Play it from Python

Without torch: in a clone of Tinhorn, `pip install '.[bots]'`.

```python
from tinhorn.bots import load

bot = load("{folder}")
move = bot.choose(table, legal=[0, 3])  # table: the fields below by name; legal: ids of the actions allowed now
print(move["action"], move["move"], move["probabilities"], move["value"])
```

## Play it from JavaScript

`tinhorn.mjs` is the loader in `clients/js` of tinhorn; it runs on onnxruntime-web or onnxruntime-node.

```js
import * as ort from "onnxruntime-web";
import {{ loadBot }} from "./tinhorn.mjs";

const bot = await loadBot(ort, "{folder}/");
const {{ action, move, probabilities, value }} = await bot.choose(table, [0, 3]);
```

From any other language: run `policy.onnx` with the fields as int32, `legal` as uint8 (a 1 for each legal action) and
`uniform` as float32 (a random number of 0 to 1). `{plays}` is the action to play; `golden.json` says what has to come
out.
"""


def model_card(manifest: Mapping[str, Any], folder: str) -> str:
    """The card as Markdown."""
    game = manifest["game"]
    parts = [
        f"# {folder}\n\nA bot for {game['title']} (`{game['name']}_v{game['version']}`): {game['summary']} It sees "
        f"what its seat sees and answers with a probability for each legal action. Tinhorn {manifest['tinhorn']}.\n",
        _strength(manifest["evaluation"], folder),
        _training(manifest["training"]),
        _LOADING.format(folder=folder, plays=manifest["plays"]),
        _fields(manifest["fields"]),
        _actions(manifest["actions"]),
        f"## Licence\n\n{manifest['licence']}\n",
    ]
    return "\n".join(parts)


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def _strength(evaluations: Sequence[Mapping[str, Any]], folder: str) -> str:
    if not evaluations:
        return "## How strong it is\n\nNot measured. `tinhorn export --evaluate DEALS` measures it.\n"
    rows = []
    for result in evaluations:
        score = result["scores"][0]
        mean = score["mean"]
        interval = "-" if mean["low"] is None else f"{mean['low']:.4f} to {mean['high']:.4f}"
        against = ", ".join(result["against"])
        rows.append(
            [_options(result).words, against, f"{mean['value']:.4f}", interval, f"{score['fair']:.4f}", result["deals"]]
        )
    score = evaluations[0]["scores"][0]
    head = ["table", "against", f"{score['name']} ({score['unit']})", "95% interval", "fair share", "deals"]
    commands = "\n".join(_command(result, folder) for result in evaluations)
    return (
        f"## How strong it is\n\n{_table(head, rows)}\nDuplicate deals, every seat in turn; intervals clustered by "
        f"deal. Measured with\n\n```\n{commands}\n```\n"
    )


def _options(result: Mapping[str, Any]) -> Options:
    return find_game(result["game"]).options.make(result["options"])


def _command(result: Mapping[str, Any], folder: str) -> str:
    options = _options(result)
    words = ["tinhorn", "evaluate", folder, "--against", ",".join(result["against"])]
    words += ["--players", str(options.num_players)]
    words += [part for name, value in options.unusual.items() for part in ("--option", f"{name}={value}")]
    return shlex.join([*words, "--deals", str(result["deals"]), "--seed", str(result["seed"])])


def _training(training: Mapping[str, Any] | None) -> str:
    if not training:
        return "## How it was trained\n\nNot recorded.\n"
    return f"## How it was trained\n\n```json\n{json.dumps(training, indent=2)}\n```\n"


def _fields(fields: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        [f"`{f['name']}`", f["shape"] or "", f"{f['low']} to {f['high']}", f["none"] or "", f["meaning"]]
        for f in fields
        if f["input"]
    ]
    return (
        f"## What it sees\n\nSeats are relative: 0 is the bot's own. Cards are texts such as `Td`, or codes, "
        f"4 x rank + suit; what is none is null, or one less than the least value.\n\n"
        f"{_table(['field', 'shape', 'range', 'none', 'meaning'], rows)}"
    )


def _actions(actions: Mapping[str, Any]) -> str:
    rows = [[block["start"], block["size"], block["name"], block["meaning"]] for block in actions["blocks"]]
    return (
        f"## What it answers\n\n`actions.table` in `manifest.json` says what each id means.\n\n"
        f"{_table(['first id', 'ids', 'kind', 'meaning'], rows)}"
    )
