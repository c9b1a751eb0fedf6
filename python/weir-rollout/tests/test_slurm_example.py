"""The example for Slurm, with stand-ins for its commands on this machine."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import REPOSITORY

SCRIPT = REPOSITORY / "examples/slurm/train.sbatch"
# Runs the command once for each task, after the options.
SRUN = """#!/usr/bin/env bash
echo "$*" >>"$SRUN_LOG"
tasks=2
while [ "${1#--}" != "$1" ]; do
  case $1 in --ntasks=*) tasks=${1#--ntasks=} ;; esac
  shift
done
if [ "$tasks" = 1 ]; then exec "$@"; fi
for rank in 0 1; do SLURM_PROCID=$rank "$@" || exit; done
"""
SCONTROL = """#!/usr/bin/env bash
[ "$*" = "show hostnames node-[1-2]" ] && printf '127.0.0.1\\nnode-2\\n'
"""


@pytest.fixture
def job(tmp_path: Path) -> dict[str, str]:
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, text in (("srun", SRUN), ("scontrol", SCONTROL)):
        (commands / name).write_text(text)
        (commands / name).chmod(0o755)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return {
        "PATH": f"{commands}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "SRUN_LOG": str(tmp_path / "srun.log"),
        "SLURM_SUBMIT_DIR": str(tmp_path),
        "SLURM_JOB_ID": "4711",
        "SLURM_JOB_NODELIST": "node-[1-2]",
        "PROXY_HOST": "127.0.0.1",
        "PROXY_PORT": str(port),
        "PROXY": f"{os.environ.get('WEIR_NODE', 'node')} {REPOSITORY / 'apps/rollout-proxy/dist/main.js'}",
        "TRAINER": f"{sys.executable} {SCRIPT.parent / 'train.py'}",
    }


def run(job: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", str(SCRIPT)], env=job, capture_output=True, text=True, timeout=240)


def test_each_task_plays_at_the_proxy_of_the_job(job: dict[str, str], tmp_path: Path) -> None:
    ended = run(job)
    assert (ended.returncode, ended.stdout) == (
        0,
        "rank 0: 2 of 2 episodes, 2 rows\nrank 1: 2 of 2 episodes, 2 rows\n",
    ), ended.stderr
    first, second = (tmp_path / "srun.log").read_text().splitlines()
    assert "--nodes=1 --ntasks=1 --overlap --nodelist=127.0.0.1" in first
    assert second.startswith("--overlap bash")
    key_file = tmp_path / "weir-rollout-4711/admin-key"
    assert (len(key_file.read_text()), stat.S_IMODE(key_file.stat().st_mode)) == (64, 0o600)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(job["PROXY_PORT"])))


def test_a_proxy_that_does_not_start_ends_the_job(job: dict[str, str]) -> None:
    ended = run({**job, "ROLLOUT_MODEL": "/no/such/model.gguf"})
    assert ended.returncode == 1
    assert "The proxy did not become ready:" in ended.stderr
    assert "The model file cannot be opened." in ended.stderr
