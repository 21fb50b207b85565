"""The one decorator for compiled functions, and its cache on disk.

Numba's own cache looks at the file of the compiled function only: after an edit of a kernel or a constant in
another file it silently runs the old code. Here the name of a file of compiled code is a hash of all that
decides what it does: the function's bytecode and constants, and in depth those of every function, table and
number that it reaches, wherever they were defined. An edit leads to new code for the functions that it
concerns, and to no other compilation. Nothing is ever written into the package's own folder.

Environment variables: ``TINHORN_CACHE_DIR`` (where compiled code lies; else ``$XDG_CACHE_HOME/tinhorn``, else
``~/.cache/tinhorn``, else a private folder among the temporary files), ``NUMBA_DISABLE_JIT=1`` (plain Python,
for debugging), ``NUMBA_BOUNDSCHECK=1`` (an index out of bounds raises instead of reading garbage).
"""

import contextlib
import enum
import functools
import hashlib
import os
import pickle
import re
import stat
import sys
import tempfile
import types
import uuid
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast, overload

import numba
import numpy as np
from numba.core import config
from numba.core.caching import _Cache as BaseCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaWarning
from numba.core.serialize import dumps

from tinhorn.core.indices import KernelCompiler

Function = TypeVar("Function", bound=Callable[..., Any])
PathLike = str | os.PathLike[str]

_config: Any = config  # its attributes are made at run time
_SHARED_SOURCES = tuple(Path(__file__).resolve().parent.parent / name for name in ("core", "poker"))
# No C wrapper: nobody calls a kernel through one, and it takes a twelfth of the time to compile.
_JIT: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "pipeline_class": KernelCompiler}
_COMPILER = tuple(Path(__file__).resolve().parent / f"{name}.py" for name in ("indices", "lanes", "vectors"))
_FOREIGN = ("math", "numba", "numpy")  # their contents are known by their versions
_FILES_KEPT = 4000
_CHECKSUM_BYTES = 32


@overload
def kernel(function: Function, *, sources: Sequence[PathLike] = (), inline: bool = False) -> Function: ...
@overload
def kernel(*, sources: Sequence[PathLike] = (), inline: bool = False) -> Callable[[Function], Function]: ...
def kernel(function: Any = None, *, sources: Sequence[PathLike] = (), inline: bool = False) -> Any:
    """Compile ``function`` with Numba at its first call, and keep the result on disk.

    Use it as ``@kernel``, or as ``kernel(function)`` for closures over other kernels and for functions that
    ``exec`` generates. Kernels release the GIL, divide like numpy (no exception), and do not check indices
    unless ``NUMBA_BOUNDSCHECK=1``; an index of theirs is never negative (see `indices`).

    Args:
        function: plain Python that Numba compiles. Kernels must not call each other in a circle.
        sources: files, or folders for the ``*.py`` files in them, whose every edit must lead to new code even
            where the function does not reach it (extensions of Numba itself, such as ``@overload``).
        inline: its body becomes a part of every kernel that calls it. For long ones that are called in one place, at
            every decision: handing arrays over costs as much as fifty instructions.

    Returns:
        The compiled function; with ``NUMBA_DISABLE_JIT=1`` the plain one, silent about integer wrap-around.

    Raises:
        FileNotFoundError: a path in ``sources`` does not exist.
        ValueError: a generated function names a module that is not imported; no process could load its code.
    """
    if function is None:
        return functools.partial(kernel, sources=sources, inline=inline)
    roots = _checked(sources)
    function.__module__ = function.__globals__.setdefault("__name__", __name__)
    if function.__module__ not in sys.modules:
        raise ValueError(
            f"kernel {function.__qualname__}: its module {function.__module__!r} is not imported; "
            "leave '__name__' out of the namespace of a generated function, or name an imported module"
        )
    if _config.DISABLE_JIT:
        return np.errstate(over="ignore")(function)
    if "<" in f"{function.__qualname__} {function.__code__.co_filename}":
        # Many functions share this name. Numba names compiled code after it, with a number that counts in each process
        # anew: two of them from the cache could carry the same name, and the second would run the first one's code.
        function.__qualname__ += f".{_hash(repr(_describe(function, {})))}"
    dispatcher: Any = numba.njit(**_JIT, inline="always" if inline else "never")(function)
    dispatcher._cache = KernelCache(function, roots)
    return dispatcher


