"""The agent of examples/rl-quickstart, which also writes down what it got: the account that nothing may contradict."""

from __future__ import annotations

import json
import os
from typing import Any

from agent import ShelfAgent


class CountingAgent(ShelfAgent):
    """Writes a line for each answer with the number of its tokens, and one for each episode that it finished."""

    def run(self, data: dict[str, Any], sample_index: int = 0) -> dict[str, float]:
        rewards = super().run(data, sample_index)
        write({"episode": list(rewards)})
        return rewards

    def ask(self, messages: list[Any], seed: int) -> Any:
        answer = super().ask(messages, seed)
        write({"answer": answer.id, "tokens": answer.usage.completion_tokens})
        return answer


def write(line: dict[str, Any]) -> None:
    # One write at the end of the file: the processes of the agents share it.
    file = os.open(os.environ["WEIR_CHAOS_ACCOUNT"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, f"{json.dumps(line)}\n".encode())
    os.close(file)
