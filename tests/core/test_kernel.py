"""The compile cache, on a small copy of the package in a folder of its own, one process a run."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from tinhorn.core import kernel as module
from tinhorn.core.kernel import announce_compile, kernel

FILES = {
    "toy/constants.py": "BONUS = 10\nTABLE = (1, 2, 3)\n",
    "toy/rules.py": """
import numpy as np
from tinhorn.core.kernel import kernel
from toy import constants
from toy.constants import BONUS, TABLE

@kernel
def inner(x):
    return x + BONUS

@kernel
def by_attribute(x):
    return x * constants.BONUS

@kernel
def by_table(i):
    return TABLE[i]
""",
    "toy/loops.py": """
from tinhorn.core.kernel import kernel

def make_loop(function):
    def loop(n):
        total = 0
        for i in range(n):
            total += function(i)
        return total
    return kernel(loop)
""",
}
PLAY = """
from toy import rules
from toy.loops import make_loop
loop = make_loop(rules.inner)
results = [int(loop(3)), int(rules.by_attribute(2)), int(rules.by_table(0))]
kernels = [loop, rules.by_attribute, rules.by_table]
"""
REPORT = """
import json
print(json.dumps({
    "results": results,
    "hits": sum(sum(k.stats.cache_hits.values()) for k in kernels),
    "misses": sum(sum(k.stats.cache_misses.values()) for k in kernels),
}))
"""


class Tree:
    """A package tree whose files a test edits, with a cache folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder / "tree", folder / "cache"
        for name in ("tinhorn/__init__.py", "tinhorn/core/__init__.py", "toy/__init__.py"):
            self.write(name, "")
        for name in ("kernel.py", "indices.py"):
            self.write(f"tinhorn/core/{name}", Path(module.__file__).with_name(name).read_text())
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def python(self, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "TINHORN_", "XDG_"))}
        paths = {"PYTHONPATH": str(self.folder), "TINHORN_CACHE_DIR": str(self.cache)}
        environment = kept | paths | {"PYTHONDONTWRITEBYTECODE": "1"} | environment
        return subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )

    def play(self, code: str = PLAY, **environment: str) -> dict[str, object]:
        return json.loads(self.python(code + REPORT, **environment).stdout)

    def compiled(self) -> list[Path]:
        return sorted(self.cache.glob("*.bin"))


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_second_process_loads_all_from_the_cache(tree):
    first = tree.play()
    assert first == {"results": [33, 20, 1], "hits": 0, "misses": 3}
    files = tree.compiled()
    assert tree.play() == {"results": [33, 20, 1], "hits": 3, "misses": 0}
    assert tree.compiled() == files


def test_functions_of_one_name_from_two_processes_stay_apart(tree):
    """Compiled apart, as the n-th function of their processes, they come from the cache into a third."""
    long = "".join(f"        x = (x * 3 + function(x)) % 1000003 if x > {k} else x + {k}\n" for k in range(60))
    steps = " + ".join(
        f"{k} * step(x + {k})" for k in range(1, 5)
    )  # too long, too often to become a part of its caller
    text = f"def make(function):\n    @kernel\n    def step(x):\n{long}        return x\n\n"
    text += f"    @kernel\n    def outer(x):\n        return {steps}\n\n    return outer\n"
    tree.write("toy/nested.py", f"from tinhorn.core.kernel import kernel\n\n{text}")
    play = "from toy import rules\nfrom toy.nested import make\n"
    play += "kernels = [make(f) for f in ({})]\nresults = [int(k(3)) for k in kernels]\n"
    inner, other = "rules.inner", "rules.by_attribute"
    first, second = (tree.play(play.format(f"{name},"))["results"][0] for name in (inner, other))
    assert first != second
    for names, results in (((inner, other), [first, second]), ((other, inner), [second, first])):
        assert tree.play(play.format(", ".join(names))) == {"results": results, "hits": 2, "misses": 0}


def test_a_constant_edited_in_another_file_takes_effect(tree):
    tree.play()
    tree.edit("toy/constants.py", "BONUS = 10", "BONUS = 20")
    assert tree.play() == {"results": [63, 40, 1], "hits": 1, "misses": 2}, "by_table does not see BONUS"
    tree.edit("toy/constants.py", "(1, 2, 3)", "(7, 2, 3)")
    assert tree.play()["results"] == [63, 40, 7]


