"""The built proxy before the embedded engine, for all tests of a run."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from weir_rollout import AsyncRolloutClient, RolloutClient
from weir_rollout.proxy_process import ProxyProcess, node_command

REPOSITORY = Path(__file__).resolve().parents[3]
CASES: dict[str, Any] = json.loads((REPOSITORY / "packages/rollout-contract/cases/episodes.json").read_text("utf8"))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proxy")


@pytest.fixture(scope="session")
def proxy(home: Path) -> Iterator[ProxyProcess]:
    env = {"HOME": str(home), "ROLLOUT_DATA_DIR": str(home / "data"), "ROLLOUT_END_WAIT_SECONDS": "1"}
    with ProxyProcess(node_command(str(REPOSITORY / "apps/rollout-proxy/dist/main.js")), env=env) as running:
        yield running


@pytest.fixture
def sync_client(proxy: ProxyProcess) -> Iterator[RolloutClient]:
    with RolloutClient(proxy.url, proxy.admin_key) as client:
        yield client


@pytest.fixture
async def client(proxy: ProxyProcess) -> AsyncIterator[AsyncRolloutClient]:
    async with AsyncRolloutClient(proxy.url, proxy.admin_key) as client:
        yield client
