"""What the docs say is true: generated tables are up to date, Python runs, commands exist."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer

from tinhorn.registry import get_game
from tinhorn_training.bench.figures import untrained_bundle
from tinhorn_training.cli import app

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def blocks(page: Path, *languages: str) -> list[str]:
    return [text for language, text in BLOCK.findall(page.read_text("utf-8")) if language in languages]


def pages_with(*languages: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, *languages)]


def run_tool(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "tools/docs.py", *arguments]
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def test_generated_parts_are_up_to_date():
    run = run_tool("--check")
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture
def copy(tmp_path):
    shutil.copy(ROOT / "README.md", tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    return tmp_path


def test_an_edited_table_is_noticed_and_put_right(copy):
    page = copy / "docs/environments.md"
    page.write_text(page.read_text("utf-8") + "\n<!-- begin games -->\nold\n<!-- end -->\n", "utf-8")
    stale = run_tool("--check", "--root", copy)
    assert stale.returncode == 1
    assert "docs/environments.md: out of date" in stale.stdout
    assert run_tool("--root", copy).returncode == 0
    assert "cold_hand_v0" in page.read_text("utf-8").rpartition("<!-- begin games -->")[2]
    assert run_tool("--check", "--root", copy).returncode == 0


def test_an_unknown_part_is_refused(copy):
    (copy / "docs/more.md").write_text("<!-- begin weather -->\n<!-- end -->\n", "utf-8")
    run = run_tool("--check", "--root", copy)
    assert run.returncode == 1
    assert "docs/more.md: there is no generated part 'weather'" in run.stderr


def test_a_game_without_a_page_gets_one(copy):
    page = copy / "docs/cold_hand.md"
    page.unlink()
    assert run_tool("--check", "--root", copy).returncode == 1
    assert run_tool("--root", copy).returncode == 0
    assert "| `stakes` | 1 | 1 to 4 |" in page.read_text("utf-8")


@pytest.mark.parametrize("page", pages_with("python"), ids=lambda page: page.name)
def test_python_runs(page, tmp_path, monkeypatch, capsys):
    """All blocks of a page in order, in one namespace, in a folder with nothing but the bot that some load."""
    monkeypatch.chdir(tmp_path)
    if '"my_bot"' in page.read_text("utf-8"):
        untrained_bundle(get_game("cold_hand"), tmp_path / "my_bot")
    namespace = {"__name__": "__main__"}
    for number, block in enumerate(blocks(page, "python"), 1):
        exec(compile(block, f"{page.name}, block {number}", "exec"), namespace)


def test_adding_a_game_runs_as_printed_in_a_clone():
    """Without what pytest puts on the path."""
    code = "\n".join(blocks(ROOT / "docs/adding_a_game.md", "python")) + "\nprint(env.metadata['name'])"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "envs")}
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.stdout.strip() == "kuhn_v0", run.stderr


def test_every_extra_is_told_of():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    told = " ".join(page.read_text("utf-8") for page in [*PAGES, ROOT / "Makefile"])
    assert not [extra for extra in extras if not re.search(rf"\[(\w+,)*{extra}\b|`{extra}`|installed-{extra}", told)]


def shell_lines() -> list[tuple[str, str]]:
    return [
        (page.name, line)
        for page in PAGES
        for block in blocks(page, "sh")
        for line in block.replace("\\\n", " ").splitlines()
        if line.strip() and not line.startswith("#")
    ]


@pytest.mark.parametrize(("page", "line"), shell_lines())
def test_commands_exist(page, line):
    """`tinhorn` commands parse, `make` targets and extras are there; nothing is run."""
    program, *arguments = shlex.split(line, comments=True)
    if program == "tinhorn":
        command = typer.main.get_command(app)
        name, *rest = arguments
        command.commands[name].make_context(name, rest)
    elif program == "make":
        targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        assert set(arguments) <= set(targets)
    elif program == "pip":
        known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
        extras = {extra for listed in re.findall(r"\[([\w,]+)\]", line) for extra in listed.split(",")}
        assert extras <= set(known)
    else:
        assert shutil.which(program), f"{page} calls {program}, which no test knows"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    missing = [link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()]
    assert not missing


def test_the_parser_of_commands_refuses_an_unknown_option():
    with pytest.raises(Exception, match="--nonsense"):
        test_commands_exist("here", "tinhorn games --nonsense")
