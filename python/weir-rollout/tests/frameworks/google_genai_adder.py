import os

from google.genai import Client, types


def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


class Adder:
    def run(self, data: dict[str, str]) -> bool:
        options = types.HttpOptions(base_url=os.environ["LLM_BASE_URL"])
        client = Client(api_key=os.environ["LLM_API_KEY"], http_options=options)
        # The SDK calls the function by itself.
        chat = client.chats.create(model="any", config=types.GenerateContentConfig(tools=[add]))
        pieces = [chunk.text or "" for chunk in chat.send_message_stream(data["question"])]
        return "".join(pieces) == "It is 5."