def inlined(function: Function) -> Function:
    """The same kernel, to become a part of the one that calls it, see `kernel`."""
    return kernel(plain(function), inline=True) if isinstance(function, Dispatcher) else function


def plain(function: Function) -> Function:
    """The Python function of a kernel: to call it where a module is imported, as nothing may be compiled there."""
    return cast(Function, function.py_func) if isinstance(function, Dispatcher) else function


@contextlib.contextmanager
def announce_compile(title: str, key: str, sources: Sequence[PathLike] = (), *, seconds: int = 15) -> Iterator[None]:
    """Around the first use of a game's kernels: say once, on stderr, that they are being compiled.

    Leaves a mark in the cache when the body ends well, and stays silent until the game or the engine changes.
    Says nothing with ``NUMBA_DISABLE_JIT=1``.

    Args:
        title: the game's name for people, e.g. ``"Leduc"``.
        key: the game's name for the mark, e.g. ``"leduc_v0"``.
        sources: the game's files or folders.
        seconds: about how long the compilation takes.

    Raises:
        FileNotFoundError: a path in ``sources`` does not exist.
    """
    if _config.DISABLE_JIT:
        yield
        return
    root = cache_root()
    state = _hash(repr((_settings(), _hash_sources((*_SHARED_SOURCES, *_checked(sources))))))
    mark = root / f"{_file_name(key)}-{state}.announced" if root else None
    if mark and mark.exists():
        yield
        return
    line = f"tinhorn: compiling {title} for this machine, once (about {seconds} s) ..."
    print(line, file=sys.stderr, flush=True)
    yield
    if mark:
        with contextlib.suppress(OSError):
            mark.touch()


class KernelCache(BaseCache):
    """Compiled code of one function, a file for each signature, processor and state of all that it reaches.

    Numba calls it through ``dispatcher._cache``. A file that cannot be read or written costs a
    compilation, no more.
    """

    def __init__(self, function: Callable[..., Any], sources: tuple[Path, ...]) -> None:
        self._function = function
        self._sources = sources
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        """The folder of the compiled code; None where no folder can be written."""
        root = cache_root()
        return str(root) if root else None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for the signature, or None."""
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        if path is None:
            return None
        try:
            content = path.read_bytes()
        except OSError:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # used: keep it
        try:
            checksum, payload = content[:_CHECKSUM_BYTES], content[_CHECKSUM_BYTES:]
            if hashlib.sha256(payload).digest() != checksum:
                raise ValueError("damaged file")
            return CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception:  # damaged, or written by a process that had other modules: compile again
            with contextlib.suppress(OSError):
                path.unlink()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write the compiled code in one step, so that other processes see all of it or nothing."""
        path = self._path(sig, data.codegen)
        if path is None:
            return
        if data.library.has_dynamic_globals or any(not loop.can_cache for loop in data.lifted):
            reason = "it holds a very large array"
            warnings.warn(f"{self._name()} compiles anew in each process: {reason}", NumbaWarning, stacklevel=2)
            return
        payload = dumps(data._reduce())
        unfinished = path.with_suffix(f".{uuid.uuid4().hex}.tmp")
        try:
            unfinished.write_bytes(hashlib.sha256(payload).digest() + payload)
            unfinished.replace(path)
            _remove_old_files(path.parent)
        except OSError:
            with contextlib.suppress(OSError):
                unfinished.unlink()

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Remove this function's files."""
        root = cache_root()
        if root:
            for path in root.glob(f"{self._name()}-*"):
                path.unlink(missing_ok=True)

    def _name(self) -> str:
        return _file_name(f"{self._function.__module__}.{self._function.__qualname__}")

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        root, signature = cache_root(), str(sig)
        takes_a_function = " at 0x" in signature  # named by its address only
        if root is None or takes_a_function or not self._enabled:
            return None
        description = _describe(self._function, {})
        identity = (_settings(), signature, codegen.magic_tuple(), description, _hash_sources(self._sources))
        return root / f"{self._name()}-{_hash(repr(identity))}.bin"


