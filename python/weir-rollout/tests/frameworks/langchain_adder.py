import os

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import SecretStr


@tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


class Adder:
    def run(self, data: dict[str, str]) -> bool:
        key = SecretStr(os.environ["LLM_API_KEY"])
        model = ChatOpenAI(model="any", base_url=os.environ["LLM_BASE_URL"], api_key=key)
        ended = create_agent(model, tools=[add]).invoke({"messages": [{"role": "user", "content": data["question"]}]})
        return bool(ended["messages"][-1].content == "It is 5.")
