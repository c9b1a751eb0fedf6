"""Sets up an environment of its own and trains. Needs Python 3.11 and the built proxy."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
ENVIRONMENT = REPOSITORY / ".runtime/rl-quickstart"


def main() -> None:
    python = ENVIRONMENT / "bin/python"
    stamp = ENVIRONMENT / ".installed"
    if not stamp.exists():
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        requirements = ["--requirement", str(HERE / "requirements.txt"), str(REPOSITORY / "python/weir-rollout")]
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-input", *requirements], check=True)
        stamp.touch()
    os.execv(python, [str(python), str(HERE / "train.py"), *sys.argv[1:]])


if __name__ == "__main__":
    main()
