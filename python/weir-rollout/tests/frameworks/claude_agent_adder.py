import os
from pathlib import Path
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, create_sdk_mcp_server, query, tool


@tool("add", "Adds two numbers", {"a": int, "b": int})
async def add(arguments: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": str(arguments["a"] + arguments["b"])}]}


class Adder:
    async def run(self, data: dict[str, str]) -> bool:
        # The package runs a program of its own, which has variables of its own.
        env = {
            "ANTHROPIC_BASE_URL": os.environ["LLM_BASE_URL"],
            "ANTHROPIC_API_KEY": os.environ["LLM_API_KEY"],
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CONFIG_DIR": str(Path(data["folder"]) / "claude"),
        }
        options = ClaudeAgentOptions(
            env=env,
            model="any",
            system_prompt="Use the tool.",
            tools=[],
            mcp_servers={"numbers": create_sdk_mcp_server("numbers", tools=[add])},
            allowed_tools=["mcp__numbers__add"],
            setting_sources=[],
            cwd=data["folder"],
        )
        result = None
        async for message in query(prompt=data["question"], options=options):
            if isinstance(message, ResultMessage):
                result = message.result
        return result == "It is 5."
