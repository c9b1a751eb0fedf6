"""Sets up an environment of its own and trains. Needs Python 3.11 and a built proxy."""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
REQUIREMENTS = HERE / "requirements.txt"


def ensure_environment(folder: Path, package: Path) -> Path:
    """Its Python. What is installed already is kept while the package and the requirements are the same."""
    python, stamp = folder / "bin/python", folder / ".installed"
    wanted = f"{sys.version} {digest(package)} {digest(REQUIREMENTS)}"
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    if not stamp.exists():
        venv.create(folder, with_pip=True, clear=True)
    stamp.unlink(missing_ok=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-compile", "--no-input"]
    subprocess.run([*install, "--requirement", str(REQUIREMENTS), str(package)], check=True)
    # Its version does not change with its content.
    subprocess.run([*install, "--force-reinstall", "--no-deps", str(package)], check=True)
    stamp.write_text(wanted)
    return python


def digest(given: Path) -> str:
    """Of a file, or of the sources in a folder."""
    folders = ("src/**/*.py", "pyproject.toml")
    files = [given] if given.is_file() else sorted(one for pattern in folders for one in given.glob(pattern))
    contents = hashlib.sha256()
    for file in files:
        contents.update(f"{file.name}\n".encode() + file.read_bytes())
    return contents.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, epilog="Other arguments are those of train.py.")
    parser.add_argument("--environment", type=Path, default=REPOSITORY / ".runtime/rl-quickstart")
    parser.add_argument(
        "--package",
        type=Path,
        default=REPOSITORY / "python/weir-rollout",
        help="sources of weir-rollout, or its wheel",
    )
    parser.add_argument("--set-up-only", action="store_true", help="print the Python of the environment, and end")
    given, others = parser.parse_known_args()
    python = ensure_environment(given.environment.resolve(), given.package.resolve())
    if given.set_up_only:
        print(python)
    else:
        os.execv(python, [str(python), str(HERE / "train.py"), *others])


if __name__ == "__main__":
    main()
