import os

from smolagents import CodeAgent, OpenAIModel, tool


@tool
def add(a: int, b: int) -> int:
    """
    Adds two numbers.

    Args:
        a: The first number.
        b: The second number.
    """
    return a + b


class Adder:
    def run(self, data: dict[str, str]) -> bool:
        model = OpenAIModel("any", api_base=os.environ["LLM_BASE_URL"], api_key=os.environ["LLM_API_KEY"])
        agent = CodeAgent(tools=[add], model=model, verbosity_level=0)
        return bool(agent.run(data["question"]) == "It is 5.")
