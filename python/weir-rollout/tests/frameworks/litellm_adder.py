import json
import os
from typing import Any

import litellm

NUMBERS = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]}
ADD = {"type": "function", "function": {"name": "add", "description": "Adds two numbers", "parameters": NUMBERS}}


class Adder:
    def run(self, data: dict[str, str]) -> bool:
        messages: list[Any] = [{"role": "user", "content": data["question"]}]
        message = ask(messages)
        for call in message.tool_calls:
            numbers = json.loads(call.function.arguments)
            result = {"role": "tool", "tool_call_id": call.id, "content": str(numbers["a"] + numbers["b"])}
            messages += [message, result]
        return bool(ask(messages).content == "It is 5.")


def ask(messages: list[Any]) -> Any:
    answer = litellm.completion(
        model="openai/any",
        messages=messages,
        tools=[ADD],
        base_url=os.environ["LLM_BASE_URL"],
        api_key=os.environ["LLM_API_KEY"],
    )
    return answer.choices[0].message
