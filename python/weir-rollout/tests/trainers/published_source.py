"""
Parts of installed trainers that can be run without what the whole trainer needs: PyTorch with its libraries for GPUs.
"""

from __future__ import annotations

import ast
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any


def published(file: str) -> ast.Module:
    """The source of a file of an installed package, such as `trl/trainer/grpo_trainer.py`. Nothing is imported."""
    package, *parts = file.split("/")
    # By the path only: a stand-in may have its name.
    spec = PathFinder.find_spec(package)
    assert spec is not None and spec.submodule_search_locations, f"{package} is not installed"
    return ast.parse(Path(spec.submodule_search_locations[0], *parts).read_text("utf8"))


def definition(source: ast.Module | ast.ClassDef, name: str) -> Any:
    """The class or function of that name, at the top of the source or of the class."""
    types = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return next(node for node in source.body if isinstance(node, types) and node.name == name)


def run(source: ast.Module, *names: str, **known: Any) -> list[Any]:
    """Defines the classes and functions of these names as they are published; `known` are the names that they use."""
    lines: list[ast.stmt] = [ast.ImportFrom("__future__", [ast.alias("annotations")], 0)]
    lines += [definition(source, name) for name in names]
    namespace: dict[str, Any] = {"__name__": __name__, **known}
    exec(compile(ast.fix_missing_locations(ast.Module(lines, [])), "published", "exec"), namespace)
    return [namespace[name] for name in names]


def parameters(function: Any) -> list[str]:
    """Its names of parameters, without `self`."""
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return [name for name in names if name != "self"]


def texts(node: ast.AST) -> set[str]:
    """All texts within a part of a source, such as keys."""
    return {one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)}
