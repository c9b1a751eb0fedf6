"""The command, from a wheel in an empty environment."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from weir_rollout.proxy_process import ENGINE_PACKAGE, ProxyProcess, npm_command

from .conftest import REPOSITORY

PACKAGE = REPOSITORY / "python/weir-rollout"
AGENT = """
import json, os, urllib.request

class BlockingAgent:
    def run(self, data):
        body = {"model": "any", "max_tokens": 4, "messages": [{"role": "user", "content": data["question"]}]}
        headers = {"authorization": f"Bearer {os.environ['LLM_API_KEY']}", "content-type": "application/json"}
        url = f"{os.environ['LLM_BASE_URL']}/chat/completions"
        with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as answer:
            return 1.0 if json.load(answer)["choices"] else 0.0
"""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=PACKAGE, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="session")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder)
    # The pip of this environment: to install another one takes as long as all cases of this file.
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin/python")]
    subprocess.run([*pip, "install", "--quiet", "--no-input", "--no-compile", str(wheel)], check=True)
    return str(folder / "bin/weir-rollout")


def run(command: str, arguments: Sequence[str], proxy: ProxyProcess, folder: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "ROLLOUT_ADMIN_KEY": proxy.admin_key}
    env.pop("PYTHONPATH", None)
    address = ["--url", proxy.url]
    return subprocess.run([command, *arguments, *address], env=env, cwd=folder, capture_output=True, text=True)


def test_the_wheel_is_typed_and_needs_two_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert "weir_rollout/py.typed" in archive.namelist()
        (metadata,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        required = [line for line in archive.read(metadata).decode().splitlines() if line.startswith("Requires-Dist")]
    assert [line.split()[1].split("<")[0].split(">")[0] for line in required if "extra ==" not in line] == [
        "httpx",
        "numpy",
    ]


@pytest.mark.parametrize("mode", ["inline", "subproc"])
def test_an_episode_from_the_installed_wheel(command: str, proxy: ProxyProcess, mode: str, tmp_path: Path) -> None:
    (tmp_path / "agents.py").write_text(AGENT)
    given = ["episode", "agents:BlockingAgent", "--data", '{"question": "Why?"}', "--mode", mode]
    ended = run(command, given, proxy, tmp_path)
    outcome = json.loads(ended.stdout)
    if mode == "inline":
        # Blocking code finds its model in a process of its own only.
        assert (ended.returncode, outcome["status"], outcome["reason"]) == (1, "rejected", "agent_failed")
    else:
        assert (ended.returncode, outcome["status"], outcome["reward"]) == (0, "completed", 1.0)


def test_the_doctor_finds_a_sound_proxy(command: str, proxy: ProxyProcess, tmp_path: Path) -> None:
    ended = run(command, ["doctor"], proxy, tmp_path)
    assert [line.split(":")[0].split() for line in ended.stdout.splitlines()] == [
        ["ok", "engine"],
        ["ok", "tokenizer"],
        ["ok", "parity"],
    ], ended.stderr
    assert ended.returncode == 0


def test_a_failure_is_said_in_one_line(command: str, proxy: ProxyProcess, tmp_path: Path) -> None:
    ended = run(command, ["episode", "no_such_module:Agent"], proxy, tmp_path)
    assert ended.returncode == 1
    assert ended.stderr.splitlines() == ['weir-rollout: The import path "no_such_module:Agent" cannot be imported.']


@pytest.fixture(scope="session")
def npm_package(tmp_path_factory: pytest.TempPathFactory) -> str:
    node = os.environ.get("WEIR_NODE", "node")
    pack = [node, "tools/scripts/pack-app.mjs", "apps/rollout-proxy", str(tmp_path_factory.mktemp("npm"))]
    return subprocess.run(pack, cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout.strip()


READY = """
import http.server
class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
server = http.server.HTTPServer(("127.0.0.1", 0), Ready)
print(f"Rollout proxy: http://0.0.0.0:{server.server_port}", flush=True)
server.serve_forever()
"""


def test_a_proxy_in_a_container_is_reached_at_the_loopback_address() -> None:
    with ProxyProcess([sys.executable, "-c", READY]) as running:
        assert running.url.startswith("http://127.0.0.1:")


@pytest.mark.parametrize("given", [None, "the-key-of-the-environment"])
def test_up_names_the_place_of_the_key_and_prints_none(command: str, tmp_path: Path, given: str | None) -> None:
    program = tmp_path / "proxy.py"
    program.write_text(f"import os\nprint('key:', os.environ['ROLLOUT_ADMIN_KEY'], flush=True)\n{READY}")
    env = {**os.environ, "WEIR_NODE": sys.executable, "TMPDIR": str(tmp_path)}
    env.pop("ROLLOUT_ADMIN_KEY", None)
    if given is not None:
        env["ROLLOUT_ADMIN_KEY"] = given
    with subprocess.Popen([command, "up", "--program", str(program)], env=env, stdout=subprocess.PIPE, text=True) as up:
        assert up.stdout is not None
        url, key = up.stdout.readline(), up.stdout.readline()
        place = key.removeprefix("admin key: in ").strip()
        if given is None:
            assert Path(place).stat().st_mode & 0o777 == 0o600
            assert len(Path(place).read_text()) > 40
        up.send_signal(signal.SIGINT)
        rest = up.stdout.read()
        assert up.wait() == 0
    assert (url.startswith("url: "), rest) == (True, "")
    assert (place == "ROLLOUT_ADMIN_KEY") == (given is not None)
    assert not Path(place).exists()


def test_npx_installs_the_engine_only_where_it_is_wanted() -> None:
    manifest = json.loads((REPOSITORY / "packages/rollout-engine/package.json").read_text())
    version = manifest["peerDependencies"][ENGINE_PACKAGE]
    remote = npm_command("1.2.3", embedded_engine=False)
    embedded = npm_command("1.2.3", embedded_engine=True)
    assert [name for name in remote if "@" in name] == ["@weir/rollout-proxy@1.2.3"]
    assert [name for name in embedded if "@" in name] == [
        "@weir/rollout-proxy@1.2.3",
        f"{ENGINE_PACKAGE}@{version}",
        next(name for name in embedded if name.startswith(f"@{ENGINE_PACKAGE}/")),
    ]
    platforms = json.loads((REPOSITORY / "package-lock.json").read_text())["packages"][f"node_modules/{ENGINE_PACKAGE}"]
    assert embedded[-2].rsplit("@", 1)[0] in platforms["optionalDependencies"]


@pytest.mark.skipif(
    "WEIR_TEST_NPX" not in os.environ,
    reason="WEIR_TEST_NPX is not set; npx downloads 180 MB, which took 45 s on two cores at load 15",
)
def test_up_starts_the_packed_npm_package(command: str, npm_package: str, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    node = Path(os.environ.get("WEIR_NODE", "node"))
    env = {
        **os.environ,
        "PATH": f"{node.parent}{os.pathsep}{os.environ['PATH']}",
        "ROLLOUT_DATA_DIR": str(tmp_path / "data"),
    }
    up = [command, "up", "--npm", f"file:{npm_package}", "--port", str(port)]
    with subprocess.Popen(up, env=env, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == f"url: http://127.0.0.1:{port}\n"
        admin_key = Path(running.stdout.readline().removeprefix("admin key: in ").strip()).read_text()
        doctor = [command, "doctor", "--url", f"http://127.0.0.1:{port}", "--admin-key", admin_key]
        checked = subprocess.run(doctor, env=env, capture_output=True, text=True)
        running.send_signal(signal.SIGINT)
        assert (checked.returncode, running.wait()) == (0, 0), checked.stdout + checked.stderr
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
