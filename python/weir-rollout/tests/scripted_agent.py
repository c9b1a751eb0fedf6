"""The agent of packages/rollout-contract/cases/episodes.json."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Mapping
from typing import Any

import httpx


class ScriptedAgent:
    """Plays a behaviour of the table, by its protocol's plain HTTP."""

    def run(self, data: Mapping[str, Any], **kwargs: Any) -> Any:
        script = data["agent"] if "members" not in data else data["members"][kwargs["sample_index"]]["agent"]
        if script["then"].get("synchronous"):
            return asyncio.run(play(script, kwargs))
        return play(script, kwargs)


async def play(script: Mapping[str, Any], kwargs: Mapping[str, Any]) -> Any:
    base_url = kwargs.get("base_url") or os.environ["LLM_BASE_URL"]
    headers = {"authorization": f"Bearer {kwargs.get('api_key') or os.environ['LLM_API_KEY']}"}
    messages: list[Any] = [{"role": "user", "content": "Begin."}]
    ids: list[str] = []

    async with kwargs.get("http_client") or httpx.AsyncClient(timeout=None, trust_env=False) as http_client:

        async def post(path: str, body: Mapping[str, Any]) -> Any:
            response = await http_client.post(f"{base_url}{path}", json=body, headers=headers)
            response.raise_for_status()
            return response.json()

        for call in range(script["calls"]):
            answer = await post("/chat/completions", {"model": "any", "max_tokens": 4, "messages": messages})
            ids.append(answer["id"])
            messages += [answer["choices"][0]["message"], {"role": "user", "content": f"Go on, {call}."}]
        for number, reward in script.get("sets", {}).items():
            await post("/rl/set_reward", {"reward": reward, "interaction_id": ids[int(number)]})
    return await end(script["then"], ids)


async def end(then: Mapping[str, Any], ids: list[str]) -> Any:
    match then["do"]:
        case "return":
            return to_result(then, ids)
        case "raise":
            raise RuntimeError(then["message"])
        case "hang":
            await asyncio.Event().wait()
        case "spin":
            while True:
                pass
        case "exit":
            os._exit(then["code"])
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
    raise ValueError(f"The table has an unknown behaviour: {then['do']}.")


def to_result(then: Mapping[str, Any], ids: list[str]) -> Any:
    match then["type"]:
        case "nan":
            return float("nan")
        case "unserializable":
            return threading.Lock()
        case "dict":
            return {ids[int(call)] if call.isdecimal() else call: reward for call, reward in then["value"].items()}
    return then["value"]
