"""Write anew what exported bots say of their game: ``python tools/restamp.py [FOLDER ...]``; without, the shipped ones.

For words of fields and actions that have changed, or a new key of the manifest. Weights, golden rows and results stay;
a bot whose view or actions are no longer those of the game is refused, as by any loader.
"""

import sys
from pathlib import Path

import onnx

from tinhorn.bots import SHIPPED
from tinhorn.bots.exported import GOLDEN, POLICY, SAMPLED, load_bundle, table_facts
from tinhorn_training.export.bundle import sealed


def restamp(folder: Path) -> None:
    """Write the files of one bundle anew. Raises BotError."""
    bot = load_bundle(folder)
    kept = {key: value for key, value in bot.manifest.items() if key != "files"}
    game = kept["game"] | {"title": bot.game.title, "summary": bot.game.summary}
    files = sealed(
        onnx.load(folder / POLICY),
        {"plays": SAMPLED} | kept | {"game": game, **table_facts(bot.game)},
        (folder / GOLDEN).read_bytes(),
        folder.name,
    )
    for name, content in files.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    for given in sys.argv[1:] or sorted(path for path in SHIPPED.iterdir() if path.is_dir()):
        restamp(Path(given))
