"""What the package exports, and what it imports for that."""

from __future__ import annotations

import inspect
import subprocess
import sys

import weir_rollout


def test_every_exported_name_is_there() -> None:
    assert {name for name in weir_rollout.__all__ if inspect.ismodule(getattr(weir_rollout, name))} == set()
    assert set(weir_rollout.__all__) <= set(dir(weir_rollout))
    assert not hasattr(weir_rollout, "no_such_name")


def test_the_process_of_an_agent_imports_neither_numpy_nor_the_clients() -> None:
    program = "import sys, weir_rollout.subproc.worker; print({'numpy', 'httpx'} & {*sys.modules})"
    ended = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ended.stdout == "set()\n"
