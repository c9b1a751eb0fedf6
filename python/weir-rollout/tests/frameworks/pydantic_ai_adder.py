import os

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


class Adder:
    def run(self, data: dict[str, str]) -> bool:
        provider = OpenAIProvider(base_url=os.environ["LLM_BASE_URL"], api_key=os.environ["LLM_API_KEY"])
        agent = Agent(OpenAIChatModel("any", provider=provider), tools=[add])
        return agent.run_sync(data["question"]).output == "It is 5."
