"""A taskset with one task, and a harness that plays a tool over two turns in this process."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import verifiers.v1 as vf
from verifiers.v1.runtimes import ProgramResult

from weir_rollout.adapters.verifiers import VerifiersAgent

__all__ = ["Adder", "AdderHarness", "AdderTaskset"]
NUMBERS = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]}
ADD = {"type": "function", "function": {"name": "add", "description": "Adds two numbers", "parameters": NUMBERS}}


class AdderTask(vf.Task[vf.TaskData, vf.State, vf.TaskConfig]):
    @vf.reward
    async def is_right(self, trace: Any) -> float:
        return 1.0 if trace.last_reply == "It is 5." else 0.0


class AdderTaskset(vf.Taskset[AdderTask, vf.TasksetConfig]):
    def load(self) -> Iterator[AdderTask]:
        yield AdderTask(vf.TaskData(prompt="What is 2 + 3?"))


class AdderHarness(vf.Harness[vf.HarnessConfig]):
    NEEDS_CONTAINER = False
    EXECUTES_CODE = False

    async def launch(
        self, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, mcp_urls: Any, data: Any, *_: Any
    ) -> ProgramResult:
        messages: list[Any] = [{"role": "user", "content": data.prompt}]
        headers = {"authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(base_url=endpoint, headers=headers, trust_env=False, timeout=None) as client:
            for _turn in range(2):
                body = {"model": ctx.model, "messages": messages, "tools": [ADD]}
                answer = await client.post("/chat/completions", json=body)
                message = answer.raise_for_status().json()["choices"][0]["message"]
                messages.append(message)
                for call in message.get("tool_calls") or []:
                    numbers = json.loads(call["function"]["arguments"])
                    result = str(numbers["a"] + numbers["b"])
                    messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
        return ProgramResult(0, "", "")


class Adder(VerifiersAgent):
    def __init__(self) -> None:
        agent = {"harness": {"id": "verifiers_adder"}, "runtime": {"type": "subprocess"}}
        super().__init__({"taskset": {"id": "verifiers_adder"}, "agent": agent})
