"""Which sources made a network."""

import subprocess
from pathlib import Path


def source_commit(file: str | Path = __file__) -> str | None:
    """The git commit of the checkout that ``file`` belongs to, with ``-dirty`` where tracked files differ from it.

    None outside a checkout: in an installed package, or where there is no git.
    """

    def git(*arguments: str) -> str:
        run = ["git", "-C", str(Path(file).parent), *arguments]
        return subprocess.run(run, capture_output=True, text=True, check=True, timeout=20).stdout.strip()

    try:
        git("ls-files", "--error-unmatch", Path(file).name)  # a virtual environment may lie in someone else's checkout
        return git("describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")
    except (OSError, subprocess.SubprocessError):
        return None
