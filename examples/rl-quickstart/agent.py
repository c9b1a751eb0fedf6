"""An agent with a tool: the model opens a shelf, reads which box is there, and names the box."""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

from openai import OpenAI

ITEMS, BOXES, NUMBERS = "abcd", "efgh", "0123"
TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": "open",
            "description": "Opens a shelf and tells which box is there.",
            "parameters": {"type": "object", "properties": {"shelf": {"type": "string"}}, "required": ["shelf"]},
        },
    }
]


def open_shelf(shelf: str) -> str:
    """The tool: each shelf has one box."""
    return BOXES[NUMBERS.index(shelf)]


@cache
def client(base_url: str) -> OpenAI:
    # The key is given with each call: a process plays many episodes.
    return OpenAI(base_url=base_url, api_key="per-call")


class ShelfAgent:
    """Plain synchronous code: it runs in a process of its own."""

    def run(self, data: dict[str, Any], sample_index: int = 0) -> dict[str, float]:
        """Rewards each answer for itself: the shelf is that of the item, the number that of the box."""
        item, seed = data["item"], data["seed"] + sample_index
        messages: list[Any] = [{"role": "user", "content": item}]
        call = self.ask(messages, seed)
        shelf = shelf_of(call.choices[0].message)
        if shelf is None:
            return {call.id: 0.0}
        box = open_shelf(shelf)
        calls = call.choices[0].message.tool_calls
        messages += [call.choices[0].message, {"role": "tool", "tool_call_id": calls[0].id, "content": box}]
        answer = self.ask(messages, seed)
        return {
            call.id: float(NUMBERS.index(shelf) == ITEMS.index(item)),
            answer.id: float(answer.choices[0].message.content == NUMBERS[BOXES.index(box)]),
        }

    def ask(self, messages: list[Any], seed: int) -> Any:
        headers = {"authorization": f"Bearer {os.environ['LLM_API_KEY']}"}
        return client(os.environ["LLM_BASE_URL"]).chat.completions.create(
            model="any", messages=messages, tools=TOOLS, max_tokens=4, temperature=1, seed=seed, extra_headers=headers
        )


def shelf_of(message: Any) -> str | None:
    """Of a call that can be made."""
    if not message.tool_calls or message.tool_calls[0].function.name != "open":
        return None
    try:
        shelf = json.loads(message.tool_calls[0].function.arguments).get("shelf")
    except json.JSONDecodeError:
        return None
    return shelf if shelf in tuple(NUMBERS) else None
