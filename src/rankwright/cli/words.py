"""What was typed, as values: text is text already, and only numbers need typer's own check.

typer checks every value with pydantic, which takes 0.08 s to load: a quarter of a training on a LETOR collection.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import typer
from typer.core import TyperCommand


class QuickParsing:
    """Mixed into typer's commands: pydantic is loaded only where a number was typed."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        command: Any = super()
        for parameter in command.get_params(ctx):
            # a typer that does without pydantic has no such descriptors
            if hasattr(parameter, "type_descriptor") and "process_value" not in vars(parameter):
                parameter.process_value = partial(_processed, parameter, parameter.process_value)
        rest: list[str] = command.parse_args(ctx, args)
        return rest


class QuickCommand(QuickParsing, TyperCommand):
    """A sub-command."""


def _processed(parameter: Any, check: Callable[[Any, Any], Any], ctx: typer.Context, value: Any) -> Any:
    missing = value is None and parameter.required
    if missing or not _is_as_declared(parameter, value):
        return check(ctx, value)  # converts it, or says what is wrong with it
    return value if parameter.callback is None else parameter.callback(ctx, parameter, value)


def _is_as_declared(parameter: Any, value: Any) -> bool:
    """Whether a value is what its declaration says already: nothing, the default, a text."""
    if value is None or value is parameter.default:
        return True
    declared = parameter.type_descriptor.annotation
    if declared == list[str]:
        return isinstance(value, (list, tuple)) and all(isinstance(text, str) for text in value)
    return declared in (str, bool) and isinstance(value, declared)
