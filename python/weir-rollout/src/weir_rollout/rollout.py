"""Workflows of a trainer, over one client and one pool of processes."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any

from .client.async_rollout_client import AsyncRolloutClient
from .config import check_scheduler, read_rollout_config
from .contract import ExportOptions, SessionAdapter
from .episode.inline_runner import InlineRunner
from .episode.proxy_workflow import DEFAULT_TIMEOUT, ProxyWorkflow
from .episode.run_agent import RunAgent
from .group import GroupFilter
from .resolve import resolve_workflow
from .subproc.process_pool import ProcessPool
from .subproc.subproc_runner import SubprocRunner
from .workflow import Agent, RolloutWorkflow


class Rollout:
    """
    Workflows of a trainer. `config` has the keys `rollout.llm.mode` and `rollout.llm.subproc_max_workers`; `timeout` is
    for the agent's `run`, in seconds; with `keep_until_trained` the proxy keeps completed episodes until they are
    acknowledged, see `TrainingLog`. Raises `RolloutError` (`config_invalid`, `scheduler_unsupported`). Leaving its
    `async with` block ends the processes.
    """

    def __init__(
        self,
        client: AsyncRolloutClient,
        *,
        config: Any = None,
        scheduler: str = "local",
        timeout: float = DEFAULT_TIMEOUT,
        export: ExportOptions | None = None,
        keep_until_trained: bool = False,
    ) -> None:
        check_scheduler(scheduler)
        settings = read_rollout_config(config)
        self._client = client
        self._timeout = timeout
        self._export = export
        self._keep_until_trained = keep_until_trained
        self._pool = ProcessPool(settings.subproc_max_workers) if settings.mode == "subproc" else None

    def resolve(
        self,
        given: Any,
        *,
        kwargs: Mapping[str, Any] | None = None,
        group_size: int = 1,
        filter: GroupFilter | None = None,
        task_id: str = "",
        adapter: SessionAdapter | None = None,
    ) -> RolloutWorkflow:
        """See `resolve_workflow`; agents are wrapped in the configured mode. All episodes have `adapter`, if given."""

        def wrap_agent(agent: Agent) -> RolloutWorkflow:
            return ProxyWorkflow(
                self._client,
                self._runner_of(agent),
                task_id=task_id,
                adapter=adapter,
                timeout=self._timeout,
                export=self._export,
                keep_until_trained=self._keep_until_trained,
            )

        return resolve_workflow(given, kwargs=kwargs, group_size=group_size, filter=filter, wrap_agent=wrap_agent)

    async def close(self) -> None:
        """Ends the processes."""
        if self._pool is not None:
            await self._pool.close()

    def _runner_of(self, agent: Agent) -> RunAgent:
        if self._pool is None:
            return InlineRunner(agent, self._client.agent_http_client)
        return SubprocRunner(agent, self._pool)

    async def __aenter__(self) -> Rollout:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
