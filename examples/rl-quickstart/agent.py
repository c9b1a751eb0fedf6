"""An agent of two turns: the model names a shelf, a tool says which box is there, and the model names the box."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from openai import OpenAI

SHELVES = {"a": "0", "b": "1", "c": "2", "d": "3"}
BOXES = {"e": "0", "f": "1", "g": "2", "h": "3"}


def look_up(item: str) -> str:
    """The tool: the box in which an item is."""
    return "efgh"["abcd".index(item)]


@cache
def client(base_url: str) -> OpenAI:
    # The key is given with each call: a process plays many episodes.
    return OpenAI(base_url=base_url, api_key="per-call")


class ShelfAgent:
    """Plain synchronous code: it runs in a process of its own."""

    def run(self, data: dict[str, str]) -> dict[str, float]:
        messages: list[Any] = [{"role": "user", "content": data["item"]}]
        shelf = self.ask(messages)
        messages += [shelf.choices[0].message, {"role": "user", "content": look_up(data["item"])}]
        box = self.ask(messages)
        return {
            shelf.id: float(shelf.choices[0].message.content == SHELVES[data["item"]]),
            box.id: float(box.choices[0].message.content == BOXES[look_up(data["item"])]),
        }

    def ask(self, messages: list[Any]) -> Any:
        headers = {"authorization": f"Bearer {os.environ['LLM_API_KEY']}"}
        return client(os.environ["LLM_BASE_URL"]).chat.completions.create(
            model="any", messages=messages, max_tokens=1, temperature=1, extra_headers=headers
        )
