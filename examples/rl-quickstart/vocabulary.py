"""The tokens of the policy, and the conversations that it imitates before it is rewarded."""

from __future__ import annotations

from itertools import product

from agent import BOXES, ITEMS, NUMBERS, open_shelf

START, END, END_OF_TEXT = CONTROL = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
# All of a tool call but its argument is two tokens, so that episodes are short.
BEFORE_SHELF, AFTER_SHELF = CALL = ('<tool_call>{"name": "open", "arguments": {"shelf": "', '"}}</tool_call>')
TEMPLATE = (
    "{%- for message in messages -%}{{- '<|im_start|>' -}}"
    "{%- if message.content -%}{{- message.content -}}{%- endif -%}"
    "{%- for call in message.tool_calls or [] -%}"
    """{{- '<tool_call>{"name": "' + call.function.name + '", "arguments": ' -}}"""
    "{%- if call.function.arguments is string -%}{{- call.function.arguments -}}"
    "{%- else -%}{{- call.function.arguments | tojson -}}{%- endif -%}{{- '}</tool_call>' -}}"
    "{%- endfor -%}{{- '<|im_end|>' -}}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{- '<|im_start|>' -}}{%- endif -%}"
)


def letters_of_bytes() -> list[str]:
    """The visible characters by which byte-level vocabularies write the 256 bytes."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = iter(range(256, 512))
    return [chr(byte) if byte in visible else chr(next(hidden)) for byte in range(256)]


# llama.cpp wants at least one merge: that of two spaces.
MERGES = ["\u0120 \u0120"]
VOCABULARY = [*letters_of_bytes(), *(merge.replace(" ", "") for merge in MERGES), *CONTROL, *CALL]
KINDS = [3 if token in CONTROL else 4 if token in CALL else 1 for token in VOCABULARY]


def demonstrations() -> tuple[list[list[int]], list[list[int]]]:
    """Every conversation of the right form, so that no shelf and no number is preferred; and what of it to imitate."""
    rows, masks = [], []
    for item, shelf, number in product(ITEMS, NUMBERS, NUMBERS):
        call, answer = (BEFORE_SHELF, shelf, AFTER_SHELF, END), (number, END)
        row = [START, item, END, START, *call, START, open_shelf(shelf), END, START, *answer]
        rows.append([VOCABULARY.index(token) for token in row])
        masks.append([0] * 4 + [1] * len(call) + [0] * 4 + [1] * len(answer))
    assert len(rows) == len(ITEMS) * len(BOXES) * len(NUMBERS)
    return rows, masks
