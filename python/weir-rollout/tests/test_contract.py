"""The messages in the package are those of the proxy."""

from __future__ import annotations

import json
import runpy

from .conftest import REPOSITORY

PACKAGE = REPOSITORY / "python/weir-rollout"


def test_the_module_is_what_the_script_writes() -> None:
    generator = runpy.run_path(str(PACKAGE / "scripts/generate_contract.py"))
    document = json.loads((REPOSITORY / "packages/rollout-contract/openapi.json").read_text("utf8"))
    module = (PACKAGE / "src/weir_rollout/contract.py").read_text("utf8")
    assert module == generator["generate"](document), "run scripts/generate_contract.py"
