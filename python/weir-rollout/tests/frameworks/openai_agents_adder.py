import os
from typing import Any

from agents import Agent, OpenAIProvider, RunConfig, Runner, function_tool


@function_tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


class Adder:
    def run(self, data: dict[str, str]) -> bool:
        provider = OpenAIProvider(base_url=os.environ["LLM_BASE_URL"], api_key=os.environ["LLM_API_KEY"])
        config = RunConfig(model_provider=provider, tracing_disabled=True)
        agent: Agent[Any] = Agent(name="adder", model="any", tools=[add])
        return bool(Runner.run_sync(agent, data["question"], run_config=config).final_output == "It is 5.")