def test_a_closure_notices_an_edit_of_the_kernel_inside(tree):
    tree.play()
    tree.edit("toy/rules.py", "return x + BONUS", "return x - BONUS")
    assert tree.play() == {"results": [-27, 20, 1], "hits": 2, "misses": 1}


def test_sources_lead_to_new_code_whatever_the_edit(tree):
    tree.edit("toy/loops.py", "kernel(loop)", "kernel(loop, sources=[__file__.replace('loops', 'more')])")
    tree.write("toy/more.py", "# first\n")
    tree.play()
    assert tree.play()["hits"] == 3
    tree.write("toy/more.py", "# second\n")
    assert tree.play() == {"results": [33, 20, 1], "hits": 2, "misses": 1}


def test_another_way_to_compile_leads_to_new_code(tree):
    tree.play()
    tree.edit("tinhorn/core/indices.py", "return types.uintp", "return types.intp")
    assert tree.play() == {"results": [33, 20, 1], "hits": 0, "misses": 3}


@pytest.mark.plain_python
def test_sources_must_exist(tmp_path):
    with pytest.raises(FileNotFoundError, match="name a file or a folder"):
        kernel(lambda x: x, sources=[tmp_path / "nothing"])


GENERATED = """
from tinhorn.core.kernel import kernel
import numpy as np

def generate(source, **names):
    exec(source, names)
    return kernel(names["f"])

kernels = [
    generate("def f(x): return x + 1"),
    generate("def f(x): return x + 2"),
    generate("def f(x): return x + k", k=3),
    generate("def f(x): return x + k", k=4),
    generate("def f(x): return x + t[0]", t=np.array([5])),
    generate("def f(x): return x + t[0]", t=np.array([6])),
]
results = [int(k(0)) for k in kernels]
"""


def test_generated_functions_of_one_name_are_kept_apart(tree):
    assert tree.play(GENERATED) == {"results": [1, 2, 3, 4, 5, 6], "hits": 0, "misses": 6}
    assert tree.play(GENERATED) == {"results": [1, 2, 3, 4, 5, 6], "hits": 6, "misses": 0}


@pytest.mark.plain_python
def test_a_generated_function_of_an_unknown_module_is_refused():
    namespace = {"__name__": "not_imported_anywhere"}
    exec("def f(x): return x", namespace)
    with pytest.raises(ValueError, match="not imported"):
        kernel(namespace["f"])


def test_nothing_is_written_into_the_package(tree):
    before = sorted(tree.folder.rglob("*"))
    tree.play()
    assert tree.compiled()
    assert sorted(tree.folder.rglob("*")) == before


def test_an_unwritable_cache_folder_gives_way_to_the_next(tree, tmp_path):
    file = tmp_path / "a_file"
    file.write_text("")
    home, temporary = tmp_path / "home", tmp_path / "temporary"
    temporary.mkdir()
    below_a_file = str(file / "below")
    in_home = {"TINHORN_CACHE_DIR": below_a_file, "HOME": str(home)}
    assert tree.play(**in_home)["results"] == [33, 20, 1]
    assert list((home / ".cache" / "tinhorn").glob("*.bin"))
    in_temporary = {
        "TINHORN_CACHE_DIR": below_a_file,
        "XDG_CACHE_HOME": below_a_file,
        "TMPDIR": str(temporary),
    }
    tree.play(**in_temporary)
    assert tree.play(**in_temporary)["hits"] == 3
    assert len(list(temporary.glob("tinhorn-*/*.bin"))) == 4, "three that are called, one inside"
    assert not tree.cache.exists()


def test_without_any_writable_folder_it_compiles(tree, monkeypatch):
    monkeypatch.setattr(module, "cache_root", lambda: None)
    compiled = kernel(lambda x: x + 1)
    assert compiled(1) == 2
    assert compiled.stats.cache_path is None


def test_a_folder_that_others_can_write_is_not_trusted(tree, tmp_path):
    temporary, below_a_file = tmp_path / "temporary", str(Path(module.__file__) / "below")
    shared = temporary / f"tinhorn-{os.getuid()}"
    shared.mkdir(parents=True)
    shared.chmod(0o777)
    paths = {"TINHORN_CACHE_DIR": below_a_file, "XDG_CACHE_HOME": below_a_file, "TMPDIR": str(temporary)}
    assert tree.play(**paths)["results"] == [33, 20, 1]
    assert not list(shared.iterdir())


