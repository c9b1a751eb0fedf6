"""Writes `weir_rollout/contract.py` from the OpenAPI document of the proxy: `python scripts/generate_contract.py`."""

from __future__ import annotations

import json
import keyword
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent.parent
DOCUMENT = PACKAGE.parent.parent / "packages/rollout-contract/openapi.json"
TARGET = PACKAGE / "src/weir_rollout/contract.py"
HEADER = '''"""Messages of the proxy. scripts/generate_contract.py writes them from the OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal, TypedDict
'''

Schema = Mapping[str, Any]


def generate(document: Mapping[str, Any]) -> str:
    """The module for a document."""
    schemas: Mapping[str, Schema] = document["components"]["schemas"]
    aliases = [_alias(name, schema) for name, schema in schemas.items() if "properties" not in schema]
    classes = [_typed_dict(name, schema) for name, schema in schemas.items() if "properties" in schema]
    request = schemas["ExportRequest"]
    options = {
        "description": "How to export; see `ExportRequest`.",
        "properties": {
            key: value for key, value in request["properties"].items() if key not in ("session_id", "format")
        },
    }
    return "\n\n".join([HEADER, *aliases, *classes, _typed_dict("ExportOptions", options)]).rstrip() + "\n"


def _alias(name: str, schema: Schema) -> str:
    return f"{name} = {_type(schema, quoted=True)}\n{_docstring(schema, '')}"


def _typed_dict(name: str, schema: Schema) -> str:
    properties: Mapping[str, Schema] = schema["properties"]
    required = set(schema.get("required", []))
    needed = [key for key in properties if key in required]
    optional = [key for key in properties if key not in required]
    if not optional:
        return _class(name, "TypedDict", needed, schema)
    if not needed:
        return _class(name, "TypedDict, total=False", optional, schema)
    # `NotRequired` came with Python 3.11.
    base = _class(f"_{name}Required", "TypedDict", needed, {**schema, "description": f"Always in `{name}`."})
    return f"{base}\n\n{_class(name, f'_{name}Required, total=False', optional, schema)}"


def _class(name: str, bases: str, keys: list[str], schema: Schema) -> str:
    properties: Mapping[str, Schema] = schema["properties"]
    fields = [
        f"    {key}: {_type(properties[key])}\n{_docstring(properties[key], '    ')}"
        for key in keys
        if not keyword.iskeyword(key)
    ]
    # A class cannot have a field whose name is a keyword, such as `from`.
    keywords = [f'"{key}": {_type(properties[key], quoted=True)}' for key in keys if keyword.iskeyword(key)]
    base = ""
    if keywords:
        if bases != "TypedDict":
            raise ValueError(f"{name}: an optional field has the name of a keyword.")
        bases = f"_{name}Keywords"
        base = f'{bases} = TypedDict("{bases}", {{{", ".join(keywords)}}})\n\n\n'
    return base + "\n".join([f"class {name}({bases}):", _docstring(schema, "    "), "", "\n".join(fields)]) + "\n"


def _docstring(schema: Schema, indent: str) -> str:
    text = str(schema.get("description", "")).replace("\\", "\\\\")
    lines = textwrap.wrap(text, 112) or [""]
    if len(lines) == 1:
        return f'{indent}"""{lines[0]}"""'
    return "\n".join([f'{indent}"""', *(f"{indent}{line}" for line in lines), f'{indent}"""'])


_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def _type(schema: Schema, quoted: bool = False) -> str:
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        return f'"{name}"' if quoted else name
    if "anyOf" in schema:
        return " | ".join(_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return f"Literal[{', '.join('None' if one is None else json.dumps(one) for one in schema['enum'])}]"
    suffix = " | None" if schema.get("nullable") else ""
    kind = schema.get("type")
    if kind == "array":
        return f"list[{_type(schema['items'])}]{suffix}"
    if kind == "object":
        more = schema.get("additionalProperties")
        return f"dict[str, {_type(more) if isinstance(more, dict) else 'Any'}]{suffix}"
    return f"{_PLAIN[kind]}{suffix}" if kind in _PLAIN else "Any"


def main() -> None:
    TARGET.write_text(generate(json.loads(DOCUMENT.read_text("utf8"))), "utf8")


if __name__ == "__main__":
    main()
