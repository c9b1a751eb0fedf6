"""A proxy that runs as a process of this one."""

from __future__ import annotations

import os
import platform
import re
import secrets
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import httpx

PACKAGE = "@weir/rollout-proxy"
IMAGE = "weir/rollout-proxy"
ENGINE_PACKAGE = "node-llama-cpp"
# The version that the proxy is tested with.
ENGINE_VERSION = "3.21.1"
_URL = re.compile(r"^Rollout proxy: (\S+)", re.MULTILINE)


def node_command(program: str) -> list[str]:
    """Starts a built proxy, `apps/rollout-proxy/dist/main.js` of the repository."""
    return [os.environ.get("WEIR_NODE", "node"), program]


def npm_command(version: str, *, embedded_engine: bool) -> list[str]:
    """
    Starts the published package. The embedded engine is an optional peer of it. Its packages for GPUs, some 0.7 GB, are
    left out: for a GPU there are servers.
    """
    # npx does not install what a project in the current folder has, and the proxy does not look there.
    install = ["npx", "--yes", "--ignore-scripts", "--prefix", str(Path(__file__).parent)]
    proxy = ["--package", f"{PACKAGE}@{version}"]
    if not embedded_engine:
        return [*install, *proxy, "rollout-proxy"]
    engine = [f"{ENGINE_PACKAGE}@{ENGINE_VERSION}", f"@{ENGINE_PACKAGE}/{_processor()}@{ENGINE_VERSION}"]
    packages = [argument for name in engine for argument in ("--package", name)]
    return [*install, "--omit=optional", *proxy, *packages, "rollout-proxy"]


def _processor() -> str:
    """This machine, in the names of the engine's packages."""
    system = {"Darwin": "mac", "Windows": "win"}.get(platform.system(), "linux")
    machine = platform.machine().lower()
    processor = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(machine, machine)
    return "mac-arm64-metal" if (system, processor) == ("mac", "arm64") else f"{system}-{processor}"


def image_command(image: str, port: int, variables: Sequence[str]) -> list[str]:
    """Starts the image with those variables of the environment, at that port of the loopback address."""
    given = [argument for name in variables for argument in ("--env", name)]
    address = [
        "--publish",
        f"127.0.0.1:{port}:{port}",
        "--env",
        "ROLLOUT_HOST=0.0.0.0",
        "--env",
        f"ROLLOUT_PORT={port}",
    ]
    return ["docker", "run", "--rm", "--init", *given, *address, image]


class ProxyProcess:
    """
    A proxy on a free port of the loopback address, with an admin key of its own unless `env` has one. It ends with its
    `with` block. Raises `RuntimeError`, with what the process wrote, when it does not become ready within `deadline`
    seconds.
    """

    def __init__(self, command: Sequence[str], *, env: Mapping[str, str] | None = None, deadline: float = 60.0) -> None:
        own = {"ROLLOUT_PORT": "0", "ROLLOUT_ADMIN_KEY": secrets.token_urlsafe(32)}
        variables = {**own, **os.environ, **(env or {})}
        self.admin_key = variables["ROLLOUT_ADMIN_KEY"]
        self._output = tempfile.TemporaryFile("w+", encoding="utf8")  # noqa: SIM115 - closed by `stop`
        # A group of its own: npx does not pass signals on to what it has started.
        self._process = subprocess.Popen(
            list(command),
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            self.url = self._wait_until_ready(time.monotonic() + deadline)
        except BaseException:
            self.stop()
            raise

    def wait(self) -> int:
        """Its exit code, once it ended."""
        return self._process.wait()

    def stop(self) -> None:
        """Ends it: running calls may finish, then it is killed."""
        self._signal(signal.SIGTERM)
        pause, deadline = threading.Event(), time.monotonic() + 15
        while self._is_running() and time.monotonic() < deadline:
            pause.wait(0.02)
        self.kill()
        self._output.close()

    def kill(self) -> None:
        """Ends it at once, as a crash does."""
        self._signal(signal.SIGKILL)
        self._process.wait()

    def _is_running(self) -> bool:
        self._process.poll()
        return self._signal(0)

    def _signal(self, number: int) -> bool:
        """To all processes of the group; whether there is one."""
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return False
        return True

    def _wait_until_ready(self, deadline: float) -> str:
        pause = threading.Event()
        while time.monotonic() < deadline and self._process.poll() is None:
            found = _URL.search(self._written())
            # In a container it listens on all addresses, and is published at this one.
            url = found and found[1].replace("//0.0.0.0:", "//127.0.0.1:")
            if url and _is_ready(url):
                return url
            pause.wait(0.05)
        raise RuntimeError(f"The proxy did not become ready. It wrote:\n{self._written()}")

    def _written(self) -> str:
        # Not `seek`: the process writes at the same position.
        return os.pread(self._output.fileno(), 1_000_000, 0).decode("utf8", "replace")

    def __enter__(self) -> ProxyProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/ready", trust_env=False, timeout=10).is_success
    except httpx.TransportError:
        return False