@pytest.mark.parametrize("damage", [lambda b: b"", lambda b: b[: len(b) // 2], lambda b: b[:-1] + b"\0\0"])
def test_a_damaged_file_is_compiled_again(tree, damage):
    tree.play()
    for path in tree.compiled():
        path.write_bytes(damage(path.read_bytes()))
    assert tree.play() == {"results": [33, 20, 1], "hits": 0, "misses": 3}
    assert tree.play()["hits"] == 3


def test_a_full_disk_does_not_stop_the_engine(tmp_path, monkeypatch):
    def write_bytes(path, data):
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    assert kernel(lambda x: x + 1)(1) == 2
    assert not list(tmp_path.iterdir()), "no unfinished file is left"


def test_old_files_are_removed_and_others_kept(tree):
    tree.edit("tinhorn/core/kernel.py", "_FILES_KEPT = 4000", "_FILES_KEPT = 3")
    tree.cache.mkdir()
    old = tree.cache / f"toy.old-{'0' * 32}.bin"
    foreign = tree.cache / "notes.txt"
    for path in (old, foreign):
        path.write_text("")
        os.utime(path, (1, 1))
    tree.play()
    tree.edit("toy/rules.py", "return TABLE[i]", "return TABLE[i] + 1")
    assert tree.play()["results"] == [33, 20, 2]
    assert not old.exists()
    assert foreign.exists()


def test_bounds_are_checked_on_request_and_cached_apart(tree):
    code = """
import numpy as np
from tinhorn.core.kernel import kernel

@kernel
def at(array, i):
    return array[i]

try:
    at(np.zeros(3), 5)
    results = "no check"
except IndexError:
    results = "checked"
kernels = [at]
"""
    tree.play(code)
    assert tree.play(code, NUMBA_BOUNDSCHECK="1") == {"results": "checked", "hits": 0, "misses": 1}


def test_without_jit_it_is_plain_python_and_wraps_around_silently(tree):
    code = """
import warnings
import numpy as np
from tinhorn.core.kernel import kernel
warnings.simplefilter("error")

@kernel
def wrap(x):
    "Doc."
    return x * np.uint64(3)

print(wrap(np.uint64(2**63)), wrap.__name__, wrap.__doc__)
"""
    assert tree.python(code, NUMBA_DISABLE_JIT="1").stdout.split() == [str(2**63), "wrap", "Doc."]
    assert not tree.cache.exists()


ANNOUNCED = """
from pathlib import Path
import toy
from tinhorn.core.kernel import announce_compile
with announce_compile("Leduc", "leduc_v0", [Path(toy.__file__).parent], seconds=3):
    pass
"""


def test_compilation_is_announced_in_one_line_once(tree):
    assert tree.python(ANNOUNCED).stderr == "tinhorn: compiling Leduc for this machine, once (about 3 s) ...\n"
    assert tree.python(ANNOUNCED).stderr == ""
    tree.edit("toy/constants.py", "BONUS = 10", "BONUS = 20")
    assert "Leduc" in tree.python(ANNOUNCED).stderr
    assert tree.python(ANNOUNCED, NUMBA_DISABLE_JIT="1").stderr == ""


@pytest.mark.plain_python
def test_a_failed_compilation_is_announced_again(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(module, "cache_root", lambda: tmp_path)
    with pytest.raises(KeyError), announce_compile("Leduc", "leduc_v0"):
        raise KeyError
    with announce_compile("Leduc", "leduc_v0"):
        pass
    with announce_compile("Leduc", "leduc_v0"):
        pass
    assert capsys.readouterr().err.count("tinhorn: compiling Leduc") == 2 * (not module._config.DISABLE_JIT)


def test_two_processes_at_once(tree):
    outcomes = []
    threads = [threading.Thread(target=lambda: outcomes.append(tree.play()["results"])) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [[33, 20, 1]] * 2
    assert tree.play()["hits"] == 3
    assert not list(tree.cache.glob("*.tmp"))


def test_recompile_forgets_the_files(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "cache_root", lambda: tmp_path)
    table = np.array([1])
    namespace = {"table": table}
    exec("def f(): return table[0]", namespace)
    compiled = kernel(namespace["f"])
    assert compiled() == 1
    table[0] = 2
    compiled.recompile()
    assert compiled() == 2
    assert len(list(tmp_path.iterdir())) == 1


def test_importing_the_package_compiles_nothing(tmp_path):
    """Nor loads compiled code: both take longer than the rest of the import."""
    code = "import sys, tinhorn, tinhorn.bots; print('numba.np.arraymath' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"TINHORN_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"
    assert list(tmp_path.iterdir()) == []
