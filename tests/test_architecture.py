"""The plan of the house: who may import whom, what the engine needs, how long a file may be."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE_ROOTS = (ROOT / "envs", ROOT / "training")
SOURCES = sorted(file for root in SOURCE_ROOTS for file in root.rglob("*.py"))
GAMES = sorted(folder.name for folder in (ROOT / "envs/tinhorn/games").glob("*/") if (folder / "__init__.py").exists())
ENGINE_NEEDS = {"tinhorn", "numpy", "numba", "llvmlite", "gymnasium", "pettingzoo"}  # llvmlite is a part of Numba
LAYERS = ("tinhorn.core", "tinhorn.poker", "tinhorn.games", "tinhorn.registry")
LONGEST = 520


def module_name(file: Path) -> str:
    root = next(root for root in SOURCE_ROOTS if file.is_relative_to(root))
    return ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def layer(name: str) -> int:
    """core 0, poker 1, games 2, registry 3, all else in the engine 4, what users import 5, training 6."""
    for level, prefix in enumerate(LAYERS):
        if f"{name}.".startswith(f"{prefix}."):
            return level
    if name == "tinhorn":
        return len(LAYERS) + 1
    return len(LAYERS) if name.startswith("tinhorn.") else len(LAYERS) + 2


def game_of(name: str) -> str | None:
    match = re.match(r"tinhorn\.games\.(\w+)", name)
    return match[1] if match else None


def statements(tree: ast.AST, *, functions: bool) -> Iterator[ast.AST]:
    """All nodes that run, or with ``functions=False`` only those that run when the module is imported."""
    for node in ast.iter_child_nodes(tree):
        only_for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        if only_for_types or (not functions and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)):
            continue
        yield node
        yield from statements(node, functions=functions)


def imports(file: Path, *, functions: bool = True) -> Iterator[str]:
    """The full names of what a file imports."""
    package = module_name(file).split(".")
    if file.name != "__init__.py":
        package.pop()
    for node in statements(ast.parse(file.read_text()), functions=functions):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *filter(None, [node.module])])
            for alias in node.names:
                whole = f"{source}.{alias.name}"
                path = Path(*whole.split("."))
                known = any(
                    (root / path).is_dir() or (root / path).with_suffix(".py").exists() for root in SOURCE_ROOTS
                )
                yield whole if known else source


@pytest.mark.parametrize("file", SOURCES, ids=module_name)
def test_imports_run_one_way(file):
    name = module_name(file)
    for imported in imports(file):
        if imported.split(".")[0] in ("tinhorn", "tinhorn_training"):
            assert layer(imported) <= layer(name), f"{name} must not import {imported}"
            if game_of(name):
                assert game_of(imported) in (None, game_of(name)), f"{name} must not import another game"


@pytest.mark.parametrize("file", [file for file in SOURCES if file.is_relative_to(ROOT / "envs")], ids=module_name)
def test_the_engine_imports_nothing_that_it_does_not_declare(file):
    needed = {imported.split(".")[0] for imported in imports(file, functions=False)}
    assert needed - ENGINE_NEEDS <= sys.stdlib_module_names


def test_the_layers_are_told_apart():
    names = [
        "tinhorn.core.rng",
        "tinhorn.poker.ranking",
        "tinhorn.games.x.rules",
        "tinhorn.registry",
        "tinhorn.aec",
    ]
    assert [layer(name) for name in [*names, "tinhorn", "tinhorn_training.cli"]] == list(range(7))


def test_import_tinhorn_loads_nothing_of_training():
    code = "import sys, tinhorn; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in run.stdout.split()}
    assert "tinhorn" in loaded
    assert not loaded & {
        "torch",
        "stable_baselines3",
        "onnxruntime",
        "matplotlib",
        "pydantic",
        "tinhorn_training",
    }


def code_of(file: Path) -> str:
    """The source without comments and docstrings, whose examples may name a game."""
    tree = ast.parse(file.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(None)
    return ast.unparse(tree)


@pytest.mark.parametrize("game", GAMES)
def test_only_the_registry_names_a_game(game):
    words = game.split("_")
    named = [rf"games[./]{game}\b", rf"\b{game}[_-]v\d"]
    if len(words) > 1:  # one word alone may be an ordinary one
        named.append(r"(?<![a-z])" + "[ _-]?".join(words) + r"(?![a-z])")
    pattern = re.compile("|".join(named), re.IGNORECASE)
    own = (ROOT / "envs/tinhorn/games" / game, ROOT / "envs/tinhorn/registry.py")
    others = [file for file in SOURCES if not any(file.is_relative_to(path) for path in own)]
    found = {module_name(file): pattern.findall(code_of(file)) for file in others}
    assert not {name: matches for name, matches in found.items() if matches}


def test_files_are_short():
    folders = [*SOURCE_ROOTS, ROOT / "tests", ROOT / "clients"]
    files = [file for folder in folders for kind in ("py", "js", "mjs", "ts") for file in folder.rglob(f"*.{kind}")]
    lengths = {
        str(file.relative_to(ROOT)): file.read_text().count("\n") for file in files if "node_modules" not in file.parts
    }
    assert not {name: length for name, length in lengths.items() if length > LONGEST}
