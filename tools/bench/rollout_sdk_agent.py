"""The agent of rollout-sdk-agent.mjs, in Python."""

import os
from collections.abc import Mapping
from typing import Any

import httpx

TURNS = 5


class BenchAgent:
    async def run(self, data: Mapping[str, str], **given: Any) -> float:
        base_url = given.get("base_url") or os.environ["LLM_BASE_URL"]
        headers = {"authorization": f"Bearer {given.get('api_key') or os.environ['LLM_API_KEY']}"}
        messages: list[Any] = [{"role": "user", "content": data["text"]}]
        async with given.get("http_client") or httpx.AsyncClient(timeout=None, trust_env=False) as client:
            for turn in range(TURNS):
                body = {"model": "any", "messages": messages}
                answer = await client.post(f"{base_url}/chat/completions", json=body, headers=headers)
                message = answer.raise_for_status().json()["choices"][0]["message"]
                messages += [message, {"role": "user", "content": f"Turn {turn}: {data['text']}"}]
        return 1.0