@functools.cache
def cache_root() -> Path | None:
    """The folder of all compiled code; None where none can be written (then each process compiles)."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"))
    for root in (os.environ.get("TINHORN_CACHE_DIR"), home / "tinhorn"):
        if root and _writable(Path(root)):
            return Path(root).absolute()
    user = os.getuid() if hasattr(os, "getuid") else "user"
    shared = Path(tempfile.gettempdir()) / f"tinhorn-{user}"
    # Anybody may have made a folder there, and loading compiled code from it runs it.
    return shared if _writable(shared) and _private(shared) else None


def _settings() -> tuple[object, ...]:
    """What else decides what Numba makes of a function."""
    versions = (sys.version, numba.__version__, np.__version__)
    return (*versions, _config.BOUNDSCHECK, _config.OPT, _hash_sources(_COMPILER))


@functools.cache
def _hash_sources(sources: tuple[Path, ...]) -> str:
    digest = hashlib.sha256()
    for source in sorted(set(sources)):
        for file in [source] if source.is_file() else sorted(source.glob("*.py")):
            digest.update(f"{file.name}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _checked(sources: Sequence[PathLike]) -> tuple[Path, ...]:
    paths = tuple(Path(source).resolve() for source in sources)
    for path in paths:
        if not path.exists():
            raise FileNotFoundError(f"sources of a kernel: {path} does not exist; name a file or a folder")
    return paths


def _describe(value: Any, seen: dict[int, int]) -> object:
    """All that decides what a function compiles to, as nested tuples with a lasting ``repr``."""
    if isinstance(value, Dispatcher):
        value = value.py_func
    if isinstance(value, types.FunctionType | np.ndarray):
        if id(value) in seen:
            return ("seen", seen[id(value)])
        seen[id(value)] = len(seen)
        if isinstance(value, types.FunctionType):
            return _describe_function(value, seen)
        return ("array", str(value.dtype), value.shape, hashlib.sha256(value.tobytes()).hexdigest())
    if isinstance(value, tuple | list):
        return (type(value).__qualname__, *(_describe(item, seen) for item in value))
    if isinstance(value, frozenset):
        return ("frozenset", *sorted(repr(_describe(item, seen)) for item in value))
    if isinstance(value, enum.EnumMeta):
        return (value.__qualname__, *(repr(member) for member in cast(Any, value)))
    if isinstance(value, type | types.BuiltinFunctionType):
        return (value.__module__, value.__qualname__)
    if isinstance(value, types.ModuleType):
        return value.__name__
    return (type(value).__qualname__, re.sub(" at 0x[0-9a-fA-F]+", "", repr(value)))


def _describe_function(function: types.FunctionType, seen: dict[int, int]) -> object:
    codes = [function.__code__]
    constants: list[object] = []
    for code in codes:  # grows: comprehensions and inner functions
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                codes.append(constant)
            else:
                constants.append(_describe(constant, seen))
    names = sorted({name for code in codes for name in code.co_names})
    reached = [(name, function.__globals__[name]) for name in names if name in function.__globals__]
    modules: set[int] = set()
    for _, value in reached:  # grows: module.name
        if isinstance(value, types.ModuleType) and id(value) not in modules:
            modules.add(id(value))
            if value.__name__.partition(".")[0] not in _FOREIGN:
                reached.extend((name, vars(value)[name]) for name in names if name in vars(value))
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    reached.extend((name, cell.cell_contents) for name, cell in cells)
    return (
        function.__module__,
        function.__qualname__,
        tuple((code.co_code, code.co_names, code.co_varnames) for code in codes),
        tuple(constants),
        _describe(function.__defaults__ or (), seen),
        tuple((name, _describe(value, seen)) for name, value in reached),
    )


@functools.cache
def _remove_old_files(root: Path) -> None:
    """Once a process: keep the files used last."""
    used = []
    for path in root.iterdir():
        if re.search(r"-[0-9a-f]{32}\.", path.name):
            with contextlib.suppress(OSError):  # another process cleans up too
                used.append((path.stat().st_mtime, path))
    used.sort(reverse=True)
    for _, path in used[_FILES_KEPT:]:
        with contextlib.suppress(OSError):
            path.unlink()


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _private(folder: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _file_name(text: str) -> str:
    return re.sub(r"[^\w.]+", "-", text)[:100]
